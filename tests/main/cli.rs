//! The command line: what it prints, where, and its exit codes.

use assert_cmd::Command;
use std::path::PathBuf;

struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn rulebook(args: &[&str]) -> Ran {
    piped(args, "")
}

fn piped(args: &[&str], input: &str) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_rulebook"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("NO_COLOR")
        .args(args)
        .write_stdin(input)
        .output()
        .expect("the program runs");
    Ran {
        code: output.status.code().expect("an exit code"),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

/// A file of its own for a test.
fn file(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

fn json(ran: &Ran) -> serde_json::Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {}", ran.out))
}

#[test]
fn list_has_a_line_for_each_game() {
    let ran = rulebook(&["list"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.out.lines().count(), rulebook::games::names().count());
    let proteus = ran.out.lines().find(|l| l.starts_with("proteus")).expect("proteus");
    assert!(proteus.contains("+russian-roulette") && proteus.contains("quiet-limit=100"), "{proteus}");
    let listed = json(&rulebook(&["list", "--format", "json"]));
    assert!(listed.as_array().is_some_and(|games| games.iter().any(|g| g["name"] == "chess")));
}

#[test]
fn every_shipped_game_is_clean() {
    for name in rulebook::games::names() {
        let ran = rulebook(&["check", "--strict", name]);
        assert_eq!(ran.code, 0, "{name}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn check_tells_errors_and_unreadable_files_apart() {
    let bad = file("bad.game", "game \"Bad\"\nplayers White, Black\nboard 3x3\npiece Man \"M\" { stepp any }\n");
    let bad = bad.to_str().expect("a path");
    let ran = rulebook(&["check", bad]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("stepp") && ran.out.contains("bad.game:4:"), "{}", ran.out);
    let ran = rulebook(&["check", "games/chess.game", "nowhere.game"]);
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("games/chess.game: ok"), "{}", ran.out);
    assert!(ran.err.contains("cannot read `nowhere.game`"), "{}", ran.err);
}

#[test]
fn definitions_are_laid_out() {
    let (ugly, neat) = ("game   \"X\"\nboard 3x3\r\n", "game \"X\"\nboard 3x3\n");
    let path = file("ugly.game", ugly);
    let name = path.to_str().expect("a path");
    let read = || std::fs::read_to_string(&path).expect("it is there");
    let ran = rulebook(&["fmt", "--check", name]);
    assert_eq!((ran.code, read().as_str()), (1, ugly), "{}", ran.err);
    assert!(
        ran.out.contains(name) && ran.out.contains("\n-game   \"X\"\n") && ran.out.contains("\n+game \"X\"\n"),
        "{}",
        ran.out
    );
    assert_eq!(rulebook(&["fmt", name]).code, 0);
    assert_eq!(read(), neat);
    assert_eq!(rulebook(&["fmt", "--check", name]).code, 0);
    let ran = piped(&["fmt", "-"], ugly);
    assert_eq!((ran.code, ran.out.as_str()), (0, neat));
    assert_eq!(piped(&["fmt", "--check", "-"], ugly).code, 1);
    assert_eq!(rulebook(&["fmt", "--check", "games"]).code, 0);

    let broken = file("broken.game", "game \"X\"\n  bord 3x3\n");
    let ran = rulebook(&["fmt", broken.to_str().expect("a path"), "nowhere.game"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("`bord`") && ran.err.contains("not touched, 1 error"), "{}", ran.err);
    assert!(ran.err.contains("cannot read `nowhere.game`"), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(&broken).expect("it is there"), "game \"X\"\n  bord 3x3\n");
}

#[test]
fn a_misspelt_game_is_guessed() {
    let ran = rulebook(&["show", "ches"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("there is no game `ches`") && ran.err.contains("did you mean `chess`?"), "{}", ran.err);
    let ran = rulebook(&["show", "proteus+warhorse"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("did you mean `warhorses`?"), "{}", ran.err);
    let ran = rulebook(&["show", "proteus", "--set", "quiet-limt=50"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("did you mean `quiet-limit`?"), "{}", ran.err);
    let ran = rulebook(&["show", "proteus", "--set", "trade-off=maybe"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("whole-turn"), "{}", ran.err);
    assert_eq!(rulebook(&["shwo"]).code, 2);
}

#[test]
fn show_draws_the_board() {
    let ran = rulebook(&["show", "chess", "--after", "e2e4 e7e5"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("8 r n b q k b n r\n"), "{}", ran.out);
    assert!(ran.out.contains("4 . . . . P . . .\n"), "{}", ran.out);
    assert!(ran.out.contains("\n  a b c d e f g h\n"), "{}", ran.out);
    assert!(ran.out.contains("turn 3: White to move"), "{}", ran.out);
    assert!(ran.out.contains("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq"), "{}", ran.out);
    assert!(!ran.out.contains('\x1b'));
    assert!(rulebook(&["show", "chess", "--color", "always"]).out.contains('\x1b'));
}

#[test]
fn hex_boards_are_slanted() {
    let ran = rulebook(&["show", "hex", "--after", "a1 b1"]);
    let lines: Vec<&str> = ran.out.lines().filter(|l| l.contains(". .")).collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    assert_eq!(lines.len(), 11, "{}", ran.out);
    assert!(lines.windows(2).all(|pair| indent(pair[0]) >= indent(pair[1])), "{}", ran.out);
    assert!(lines[10].contains("1 O X . ."), "{}", ran.out);
}

#[test]
fn hands_scores_and_steps_are_shown() {
    let ran = rulebook(&["show", "magneton", "--after", "d4"]);
    assert!(ran.out.contains("White holds 11 Stone\nBlack holds 12 Stone\n"), "{}", ran.out);
    let ran = rulebook(&["show", "proteus", "--after", "b2b4"]);
    assert!(ran.out.contains("score: White 0, Black 0"), "{}", ran.out);
    assert!(ran.out.contains("turn 1: White to move, step 2 (rotate) after b2b4"), "{}", ran.out);
}

#[test]
fn cubes_show_their_upper_face() {
    let ran = rulebook(&["show", "bushi-shogi", "--after", "a1:right/front a2:left/top"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("a1: Black Samurai (right/front): samurai →, sword ↓"), "{}", ran.out);
}

#[test]
fn moves_are_listed() {
    let ran = rulebook(&["moves", "chess", "--from", "g1"]);
    let mut moves: Vec<&str> = ran.out.lines().collect();
    moves.sort_unstable();
    assert_eq!(moves, ["g1f3", "g1h3"]);
    let found = json(&rulebook(&["moves", "proteus", "--after", "b2b4, c1+ a7a6, c7+", "--format", "json"]));
    assert_eq!(found["to_move"], "White");
    assert_eq!(found["count"], found["moves"].as_array().map_or(0, Vec::len));
    assert_eq!(found["moves"][0]["steps"][0]["act"], "move");
    let ran = rulebook(&["moves", "chess", "--after", "e2e5"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("move 1 `e2e5`"), "{}", ran.err);
    let ran = rulebook(&["moves", "chess", "--position", "8/8/9 w"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("the position cannot be read"), "{}", ran.err);
}

#[test]
fn perft_counts_turns_and_decisions() {
    assert_eq!(rulebook(&["perft", "chess", "3"]).out, "perft 3 = 8902\n");
    let ran = rulebook(&["perft", "proteus", "1"]);
    assert_eq!(ran.out, "perft 1 = 232\n");
    assert_eq!(rulebook(&["perft", "proteus", "1", "--steps"]).out, "perft 1 = 24\n");
    let divided = rulebook(&["perft", "chess", "2", "--divide"]);
    assert_eq!(divided.out.lines().count(), 21, "{}", divided.out);
    assert!(divided.out.contains("e2e4: 20\n") && divided.out.ends_with("perft 2 = 400\n"), "{}", divided.out);
}

#[test]
fn playouts_repeat_with_the_seed() {
    let args = ["playout", "othello", "--games", "5", "--seed", "3", "--format", "json"];
    let (mut one, mut two) = (json(&rulebook(&args)), json(&rulebook(&args)));
    for found in [&mut one, &mut two] {
        for timing in ["seconds", "turns_per_second", "steps_per_second"] {
            found[timing].take();
        }
    }
    assert_eq!(one, two);
    assert_eq!(one["games"], 5);
}

#[test]
fn tests_of_shipped_games_pass() {
    for name in rulebook::games::names() {
        let ran = rulebook(&["test", name]);
        assert_eq!(ran.code, 0, "{name}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn a_failing_test_shows_board_expected_and_found() {
    let text = "game \"Tiny\" extends \"breakthrough\"\n\ntest \"wrong\" {\n  turns = 21\n  legal a2a4\n  play a2a3\n  moves of h7 = h6\n}\n";
    let path = file("tiny.game", text);
    let ran = rulebook(&["test", path.to_str().expect("a path")]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    for part in
        ["FAILED wrong", "tiny.game:4:", "expected 21", "found 22", "8 p p p p p p p p", "`a2a4` should be legal", "g6"]
    {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    // Where the rules allow or forbid a move can be asked only of moves.
    let about_moves = ran.out.matches("`rulebook why` tells").count();
    let text = "game \"Tiny\" extends \"breakthrough\"\n\ntest \"wrong\" {\n  expect a4 is Pawn\n  expect draw\n}\n";
    let ran = rulebook(&["test", file("other.game", text).to_str().expect("a path")]);
    let others = ran.out.matches("`rulebook why` tells").count();
    assert_eq!((about_moves, others, ran.code), (3, 0, 1), "{}", ran.out);
}

#[test]
fn that_nothing_moves_from_an_empty_cell_shows_nothing() {
    let text = "game \"Tiny\" extends \"breakthrough\"\n\ntest \"empty\" {\n  illegal a2a4\n  illegal a4a5\n  moves of b4 = none\n}\n";
    let ran = rulebook(&["test", file("empty.game", text).to_str().expect("a path")]);
    let told: Vec<&str> = ran.out.lines().filter(|line| line.contains("-->") || line.contains("is empty")).collect();
    assert_eq!((told.len(), ran.code), (4, 1), "{}", ran.out);
    for (part, line) in ["`a4` is empty", "empty.game:5:11", "`b4` is empty", "empty.game:6:12"].iter().zip(&told) {
        assert!(line.contains(part), "{part}: {}", ran.out);
    }
}

#[test]
fn the_representation_is_printed() {
    let ran = rulebook(&["ir", "proteus+polarity"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for part in ["game Proteus", "variant Polarity", "ladder Pyramid < Pawn", "slide diagonal", "state 0", "results"] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    assert_eq!(json(&rulebook(&["ir", "chess", "--format", "json"]))["name"], "Chess");
}

#[test]
fn a_game_is_played_through_a_pipe() {
    let input = "help\nmoves e2\ne2e5\ne2e4\ne7e5\nundo\nposition\nquit\n";
    let ran = piped(&["play", "chess", "--against", "human", "--seed", "1"], input);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for part in [
        "White> moves e2\n",
        "e2e3 e2e4",
        "`e2e5` cannot be played",
        "White plays e2e4",
        "Black> e7e5",
        "taken back: e7e5",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq",
        "goodbye",
    ] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
}

#[test]
fn the_end_of_input_ends_politely_and_the_end_of_a_game_is_told() {
    let ran = piped(&["play", "chess", "--against", "human", "--seed", "1"], "f2f3\ne7e5\ng2g4\nd8h4\n");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("game over: Black wins"), "{}", ran.out);
    assert!(ran.out.ends_with("end of input, goodbye\n"), "{}", ran.out);
}

#[test]
fn a_game_is_saved_and_loaded() {
    let path = file("game.save", "");
    let path = path.to_str().expect("a path");
    let save = format!("b2b4, c1+\nsave {path}\nposition\n");
    let args = ["play", "proteus+warhorses", "--set", "quiet-limit=50", "--against", "human", "--seed", "5"];
    let ran = piped(&args, &save);
    assert!(ran.out.contains(&format!("saved as `{path}`")), "{}", ran.out);
    let text = std::fs::read_to_string(path).expect("it was saved");
    for part in ["game     proteus\n", "variant  Warhorses\n", "set      quiet-limit=50\n", "  1  b2b4, c1+\n"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let again = piped(&["play", "--load", path], "position\n");
    assert_eq!(again.code, 0, "{}", again.err);
    let position = ran.out.lines().find(|l| l.contains(" b ")).expect("a position");
    assert!(again.out.contains(position), "{}", again.out);
    assert!(again.out.contains("Proteus with Warhorses (quiet-limit = 50), seed 5"), "{}", again.out);
    let ran = piped(&["play", "chess", "--against", "human"], "load nowhere.save\nload Cargo.toml\n");
    assert!(ran.out.contains("cannot read `nowhere.save`"), "{}", ran.out);
    assert!(ran.out.contains("line 1: not a saved game"), "{}", ran.out);
}

#[test]
fn the_computer_answers() {
    let ran = piped(&["play", "connect-four", "--seed", "1", "--nodes", "50"], "d1\nhint\n");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("Yellow plays "), "{}", ran.out);
    assert!(ran.out.contains("hint: "), "{}", ran.out);
}

#[test]
fn chance_is_told() {
    let position = "8/2p3p1/8/3p4/4P3/8/1P6/8 w";
    let args = ["play", "proteus+russian-roulette", "--against", "human", "--seed", "1", "--position", position];
    let ran = piped(&args, "e4d5\n");
    assert!(ran.out.contains("the die on d5 turns up "), "{}", ran.out);
    assert!(ran.out.contains("step 2 (rotate) after e4d5~"), "{}", ran.out);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    use std::process::{Command as Process, Stdio};
    let mut child = Process::new(env!("CARGO_BIN_EXE_rulebook"))
        .args(["ir", "chess", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_move_is_explained() {
    let ran = rulebook(&["why", "chess", "e5d6", "--after", "e2e4 a7a6 e4e5 d7d5"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("note[legal]: `e5d6` is legal") && ran.out.contains("chess.game:11:3"), "{}", ran.out);
    let ran = rulebook(&["why", "chess", "a1a3"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("your own Pawn stands on a2") && ran.out.contains("chess.game:16:28"), "{}", ran.out);
    assert!(ran.out.contains("did you mean `a2a3` or `b1a3`?"), "{}", ran.out);
    let ran = rulebook(&["why", "proteus+polarity", "e4d5, b2+", "--position", "8/2p3p1/8/3p4/4P3/8/1P6/8 w"]);
    assert!(ran.out.contains("proteus.game:52:3"), "{}", ran.out);
    assert_eq!(rulebook(&["why", "chess", "e7e5"]).code, 1);
    let found = json(&rulebook(&["why", "chess", "e2e5", "--json"]));
    assert_eq!(found["legal"], false);
    assert_eq!(found["steps"][0]["grounds"][0]["line"], 8);
    assert_eq!(found["nearest"][0], "e2e3");
}

/// A program that goes on, and what it prints.
struct Running {
    child: std::process::Child,
    lines: std::sync::mpsc::Receiver<String>,
}

impl Running {
    fn start(args: &[&str]) -> Running {
        use std::io::{BufRead, BufReader};
        use std::process::{Command as Process, Stdio};
        let mut child = Process::new(env!("CARGO_BIN_EXE_rulebook"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let (sender, lines) = std::sync::mpsc::channel();
        let streams: [Box<dyn std::io::Read + Send>; 2] =
            [Box::new(child.stdout.take().expect("its output")), Box::new(child.stderr.take().expect("its errors"))];
        for stream in streams {
            let sender = sender.clone();
            std::thread::spawn(move || {
                BufReader::new(stream).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
            });
        }
        Running { child, lines }
    }

    /// Reads on up to a line with this in it.
    fn until(&self, part: &str) {
        let mut seen = String::new();
        loop {
            match self.lines.recv_timeout(std::time::Duration::from_secs(60)) {
                Ok(line) if line.contains(part) => return,
                Ok(line) => seen += &format!("{line}\n"),
                Err(e) => panic!("no `{part}`: {e}; but\n{seen}"),
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_watched_definition_is_checked_when_it_is_saved() {
    let good = "game \"Heir\" extends \"watched-parent\"\ntest \"t\" { turns = 22 }\n";
    let parent = file("watched-parent.game", rulebook::games::text("breakthrough").expect("a game"));
    let path = file("watched.game", good);
    let name = path.to_str().expect("a path");
    let running = Running::start(&["check", "--watch", name]);
    running.until("watched.game: ok");
    // Into the same file.
    std::fs::write(&path, format!("{good}extend Pawn {{ stepp any }}\n")).expect("it is written");
    running.until("`stepp`");
    running.until("watched.game: 1 error");
    // Deleted, and another renamed to it.
    std::fs::remove_file(&path).expect("it is deleted");
    running.until("cannot read");
    std::fs::rename(file("watched.tmp", good), &path).expect("it is renamed");
    running.until("watched.game: ok");
    // The file that it extends.
    std::fs::write(&parent, "game \"Parent\"\nbord 8x8\n").expect("it is written");
    running.until("`bord`");
    std::fs::remove_file(&parent).expect("it is deleted");
    running.until("watched-parent");
    drop(running);
    let ran = rulebook(&["check", "--watch", "chess"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("nothing to watch"), "{}", ran.err);
}
