//! Groups: steps that differ only in their target.

use super::bits::Bits;
use crate::ir::turn::Chosen;
use smallvec::SmallVec;

/// Steps that differ only in their target (and in what a promotion gives). What they are is packed into one word.
#[derive(Clone, Copy, Debug)]
pub struct Group<B> {
    /// Where they lead, or on which cells they are done.
    pub targets: B,
    /// See [`Code`].
    pub code: Code,
    /// How many steps of plain groups there are up to and with it; kept by [`Groups`].
    pub upto: u32,
}

/// The groups of a position. Their order, targets ascending, is the order of moves.
#[derive(Clone, Debug)]
pub struct Groups<B> {
    list: SmallVec<[Group<B>; 64]>,
    /// Steps of the groups in which each target is one step.
    plain: u32,
    /// All groups are such.
    all_plain: bool,
}

impl<B: Bits> Groups<B> {
    /// None.
    pub fn new() -> Groups<B> {
        Groups { list: SmallVec::new(), plain: 0, all_plain: true }
    }

    /// Takes them all out.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.list.clear();
        self.plain = 0;
        self.all_plain = true;
    }

    /// Adds a group, which has targets or is cellless.
    #[inline(always)]
    pub fn push(&mut self, targets: B, code: Code) {
        if code.plain() {
            return self.push_plain(targets, code);
        }
        self.all_plain = false;
        self.list.push(Group { targets, code, upto: self.plain });
    }

    /// Adds a group of which each target is one step.
    #[inline(always)]
    pub fn push_plain(&mut self, targets: B, code: Code) {
        self.plain += targets.count();
        self.list.push(Group { targets, code, upto: self.plain });
    }

    /// Keeps the first so many.
    pub fn truncate(&mut self, n: usize) {
        self.list.truncate(n);
        self.plain = 0;
        for group in self.list.iter_mut() {
            if group.code.plain() {
                self.plain += group.targets.count();
            }
            group.upto = self.plain;
        }
        self.all_plain = self.list.iter().all(|g| g.code.plain());
    }

    /// Whether each target of each group is one step.
    #[inline(always)]
    pub fn all_plain(&self) -> bool {
        self.all_plain
    }

    /// The steps of the groups in which each target is one step.
    #[inline(always)]
    pub fn plain_steps(&self) -> u32 {
        self.plain
    }
}

impl<B> std::ops::Deref for Groups<B> {
    type Target = [Group<B>];
    #[inline(always)]
    fn deref(&self) -> &[Group<B>] {
        &self.list
    }
}

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
    /// So much below the target, as cells are numbered.
    Below(i16),
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
const PLAY_BELOW: u64 = 9;
const PASS: u64 = 10;
const SWAP: u64 = 11;
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
            What::Play { clause, kind, from: From::Below(delta) } => (PLAY_BELOW, clause, delta as u16, kind),
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

    /// The same for targets where the kind does not promote.
    #[inline(always)]
    pub fn unpromoting(self) -> Code {
        Code(self.0 & !PROMOTES)
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
            PLAY_BELOW => What::Play { clause: number, kind, from: From::Below(from as i16) },
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_keep_what_they_are_given() {
        let all = [
            What::Play { clause: 65535, kind: 255, from: From::Cell(703) },
            What::Play { clause: 1, kind: 3, from: From::Back { dir: 7, steps: 200 } },
            What::Play { clause: 1, kind: 3, from: From::Below(-27) },
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
