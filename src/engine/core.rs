//! The state as flat data: one set per owner, one per kind, and numbered slots.

use super::bits::Bits;

/// Owner index of neutral pieces; players have 0 and 1.
pub const NEUTRAL: u8 = 2;

/// So many turns without an act that cannot be undone that they are no longer counted.
pub const UNBOUNDED: u16 = u16::MAX - 1;

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// It goes on.
    No,
    /// Ended by result rule number `rule` (`u16::MAX`: nobody can move and no rule says what that means), won by a seat or drawn.
    Yes { rule: u16, winner: Option<u8> },
}

/// One moment of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Core<B, const K: usize, const N: usize> {
    /// Cells per owner.
    pub own: [B; 3],
    /// Cells per kind, whoever owns the piece; then the other sets that the rules read, see [`super::layout::Layout`].
    pub sets: [B; K],
    /// Pieces that have not moved, where that matters.
    pub unmoved: B,
    /// Pieces that made a step of this turn.
    pub acted: B,
    /// Pieces still to be rolled: chance decides while there is one.
    pub rolls: B,
    /// Numbers, see [`super::layout::Layout`].
    pub slots: [i32; N],
    /// Hash of the cells' contents.
    pub board_hash: u64,
    /// Hash of the slots that count for repetition.
    pub slot_hash: u64,
    /// Turns begun, from 1; 0 while the setup is filled.
    pub turn: u32,
    /// The cell of the piece that made the last step of this turn.
    pub last: u16,
    /// Where the last step of this turn led, and the cell it left, where a turn's conditions ask.
    pub here: u16,
    pub origin: u16,
    /// State of the turn graph.
    pub q: u16,
    /// Turns since one in which something happened that cannot be undone; [`u16::MAX`] within that turn, so that its end makes it 0.
    pub since: u16,
    /// The player to move.
    pub side: u8,
    /// No step of this turn has been made.
    pub fresh: bool,
    /// Chance has been drawn in this turn: nothing is preferred any more.
    pub committed: bool,
    /// The turn is complete.
    pub complete: bool,
    /// The sides were swapped: the same seat moves again.
    pub stays: bool,
    /// Attacks are being found: questions about attacks find none.
    pub asking: bool,
    /// Steps of this turn.
    pub steps: u8,
    /// The direction of the last step, where a turn's conditions ask.
    pub dir: u8,
    /// A look-ahead is under way: forbids that look ahead are skipped.
    pub ahead: bool,
    /// By mover, whether pieces have come, gone or changed since [`Core::ripe`] was noted.
    pub altered: [bool; 2],
    /// Which results the pieces on the board allow, wherever they stand: one bit for each of those watched, by mover.
    pub ripe: [u16; 2],
    /// How the game stands.
    pub over: Over,
}

impl<B: Bits, const K: usize, const N: usize> Core<B, K, N> {
    /// An empty board.
    pub fn empty() -> Self {
        Core {
            own: [B::EMPTY; 3],
            sets: [B::EMPTY; K],
            unmoved: B::EMPTY,
            acted: B::EMPTY,
            rolls: B::EMPTY,
            slots: [0; N],
            board_hash: 0,
            slot_hash: 0,
            turn: 1,
            last: super::geometry::NONE,
            here: super::geometry::NONE,
            origin: super::geometry::NONE,
            q: 0,
            since: 0,
            side: 0,
            fresh: true,
            committed: false,
            complete: false,
            stays: false,
            asking: false,
            steps: 0,
            dir: super::geometry::NOWHERE,
            ahead: false,
            altered: [true; 2],
            ripe: [0; 2],
            over: Over::No,
        }
    }

    /// How many of the latest positions of the history can be like the present one. The present one is the last of them if it is `counted`.
    pub fn past(&self, counted: bool) -> usize {
        match self.since {
            u16::MAX if !counted => 0,
            UNBOUNDED => usize::MAX,
            n => usize::from(n).saturating_add(1),
        }
    }

    /// Whether a turn of a game that goes on begins, no piece is nobody's, and so many more turns can be counted: a short cut of playouts may begin here.
    pub fn ready(&self, max_turns: u32) -> bool {
        self.turn > 0
            && self.q == 0
            && self.fresh
            && self.own[usize::from(NEUTRAL)].is_empty()
            && self.over == Over::No
            && self.turn < u32::MAX - max_turns.min(u32::MAX / 2)
    }

    /// Whether the turn is complete and chance has nothing left to decide: its end is due.
    #[inline]
    pub fn ended(&self) -> bool {
        self.complete && self.rolls.is_empty()
    }

    /// Notes that something happened that cannot be undone.
    #[inline]
    pub fn no_way_back(&mut self) {
        self.since = u16::MAX;
    }

    /// Cells with a piece.
    #[inline]
    pub fn occupied(&self) -> B {
        self.own[0] | self.own[1] | self.own[2]
    }

    /// The kind that stands on an occupied cell.
    #[inline]
    pub fn kind_at(&self, cell: usize) -> u8 {
        // kinds come first among the sets, and a piece is of one kind
        self.sets.iter().position(|set| set.has(cell)).unwrap_or(0) as u8
    }

    /// The owner of the piece on an occupied cell.
    #[inline]
    pub fn owner_at(&self, cell: usize) -> u8 {
        if self.own[0].has(cell) {
            0
        } else if self.own[1].has(cell) {
            1
        } else {
            NEUTRAL
        }
    }

    /// What stands on a cell: owner and kind.
    pub fn piece(&self, cell: usize) -> Option<(u8, u8)> {
        self.occupied().has(cell).then(|| (self.owner_at(cell), self.kind_at(cell)))
    }
}
