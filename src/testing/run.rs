//! Running one test, line by line.

use super::{Failure, arrange};
use crate::base::{Span, words};
use crate::check::{Definition, Selection};
use crate::engine::{Alteration, Deed, Game, Outcome, State, Step};
use crate::ir::{Cell, Seat};
use crate::session::draw::{self, Look};
use crate::session::{Stray, describe, play_line};
use crate::syntax::Word;
use crate::syntax::expr::WhoKind;
use crate::syntax::test::{ExpectedResult, Test, TestLine, TestLineKind};

/// How many turns a line of a test may play and count.
const BUDGET: u64 = 5_000_000;

fn too_many(span: Span) -> Failure {
    Failure::new(span, "this is more than a test may count; take a smaller depth")
}

/// A test under way.
struct Runner<'a> {
    definition: &'a Definition,
    selection: &'a Selection,
    game: &'a Game,
    state: State,
    /// Who made the last turn.
    mover: Option<Seat>,
    failures: Vec<Failure>,
    /// What must stand on the board at the end.
    goals: Vec<(Span, Vec<arrange::Spot>)>,
}

/// Whether the lines after a failed one still make sense.
enum Flow {
    GoOn,
    Stop,
}

/// Runs the lines of a test.
pub fn run(definition: &Definition, selection: &Selection, game: &Game, test: &Test) -> Vec<Failure> {
    let mut runner = Runner {
        definition,
        selection,
        game,
        state: game.start(),
        mover: None,
        failures: Vec::new(),
        goals: Vec::new(),
    };
    for line in &test.lines {
        match runner.line(line) {
            Ok(()) => {}
            Err((failures, flow)) => {
                runner.failures.extend(failures);
                match flow {
                    Flow::GoOn => {}
                    Flow::Stop => return runner.failures,
                }
            }
        }
    }
    for (span, goal) in std::mem::take(&mut runner.goals) {
        runner.compare_board(span, &goal);
    }
    runner.failures
}

type Lines = Result<(), (Vec<Failure>, Flow)>;

fn stop(failure: Failure) -> (Vec<Failure>, Flow) {
    (vec![failure], Flow::Stop)
}

