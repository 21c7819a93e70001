//! Timing: jobs done by the engine and by a rival in turn, a table of the medians, and the same as JSON.

use serde_json::{Value, json};
use std::time::Instant;

/// Some work, done once; returns how many units of it were done.
pub type Work = Box<dyn FnMut() -> u64>;

/// What is measured: one row of the table.
pub struct Job {
    /// Name of the row, without spaces at its ends; filters look into it.
    pub name: &'static str,
    /// What is counted.
    pub unit: &'static str,
    /// The rate in units per second that the engine is to reach, if there is one.
    pub aim: Option<f64>,
    /// The engine at work.
    pub engine: Work,
    /// Code written for this job alone, if there is some.
    pub rival: Option<Work>,
}

/// How long is measured, and what came out.
pub struct Bench {
    seconds: f64,
    rounds: usize,
    filters: Vec<String>,
    rows: Vec<Value>,
}

impl Bench {
    /// From the command line: `--seconds S` a round, `--rounds N`, and texts of which a row's name must contain one.
    pub fn from_args() -> Bench {
        let mut bench = Bench { seconds: 0.5, rounds: 5, filters: Vec::new(), rows: Vec::new() };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            let mut number = || args.next().and_then(|n| n.parse::<f64>().ok()).filter(|n| *n > 0.0);
            match arg.as_str() {
                "--bench" => {}
                "--seconds" => bench.seconds = number().expect("--seconds takes a number above 0"),
                "--rounds" => bench.rounds = number().expect("--rounds takes a number above 0").ceil() as usize,
                _ => bench.filters.push(arg),
            }
        }
        println!("{:34}{:12}{:>14}{:>14}{:>9}{:>14}", "job", "unit", "engine /s", "rival /s", "ratio", "aim /s");
        bench
    }

    /// Runs the jobs that are asked for, after the check that belongs to them.
    pub fn jobs(&mut self, check: impl FnOnce(), jobs: Vec<Job>) {
        let asked = |job: &Job| self.filters.is_empty() || self.filters.iter().any(|f| job.name.contains(f.as_str()));
        let jobs: Vec<Job> = jobs.into_iter().filter(asked).collect();
        if jobs.is_empty() {
            return;
        }
        check();
        for job in jobs {
            self.run(job);
        }
    }

    fn run(&mut self, mut job: Job) {
        let (mut engine, mut rival) = (Vec::new(), Vec::new());
        for _ in 0..self.rounds {
            engine.push(rate(&mut job.engine, self.seconds));
            if let Some(work) = &mut job.rival {
                rival.push(rate(work, self.seconds));
            }
        }
        let (engine, rival) = (median(engine).unwrap_or(0.0), median(rival));
        let ratio = rival.map(|r| engine / r);
        let or_dash = |number: Option<f64>, places: usize| number.map_or("-".into(), |n| format!("{n:.places$}"));
        println!(
            "{:34}{:12}{engine:>14.0}{:>14}{:>9}{:>14}",
            job.name,
            job.unit,
            or_dash(rival, 0),
            or_dash(ratio, 3),
            or_dash(job.aim, 0)
        );
        self.rows.push(json!({
            "name": job.name, "unit": job.unit, "engine": engine, "rival": rival, "ratio": ratio, "aim": job.aim,
        }));
    }

    /// Writes the rows to `target/bench/NAME.json`.
    pub fn write(&self, name: &str) -> std::io::Result<()> {
        let text = serde_json::to_string_pretty(&json!({
            "seconds": self.seconds, "rounds": self.rounds, "rows": self.rows,
        }))?;
        std::fs::create_dir_all("target/bench")?;
        std::fs::write(format!("target/bench/{name}.json"), text + "\n")
    }
}

/// Units of work per second over about so many seconds. Short work is done several times between two looks at the
/// clock.
fn rate(work: &mut Work, seconds: f64) -> f64 {
    let begin = Instant::now();
    let (mut units, mut times, mut elapsed) = (0, 1, 0.0);
    while elapsed < seconds {
        for _ in 0..times {
            units += work();
        }
        let now = begin.elapsed().as_secs_f64();
        if now - elapsed < 1e-3 {
            times *= 2;
        }
        elapsed = now;
    }
    units as f64 / elapsed
}

/// The middle one of the numbers, the upper of the two in the middle if their count is even; none of none.
fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}
