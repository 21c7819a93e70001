//! Groups: steps that differ only in their target.

use crate::ir::turn::Chosen;
use smallvec::SmallVec;

/// Steps that differ only in their target (and in what a promotion gives). What they are is packed into one word.
#[derive(Clone, Copy, Debug)]
pub struct Group<B> {
    /// Where they lead, or on which cells they are done.
    pub targets: B,
    /// See [`Code`].
    pub code: Code,
}

/// The groups of a position. Their order, targets ascending, is the order of moves.
pub type Groups<B> = SmallVec<[Group<B>; 64]>;

/// What the steps of a group are, in bits: 0 number (of a clause or a table), 16 state of the turn graph after them, 32 where they start, 48 kind,
/// 56 what, 62 whether their kind promotes somewhere, 63 whether nothing can forbid them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code(u64);

/// What the steps of a group are.
#[derive(Clone, Copy, Debug)]
pub enum What {
    /// A clause for a piece of this kind; `from` is its cell, or the way back from the target.
    Play {
        clause: u16,
        kind: u8,
        from: From,
    },
    /// A drop of a kind.
    Drop {
        clause: u16,
        kind: u8,
    },
    /// A rotation by a table.
    Rotate {
        remap: u16,
        named: bool,
    },
    /// A chosen effect.
    Choose(Chosen),
    /// A placing of a kind.
    Fill(u8),
    /// A pass, a swap or the end of the turn: one step, its target is no cell.
    Pass,
    Swap,
}

/// Where moves of a group start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// On a cell.
    Cell(u16),
    /// So many steps in this direction from the target.
    Back { dir: u8, steps: u8 },
}

const PLAY: u64 = 0;
const PLAY_BACK: u64 = 1;
const DROP: u64 = 2;
const ROTATE: u64 = 3;
const ROTATE_NAMED: u64 = 4;
const REMOVE: u64 = 5;
const CAPTURE: u64 = 6;
const FLIP: u64 = 7;
const FILL: u64 = 8;
const PASS: u64 = 9;
const SWAP: u64 = 10;
const PROMOTES: u64 = 1 << 62;
const SURE: u64 = 1 << 63;

impl Code {
    /// Packs.
    pub fn new(what: What, next: u16) -> Code {
        let (tag, number, from, kind) = match what {
            What::Play { clause, kind, from: From::Cell(cell) } => (PLAY, clause, cell, kind),
            What::Play { clause, kind, from: From::Back { dir, steps } } => {
                (PLAY_BACK, clause, u16::from(steps) << 8 | u16::from(dir), kind)
            }
            What::Drop { clause, kind } => (DROP, clause, 0, kind),
            What::Rotate { remap, named: false } => (ROTATE, remap, 0, 0),
            What::Rotate { remap, named: true } => (ROTATE_NAMED, remap, 0, 0),
            What::Choose(Chosen::Remove) => (REMOVE, 0, 0, 0),
            What::Choose(Chosen::Capture) => (CAPTURE, 0, 0, 0),
            What::Choose(Chosen::Flip) => (FLIP, 0, 0, 0),
            What::Fill(kind) => (FILL, 0, 0, kind),
            What::Pass => (PASS, 0, 0, 0),
            What::Swap => (SWAP, 0, 0, 0),
        };
        Code(tag << 56 | u64::from(kind) << 48 | u64::from(from) << 32 | u64::from(next) << 16 | u64::from(number))
    }

    /// The same for a piece that starts on another cell, of a code made for cell 0.
    #[inline(always)]
    pub fn starting(self, cell: usize) -> Code {
        Code(self.0 | (cell as u64) << 32)
    }

    /// The same with a state after it, of a code made for state 0.
    #[inline(always)]
    pub fn leading(self, next: u16) -> Code {
        Code(self.0 | u64::from(next) << 16)
    }

    /// The same, noted that the kind promotes somewhere.
    pub fn promoting(self, promotes: bool) -> Code {
        Code(self.0 | if promotes { PROMOTES } else { 0 })
    }

    /// The same, noted that nothing can forbid it.
    #[inline(always)]
    pub fn surely(self, sure: bool) -> Code {
        Code(self.0 | if sure { SURE } else { 0 })
    }

    /// Whether their kind promotes somewhere.
    #[inline(always)]
    pub fn promotes(self) -> bool {
        self.0 & PROMOTES != 0
    }

    /// Whether nothing can forbid them.
    #[inline(always)]
    pub fn sure(self) -> bool {
        self.0 & SURE != 0
    }

    /// Whether each target is one step.
    #[inline(always)]
    pub fn plain(self) -> bool {
        !self.promotes() && !self.cellless()
    }

    /// The state of the turn graph after them.
    #[inline(always)]
    pub fn next(self) -> u16 {
        (self.0 >> 16) as u16
    }

    /// Whether there is one step, which has no cell.
    #[inline(always)]
    pub fn cellless(self) -> bool {
        self.tag() >= PASS
    }

    #[inline(always)]
    fn tag(self) -> u64 {
        self.0 >> 56 & 15
    }

    /// Unpacks.
    #[inline(always)]
    pub fn what(self) -> What {
        let (number, from, kind) = (self.0 as u16, (self.0 >> 32) as u16, (self.0 >> 48) as u8);
        match self.tag() {
            PLAY => What::Play { clause: number, kind, from: From::Cell(from) },
            PLAY_BACK => {
                What::Play { clause: number, kind, from: From::Back { dir: from as u8, steps: (from >> 8) as u8 } }
            }
            DROP => What::Drop { clause: number, kind },
            ROTATE => What::Rotate { remap: number, named: false },
            ROTATE_NAMED => What::Rotate { remap: number, named: true },
            REMOVE => What::Choose(Chosen::Remove),
            CAPTURE => What::Choose(Chosen::Capture),
            FLIP => What::Choose(Chosen::Flip),
            FILL => What::Fill(kind),
            PASS => What::Pass,
            _ => What::Swap,
        }
    }
}

impl<B> Group<B> {
    /// Steps to or on these cells.
    #[inline(always)]
    pub fn new(targets: B, what: What, next: u16) -> Group<B> {
        Group { targets, code: Code::new(what, next) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_keep_what_they_are_given() {
        let all = [
            What::Play { clause: 65535, kind: 255, from: From::Cell(703) },
            What::Play { clause: 1, kind: 3, from: From::Back { dir: 7, steps: 200 } },
            What::Drop { clause: 9, kind: 143 },
            What::Rotate { remap: 5, named: false },
            What::Rotate { remap: 5, named: true },
            What::Choose(Chosen::Remove),
            What::Choose(Chosen::Capture),
            What::Choose(Chosen::Flip),
            What::Fill(7),
            What::Pass,
            What::Swap,
        ];
        for what in all {
            for (sure, promotes) in [(false, false), (true, false), (false, true), (true, true)] {
                let code = Code::new(what, 513).surely(sure).promoting(promotes);
                assert_eq!(format!("{:?}", code.what()), format!("{what:?}"));
                assert_eq!((code.next(), code.sure(), code.promotes()), (513, sure, promotes));
                assert_eq!(code.cellless(), matches!(what, What::Pass | What::Swap));
            }
        }
    }
}
