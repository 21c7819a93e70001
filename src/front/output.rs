//! Where output goes, whether it has colours, and how a command fails.

use super::cli::Color;
use anstyle::{AnsiColor, Style};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

/// Standard output and error.
pub struct Out {
    stdout: BufWriter<io::Stdout>,
    /// Whether standard output has colours.
    pub color: bool,
    /// Whether standard error has.
    pub color_err: bool,
}

/// Whether a stream has colours.
pub fn color_of(wish: Color, stream: &impl IsTerminal) -> bool {
    match wish {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
            !refused && !dumb && stream.is_terminal()
        }
    }
}

impl Out {
    /// Output with or without colours.
    pub fn new(color: bool, color_err: bool) -> Out {
        Out { stdout: BufWriter::new(io::stdout()), color, color_err }
    }

    /// Prints a text as it is.
    pub fn print(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        self.stdout.write_all(text.as_ref().as_bytes())
    }

    /// Prints a line.
    pub fn line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        self.print(text)?;
        self.stdout.write_all(b"\n")
    }

    /// Prints bytes.
    pub fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stdout.write_all(bytes)
    }

    /// Prints a value as JSON.
    pub fn json(&mut self, value: &impl serde::Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(value).map_err(|e| Failure::usage(e.to_string()))?;
        Ok(self.line(text)?)
    }

    /// Prints a value as JSON on one line.
    pub fn json_line(&mut self, value: &impl serde::Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(value).map_err(|e| Failure::usage(e.to_string()))?;
        Ok(self.line(text)?)
    }

    /// Sends what is printed on its way.
    pub fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }

    /// Prints on standard error; a closed one is nobody's loss.
    pub fn error(&mut self, text: impl AsRef<str>) {
        let _ = self.stdout.flush();
        let _ = io::stderr().write_all(text.as_ref().as_bytes());
    }

    /// The text in a style, if standard output has colours.
    pub fn paint(&self, style: Style, text: &str) -> String {
        if self.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

/// Why a command came to nothing.
#[derive(Debug)]
pub enum Failure {
    /// Reading or writing failed.
    Io(io::Error),
    /// Something is wrong that the message tells.
    Told {
        /// 1 or 2.
        code: u8,
        /// One sentence.
        message: String,
        /// What to do.
        help: Option<String>,
    },
    /// The reports are printed already.
    Reported,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Io(error)
    }
}

impl Failure {
    /// The question could not be asked.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::Told { code: 2, message: message.into(), help: None }
    }

    /// The answer is no.
    pub fn wrong(message: impl Into<String>) -> Failure {
        Failure::Told { code: 1, message: message.into(), help: None }
    }

    /// Adds what to do.
    pub fn help(self, text: impl Into<String>) -> Failure {
        match self {
            Failure::Told { code, message, .. } => Failure::Told { code, message, help: Some(text.into()) },
            Failure::Io(_) | Failure::Reported => self,
        }
    }

    /// Prints it and gives the exit code. A reader that has gone away is no failure.
    pub fn report(self, out: &mut Out) -> ExitCode {
        match self {
            Failure::Io(e) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Failure::Io(e) => {
                let text = told(out.color_err, &e.to_string(), None);
                out.error(text);
                ExitCode::from(2)
            }
            Failure::Told { code, message, help } => {
                let text = told(out.color_err, &message, help.as_deref());
                out.error(text);
                ExitCode::from(code)
            }
            Failure::Reported => ExitCode::from(1),
        }
    }
}

/// `error: …` and `help: …` on lines of their own.
pub fn told(color: bool, message: &str, help: Option<&str>) -> String {
    let tag = |word: &str, style: Style| if color { format!("{style}{word}{style:#}") } else { word.to_owned() };
    let mut text =
        format!("{}: {message}\n", tag("error", Style::new().bold().fg_color(Some(AnsiColor::BrightRed.into()))));
    if let Some(help) = help {
        text.push_str(&format!(
            "{}: {help}\n",
            tag("help", Style::new().bold().fg_color(Some(AnsiColor::BrightCyan.into())))
        ));
    }
    text
}