impl Runner<'_> {
    fn line(&mut self, line: &TestLine) -> Lines {
        match &line.kind {
            TestLineKind::Board(from, to) => {
                let spots = arrange::diagram(self.game, from).map_err(|f| (f, Flow::Stop))?;
                if let Some(to) = to {
                    let goal = arrange::diagram(self.game, to).map_err(|f| (f, Flow::Stop))?;
                    self.goals.push((to.span, goal));
                }
                self.state = self.game.arrange(&arrange::parts(&spots));
                self.mover = None;
            }
            TestLineKind::ExpectBoard(diagram) => {
                let goal = arrange::diagram(self.game, diagram).map_err(|f| (f, Flow::GoOn))?;
                self.compare_board(diagram.span, &goal);
            }
            TestLineKind::Position(text) => {
                self.state = self
                    .game
                    .read_position(&text.node)
                    .map_err(|e| stop(Failure::new(text.span, format!("the position cannot be read: {e}"))))?;
                self.mover = None;
            }
            TestLineKind::ToPlay(who) => {
                let seat = arrange::seat(self.game, who).map_err(stop)?;
                self.alter(&[Alteration::ToMove(seat)]);
            }
            TestLineKind::HandsEmpty => {
                let seats = 0..self.game.rules().seats.len();
                self.alter(&seats.map(|seat| Alteration::Hand(seat as Seat, Vec::new())).collect::<Vec<_>>());
            }
            TestLineKind::Hand(who, stock) => {
                let seat = arrange::seat(self.game, who).map_err(stop)?;
                let mut hand = Vec::new();
                for (n, word) in stock {
                    let piece = arrange::piece_type(self.game, word).map_err(stop)?;
                    let n = u16::try_from(n.node)
                        .map_err(|_| stop(Failure::new(n.span, format!("a hand cannot hold {} pieces", n.node))))?;
                    hand.push((piece, n));
                }
                self.alter(&[Alteration::Hand(seat, hand)]);
            }
            TestLineKind::Set { name, who, value } => self.set(name, who.as_ref(), value.node, value.span)?,
            TestLineKind::SetLastMoved { who, piece } => {
                let seat = arrange::seat(self.game, who).map_err(stop)?;
                let piece = match piece.node.as_str() {
                    "none" | "nothing" => None,
                    _ => Some(arrange::piece_type(self.game, piece).map_err(stop)?),
                };
                self.alter(&[Alteration::LastMoved(seat, piece)]);
            }
            TestLineKind::Play(moves) => self.play(moves)?,
            TestLineKind::Legal(moves) => {
                for word in moves {
                    if let Err(refusal) = self.game.read(&self.state, &word.node) {
                        let near = refusal.nearest.map_or(String::new(), |m| format!("; did you mean `{m}`?"));
                        let message = format!("`{}` should be legal: {}{near}", word.node, refusal.reason);
                        self.fail(Failure { moves: true, ..Failure::new(word.span, message) });
                    }
                }
            }
            TestLineKind::Illegal(moves) => {
                for word in moves {
                    if self.game.read(&self.state, &word.node).is_ok() {
                        let message = format!("`{}` should be illegal, but it may be played", word.node);
                        self.fail(Failure { moves: true, ..Failure::new(word.span, message) });
                    } else if let Some(from) = self.origin(&word.node) {
                        self.expect_piece(word.span, from);
                    }
                }
            }
            TestLineKind::Turns(n) => match self.game.perft_within(&self.state, 1, BUDGET) {
                Some(found) => self.compare(line.span, "the number of legal turns differs", n.node, found),
                None => self.fail(too_many(line.span)),
            },
            TestLineKind::MovesOf(cell, targets) => self.moves_of(line.span, cell, targets)?,
            TestLineKind::Moves(moves) => match self.game.turns_within(&self.state, 100_000) {
                Some(turns) => {
                    let found = turns.iter().map(|steps| self.game.turn_text(steps)).collect();
                    self.compare_sets(line.span, "the legal turns differ", moves, found);
                }
                None => self.fail(too_many(line.span)),
            },
            TestLineKind::Perft(depth, n) => {
                let plies = u32::try_from(depth.node)
                    .ok()
                    .filter(|d| *d <= 60)
                    .ok_or_else(|| (vec![Failure::new(depth.span, "a depth is at most 60")], Flow::GoOn))?;
                match self.game.perft_within(&self.state, plies, BUDGET) {
                    Some(found) => {
                        self.compare(line.span, &format!("the count at depth {plies} differs"), n.node, found);
                    }
                    None => self.fail(too_many(line.span)),
                }
            }
            TestLineKind::After(moves, expected) => self.after(moves, &expected.node, expected.span)?,
            TestLineKind::Expect(expected) => {
                let outcome = self.game.outcome(&self.state);
                self.compare_result(&self.state.clone(), self.mover, outcome, &expected.node, expected.span);
            }
            TestLineKind::ExpectCond(cond) => {
                let compiled = self.definition.compile_cond(self.selection, cond).map_err(|diagnostics| {
                    let failure = Failure::new(cond.span, "this condition has errors");
                    (vec![Failure { diagnostics, ..failure }], Flow::GoOn)
                })?;
                if !self.game.holds(&self.state, &compiled, 0) {
                    self.fail(Failure::new(cond.span, "this does not hold"));
                }
            }
        }
        Ok(())
    }

    fn fail(&mut self, failure: Failure) {
        let board = self.picture(&self.state);
        self.failures.push(Failure { board: Some(board.into()), ..failure });
    }

    fn picture(&self, state: &State) -> String {
        let mut text = draw::position(self.game, state, &Look::default());
        text.push_str(&describe::status(self.game, state, &[]));
        text.push('\n');
        text
    }

    fn compare(&mut self, span: Span, message: &str, expected: u64, found: u64) {
        if expected != found {
            self.fail(Failure { moves: true, ..Failure::compare(span, message, expected, found) });
        }
    }

    fn compare_sets(&mut self, span: Span, message: &str, expected: &[Word], mut found: Vec<String>) {
        let mut wanted: Vec<String> = expected.iter().map(|w| w.node.clone()).filter(|w| w != "none").collect();
        for list in [&mut wanted, &mut found] {
            list.sort();
            list.dedup();
        }
        if wanted == found {
            return;
        }
        let lacking: Vec<&str> = wanted.iter().filter(|w| !found.contains(w)).map(String::as_str).collect();
        let surplus: Vec<&str> = found.iter().filter(|w| !wanted.contains(w)).map(String::as_str).collect();
        let mut parts = Vec::new();
        if !lacking.is_empty() {
            parts.push(format!("missing {}", short_list(&lacking)));
        }
        if !surplus.is_empty() {
            parts.push(format!("not expected {}", short_list(&surplus)));
        }
        let list = |words: &[String]| if words.is_empty() { "none".to_owned() } else { words.join(" ") };
        let message = format!("{message}: {}", parts.join("; "));
        self.fail(Failure { moves: true, ..Failure::compare(span, message, list(&wanted), list(&found)) });
    }

    fn compare_board(&mut self, span: Span, goal: &[arrange::Spot]) {
        let differences = arrange::difference(self.game, goal, &arrange::spots(self.game, &self.state));
        if !differences.is_empty() {
            self.fail(Failure::new(span, format!("the board differs: {}", differences.join("; "))));
        }
    }

    /// Changes parts of the position.
    fn alter(&mut self, changes: &[Alteration]) {
        self.game.alter(&mut self.state, changes);
        self.mover = None;
    }

    fn set(&mut self, name: &Word, who: Option<&Word>, value: i64, value_span: Span) -> Lines {
        let rules = self.game.rules();
        let seats: Vec<Seat> = match who {
            Some(who) => vec![arrange::seat(self.game, who).map_err(stop)?],
            None => (0..rules.seats.len() as Seat).collect(),
        };
        if let Some(index) = rules.counters.iter().position(|c| c.name == name.node) {
            let value = i32::try_from(value)
                .map_err(|_| stop(Failure::new(value_span, format!("{value} is too large for a counter"))))?;
            let seats = if rules.counters[index].each { seats } else { vec![0] };
            self.alter(&seats.into_iter().map(|seat| Alteration::Counter(index, seat, value)).collect::<Vec<_>>());
        } else if let Some(index) = rules.latches.iter().position(|l| l.name == name.node) {
            self.alter(&seats.into_iter().map(|seat| Alteration::Latch(index, seat, value != 0)).collect::<Vec<_>>());
        } else {
            let known: Vec<&str> = rules
                .counters
                .iter()
                .map(|c| c.name.as_str())
                .chain(rules.latches.iter().map(|l| l.name.as_str()))
                .collect();
            return Err(stop(arrange::unknown(name, "counter or memory", &known)));
        }
        Ok(())
    }

    fn play(&mut self, moves: &[Word]) -> Lines {
        let mut state = self.state.clone();
        match self.play_on(&mut state, moves) {
            Ok(mover) => {
                self.state = state;
                self.mover = mover.or(self.mover);
                Ok(())
            }
            Err(failure) => Err(stop(failure)),
        }
    }

    /// Plays whole turns and gives the seat that made the last.
    fn play_on(&self, state: &mut State, moves: &[Word]) -> Result<Option<Seat>, Failure> {
        let mut mover = None;
        for word in moves {
            let seat = self.game.to_move(state);
            match play_line(self.game, state, &[&word.node]) {
                Ok(open) if open.is_empty() => mover = Some(seat),
                Ok(open) => return Err(self.unfinished(state, word, &open)),
                Err(Stray { refusal, .. }) => {
                    let near = refusal.nearest.map_or(String::new(), |m| format!("; did you mean `{m}`?"));
                    let message = format!("`{}` cannot be played: {}{near}", word.node, refusal.reason);
                    return Err(Failure {
                        board: Some(self.picture(state).into()),
                        moves: true,
                        ..Failure::new(word.span, message)
                    });
                }
            }
        }
        Ok(mover)
    }

    fn unfinished(&self, state: &State, word: &Word, open: &[Step]) -> Failure {
        let next: Vec<String> = self.game.steps(state).iter().take(3).map(|s| self.game.step_text(*s)).collect();
        let joiner = match self.game.steps(state).first().map(|s| s.deed) {
            Some(Deed::Roll { .. }) => "chance decides after it; write the outcome behind it",
            _ => "the turn is not complete; it may go on after a comma",
        };
        let examples: Vec<String> = next.iter().map(|text| format!("`{text}`")).collect();
        let message = format!("`{}`: {joiner}, such as {}", self.game.turn_text(open), words::one_of(&examples));
        Failure { board: Some(self.picture(state).into()), ..Failure::new(word.span, message) }
    }

    fn moves_of(&mut self, span: Span, cell: &Word, targets: &[Word]) -> Lines {
        let board = &self.game.rules().board;
        let mut known = true;
        for word in std::iter::once(cell).chain(targets.iter().filter(|t| t.node != "none")) {
            if board.cell(&word.node).is_none() {
                self.failures.push(Failure::new(word.span, format!("`{}` is no cell of this board", word.node)));
                known = false;
            }
        }
        let Some(from) = board.cell(&cell.node).filter(|_| known) else { return Ok(()) };
        if targets.iter().all(|t| t.node == "none") {
            self.expect_piece(cell.span, from);
        }
        let found: Vec<String> = self
            .game
            .steps(&self.state)
            .iter()
            .filter(|step| matches!(step.deed, Deed::Move { .. }) && step.deed.source() == Some(from))
            .filter_map(|step| step.deed.target())
            .map(|cell| self.game.rules().cell_name(cell).to_owned())
            .collect();
        self.compare_sets(span, &format!("the moves of {} differ", cell.node), targets, found);
        Ok(())
    }

    /// The cell where a move begins, of a turn that begins with one.
    fn origin(&self, turn: &str) -> Option<Cell> {
        let cells = &self.game.rules().board.cells;
        let behind = |text: &str| cells.iter().filter(|c| text.starts_with(&c.name)).max_by_key(|c| c.name.len());
        let from = behind(turn)?;
        behind(&turn[from.name.len()..])?;
        self.game.rules().board.cell(&from.name)
    }

    /// That nothing moves from an empty cell says nothing of the rules; when the game is over, nothing moves at all.
    fn expect_piece(&mut self, span: Span, cell: Cell) {
        let empty = arrange::spots(self.game, &self.state)[cell as usize].is_none();
        if empty && self.game.outcome(&self.state).is_none() {
            let name = self.game.rules().cell_name(cell);
            self.fail(Failure::new(
                span,
                format!("`{name}` is empty, so whether a piece may move from there is not tried"),
            ));
        }
    }

    fn after(&mut self, moves: &[Word], expected: &ExpectedResult, span: Span) -> Lines {
        let mut state = self.state.clone();
        let mover = self.play_on(&mut state, moves).map_err(|failure| (vec![failure], Flow::GoOn))?;
        let outcome = self.game.outcome(&state);
        self.compare_result(&state, mover, outcome, expected, span);
        Ok(())
    }

    fn compare_result(
        &mut self,
        state: &State,
        mover: Option<Seat>,
        outcome: Option<Outcome>,
        expected: &ExpectedResult,
        span: Span,
    ) {
        let game = self.game;
        let found = match &outcome {
            None => "no result".to_owned(),
            Some(outcome) => describe::result(game, outcome),
        };
        let winner = outcome.as_ref().and_then(Outcome::winner);
        let seats = game.rules().seats.len() as Seat;
        let (as_expected, wanted) = match expected {
            ExpectedResult::NoResult => (outcome.is_none(), "no result".to_owned()),
            ExpectedResult::Draw => {
                (outcome.as_ref().is_some_and(|o| describe::verdict(game, o) == "draw"), "draw".to_owned())
            }
            ExpectedResult::Wins(who) => {
                let seat = match who {
                    WhoKind::Me => Some(0),
                    WhoKind::Opponent => Some(1 % seats),
                    WhoKind::Mover => mover,
                    WhoKind::Next => mover.map(|m| (m + 1) % seats),
                    WhoKind::AnyPlayer => winner.or(Some(seats)),
                    WhoKind::Name(name) => game.rules().seats.iter().position(|s| s.name == *name).map(|i| i as Seat),
                };
                let name = match (who, seat) {
                    (WhoKind::Name(name), _) => name.clone(),
                    (WhoKind::AnyPlayer, _) => "any player".to_owned(),
                    (_, Some(seat)) => describe::seat_name(game, seat).to_owned(),
                    (_, None) => "the mover".to_owned(),
                };
                (seat.is_some() && winner == seat, format!("{name} wins"))
            }
        };
        if !as_expected {
            let failure = Failure::compare(span, "the result differs", wanted, found);
            self.failures.push(Failure { board: Some(self.picture(state).into()), ..failure });
        }
    }
}

/// The first few words of a list.
fn short_list(words: &[&str]) -> String {
    const SHOWN: usize = 12;
    let mut text = words.iter().take(SHOWN).copied().collect::<Vec<_>>().join(" ");
    if words.len() > SHOWN {
        text.push_str(&format!(" and {} more", words.len() - SHOWN));
    }
    text
}
