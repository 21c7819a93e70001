//! Where in a state each number of a game is kept.

use super::Unplayable;
use crate::ir::expr::{Set, TurnSet};
use crate::ir::visit::{Node, any_phrase};
use crate::ir::{Game, Seat, TypeId};

/// Offsets into the sets and the slots of a state. Per-player entries lie side by side.
pub struct Layout {
    turned: [Option<usize>; 5],
    /// Those of them that are kept.
    all_turned: Vec<usize>,
    /// Sets of marked cells: first and number, per mark; one set for each turn of age.
    pub layers: Vec<(usize, usize)>,
    /// Number of sets: kinds, then turn sets, then marks.
    pub sets: usize,
    seats: usize,
    hands: usize,
    counters: usize,
    latches: usize,
    once: usize,
    last: usize,
    /// From here on slots are no part of the position that repetition compares.
    pub unhashed: usize,
    markers: usize,
    quiets: usize,
    swapped: usize,
    tallies: usize,
    /// Whose pieces are tallied apart: the players', and nobody's where there are such.
    owners: usize,
    /// Number of slots.
    pub len: usize,
    hand_index: Vec<Option<usize>>,
}

impl Layout {
    /// Lays out the slots of a game.
    pub fn new(game: &Game) -> Result<Layout, Unplayable> {
        let seats = game.seats.len();
        let mut sets = game.kinds.len();
        let mut more = |n: usize| {
            sets += n;
            sets - n
        };
        let turned = TURN_SETS.map(|t| {
            let read = any_phrase(game, &mut |n| matches!(n, Node::Set(Set::Turned(u)) if *u == t));
            read.then(|| more(1))
        });
        let layers = game.marks.iter().map(|m| m.turns.map_or(1, |t| t as usize + 1)).map(|n| (more(n), n)).collect();
        let mut hand_index = vec![None; game.types.len()];
        for (i, t) in game.hand_types.iter().enumerate() {
            hand_index[*t as usize] = Some(i);
        }
        if game.reads_last_moved && game.types.len() > 31 {
            return Err(Unplayable("a game that imitates the last mover may have at most 31 piece types".into()));
        }
        let mut at = 0;
        let mut take = |n: usize| {
            at += n;
            at - n
        };
        let hands = take(game.hand_types.len() * seats);
        let counters = take(game.counters.len() * seats);
        let latches = take(game.latches.len() * seats);
        let once = take(game.once.len() * seats);
        let last = take(if game.reads_last_moved { 2 * seats } else { 0 });
        let swapped = take(1);
        let unhashed = take(2); // passes, fill
        let markers = take(game.marks.len());
        let quiets = take(game.quiets.len());
        let owners = seats + usize::from(game.types.iter().any(|t| t.neutral));
        let tallies = take(game.tallies.len() * owners);
        let len = take(0);
        Ok(Layout {
            all_turned: turned.iter().flatten().copied().collect(),
            turned,
            layers,
            sets,
            seats,
            hands,
            counters,
            latches,
            once,
            last,
            unhashed,
            markers,
            quiets,
            swapped,
            tallies,
            owners,
            len,
            hand_index,
        })
    }

    /// The set of pieces to which this happened in the turn; none if no rule reads it.
    pub fn turned(&self, set: TurnSet) -> Option<usize> {
        self.turned[set as usize]
    }

    /// The sets that are emptied when a turn begins.
    pub fn all_turned(&self) -> impl Iterator<Item = usize> + '_ {
        self.all_turned.iter().copied()
    }

    /// The sets of marked cells.
    pub fn marks(&self) -> std::ops::Range<usize> {
        self.layers.first().map_or(self.sets, |(first, _)| *first)..self.sets
    }

    /// How many of a type a player holds; none if the type is never in hand.
    pub fn hand(&self, seat: Seat, piece: TypeId) -> Option<usize> {
        self.hand_index[piece as usize].map(|i| self.hands + i * self.seats + seat as usize)
    }

    /// A counter of a player.
    pub fn counter(&self, counter: usize, seat: Seat) -> usize {
        self.counters + counter * self.seats + seat as usize
    }

    /// A latch of a player: 0 or 1.
    pub fn latch(&self, latch: usize, seat: Seat) -> usize {
        self.latches + latch * self.seats + seat as usize
    }

    /// A once-per-game entry of a player: 1 if used up.
    pub fn once(&self, once: u16, seat: Seat) -> usize {
        self.once + once as usize * self.seats + seat as usize
    }

    /// The type a player moved last, plus 1; 0 for none.
    pub fn last_piece(&self, seat: Seat) -> usize {
        self.last + seat as usize
    }

    /// The set of types it moved as, one bit each.
    pub fn last_as(&self, seat: Seat) -> usize {
        self.last + self.seats + seat as usize
    }

    /// Passes in a row.
    pub fn passes(&self) -> usize {
        self.unhashed
    }

    /// 1 if the persons have changed seats.
    pub fn swapped(&self) -> usize {
        self.swapped
    }

    /// Placings done while the setup is filled.
    pub fn fill(&self) -> usize {
        self.unhashed + 1
    }

    /// The cell of the piece that last set a mark, plus 1; 0 for none.
    pub fn marker(&self, mark: usize) -> usize {
        self.markers + mark
    }

    /// Quiet turns in a row.
    pub fn quiet(&self, quiet: usize) -> usize {
        self.quiets + quiet
    }

    /// A tally, by the owner of the pieces it counted.
    pub fn tally(&self, tally: usize, owner: u8) -> usize {
        self.tallies + tally * self.owners + owner as usize
    }

    /// A tally, of all owners.
    pub fn tallies_of(&self, tally: usize) -> std::ops::Range<usize> {
        self.tally(tally, 0)..self.tally(tally + 1, 0)
    }

    /// All tallies.
    pub fn all_tallies(&self) -> std::ops::Range<usize> {
        self.tallies..self.len
    }
}

const TURN_SETS: [TurnSet; 5] =
    [TurnSet::Moved, TurnSet::Dropped, TurnSet::Shifted, TurnSet::Flipped, TurnSet::Rotated];
