//! What turns and steps there are in a definition, whichever variants and options are chosen: a test may say that a move is illegal
//! because what allows it was not chosen, or was taken away from what is inherited.

use crate::syntax::game::{File, Item, ItemKind};
use crate::syntax::piece::{Clause, ClauseKind, Generator, MovesAs};
use crate::syntax::turn::{Act, Acts, ActsKind, Turn, TurnBody};

/// What is written somewhere in the files of a definition.
#[derive(Debug, Default)]
pub(super) struct Offered {
    pub pass: bool,
    pub swap: bool,
    /// Turns of several steps.
    pub sequences: bool,
    /// Turns that may end where they could also go on.
    pub done: bool,
    pub removes: bool,
    pub flips: bool,
    pub moves: bool,
    pub drops: bool,
    pub promotes: bool,
    /// Pieces that move as the one last moved.
    pub last_moved: bool,
    /// The labels of the pieces' lines.
    pub labels: Vec<String>,
}

impl Offered {
    pub fn by(files: &[File]) -> Offered {
        let mut out = Offered::default();
        files.iter().for_each(|file| out.items(&file.items));
        out
    }

    /// Everything, where a statement that could not be read may say anything.
    pub fn all() -> Offered {
        Offered {
            pass: true,
            swap: true,
            sequences: true,
            done: true,
            removes: true,
            flips: true,
            moves: true,
            drops: true,
            promotes: true,
            last_moved: true,
            labels: Vec::new(),
        }
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            match &item.kind {
                ItemKind::Turn(turn) => self.turn(turn),
                ItemKind::Piece(piece) => self.clauses(&piece.clauses),
                ItemKind::Extend(extend) => self.clauses(&extend.clauses),
                ItemKind::Cube(cube) => self.clauses(&cube.clauses),
                ItemKind::Variant(variant) => self.items(&variant.items),
                ItemKind::When { items, otherwise, .. } => {
                    self.items(items);
                    self.items(otherwise);
                }
                _ => {}
            }
        }
    }

    fn clauses(&mut self, clauses: &[Clause]) {
        for clause in clauses {
            self.labels.extend(clause.label.iter().map(|l| l.node.clone()));
            match &clause.kind {
                ClauseKind::Move(line) if matches!(line.generator, Generator::Drop { .. }) => self.drops = true,
                ClauseKind::MovesAs { what, .. } => {
                    self.moves = true;
                    self.last_moved |= matches!(what, MovesAs::LastMoved(_));
                }
                ClauseKind::Move(_) | ClauseKind::Betza(_) => self.moves = true,
                ClauseKind::Promote { .. } => self.promotes = true,
                ClauseKind::After(_) => {}
            }
        }
    }

    fn turn(&mut self, turn: &Turn) {
        match &turn.body {
            TurnBody::Acts(acts) => self.acts(acts),
            TurnBody::Cases(cases) => cases.iter().for_each(|(_, acts)| self.acts(acts)),
        }
    }

    fn acts(&mut self, acts: &Acts) {
        match &acts.kind {
            ActsKind::Or(parts) | ActsKind::OrElse(parts) => parts.iter().for_each(|part| self.acts(part)),
            ActsKind::Then(parts) => {
                self.sequences = true;
                parts.iter().for_each(|part| self.acts(part));
            }
            ActsKind::May(inner) => {
                self.done = true;
                self.acts(inner);
            }
            ActsKind::If(inner, _) => self.acts(inner),
            ActsKind::Again => {}
            ActsKind::Act(act) => match act {
                Act::Pass => self.pass = true,
                Act::Play { verb, .. } => self.pass |= verb.node == "pass",
                Act::SwapSides => self.swap = true,
                Act::Choose { verb, .. } if verb.node == "flip" => self.flips = true,
                Act::Choose { .. } => self.removes = true,
                Act::Rotate { .. } | Act::Spin { .. } | Act::Tip { .. } => {}
            },
        }
    }
}
