//! Boards that are filled: playouts of games in which pieces of one kind only enter.
//!
//! Lines are kept in words of one bit for each cell, connections in the set of stones that are connected with one side, and the empty cells, if any of them will do,
//! in a list.

use super::Random;
use super::bits::Bits;
use super::core::{Core, Over};
use super::geometry::Geometry;
use super::lane::Entry;
use super::resolved::{Stock, Test, When, Whose, Winner};
use super::rules::Rules;
use crate::ir::Seat;

/// Lines as words, and results that need nothing else.
pub(super) struct Fill<B> {
    /// Results by mover.
    tests: [Vec<FillTest<B>>; 2],
    /// By cell, for each line through it the word and the bit.
    places: Vec<(u16, u8)>,
    /// Lines through a cell.
    lines: usize,
    /// Any empty cell will do: all cells, as a list to begin with.
    anywhere: Option<Vec<u16>>,
}

struct FillTest<B> {
    rule: u16,
    winner: Option<Seat>,
    when: FillWhen<B>,
}

enum FillWhen<B> {
    Line {
        count: usize,
        exactly: bool,
    },
    /// Its number among those of the seat, the sides, the directions, and by cell its neighbours.
    Connects {
        number: usize,
        from: B,
        to: B,
        dirs: Vec<u8>,
        beside: Vec<B>,
    },
    Full,
}

/// Connections for each seat that can be followed at once.
const CONNECTIONS: usize = 2;

/// What words and connections need, if the results allow them.
pub(super) fn fill<B: Bits, const K: usize, const M: usize>(
    rules: &Rules<B, K, M>,
    entry: &Entry<B>,
    tests: &[Vec<Test<B>>; 2],
) -> Option<Fill<B>> {
    let geo = &rules.geo;
    let enters = entry.flips.iter().all(|f| f.is_empty());
    (enters && rules.game.kinds.len() == 1 && geo.straight).then_some(())?;
    let tests = [fill_tests(geo, &tests[0], 0)?, fill_tests(geo, &tests[1], 1)?];
    // one word for each line of each direction
    let mut words = 0;
    let mut places = vec![(0, 0); geo.cells * geo.lines.len()];
    for (i, d) in geo.lines.iter().enumerate() {
        let back = &geo.dirs[geo.dirs[*d].opposite];
        for start in (0..geo.cells).filter(|c| back.rays[*c].is_empty()) {
            let line = std::iter::once(start).chain(geo.walk(start, *d as u8));
            for (bit, cell) in line.enumerate() {
                (bit < 32).then_some(())?;
                places[cell * geo.lines.len() + i] = (words, bit as u8);
            }
            words += 1;
        }
    }
    (usize::from(words) <= B::LINES.0).then_some(())?;
    let anywhere = entry.on.iter().all(|on| on.is_empty()).then(|| (0..geo.cells as u16).collect());
    Some(Fill { tests, places, lines: geo.lines.len(), anywhere })
}

fn fill_tests<B: Bits>(geo: &Geometry<B>, tests: &[Test<B>], mover: u8) -> Option<Vec<FillTest<B>>> {
    let all_of = |s: &Stock<B>, whose: Whose| s.whose == whose && s.on == geo.all;
    let mut connections = 0;
    let mut list = Vec::new();
    for test in tests {
        let Winner::Seat(winner) = test.winner else { return None };
        let when = match &test.when {
            When::Line { of, count, exactly } if all_of(of, Whose::Seat(mover)) => {
                FillWhen::Line { count: *count, exactly: *exactly }
            }
            When::Connects { of, from, to, dirs } if all_of(of, Whose::Seat(mover)) && connections < CONNECTIONS => {
                connections += 1;
                let beside = (0..geo.cells).map(|c| geo.neighbours(B::bit(c), dirs)).collect();
                FillWhen::Connects { number: connections - 1, from: *from, to: *to, dirs: dirs.clone(), beside }
            }
            // the other player's connections were asked for when that player moved
            When::Connects { of, .. } if all_of(of, Whose::Seat(1 - mover)) => continue,
            When::None(stock) if all_of(stock, Whose::Nobody) => FillWhen::Full,
            _ => return None,
        };
        list.push(FillTest { rule: test.rule, winner, when });
    }
    Some(list)
}

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// Pieces of one kind enter one after another.
    pub(super) fn fill_up(
        &self,
        entry: &Entry<B>,
        fill: &Fill<B>,
        core: &mut Core<B, K, M>,
        rng: &mut Random,
        max_turns: u32,
    ) -> u32 {
        let kind = entry.kind as usize;
        let mut list = B::LIST;
        let empties = list.as_mut();
        let mut free = self.geo.cells;
        let mut lines = [B::LINES.1; 2];
        let mut joined = [[B::EMPTY; CONNECTIONS]; 2];
        let occupied = core.own[0] | core.own[1];
        if occupied.any() {
            free = 0;
            for cell in self.geo.all.minus(occupied).cells() {
                empties[free] = cell as u16;
                free += 1;
            }
            for s in 0..2 {
                for cell in core.own[s].cells() {
                    for (word, bit) in &fill.places[cell * fill.lines..(cell + 1) * fill.lines] {
                        lines[s].as_mut()[*word as usize] |= 1 << bit;
                    }
                }
                for test in &fill.tests[s] {
                    if let FillWhen::Connects { number, from, dirs, .. } = &test.when {
                        joined[s][*number] = self.geo.flood(*from & core.own[s], core.own[s], dirs);
                    }
                }
            }
        } else if let Some(cells) = &fill.anywhere {
            empties[..free].copy_from_slice(cells);
        }
        let mut side = core.side as usize & 1;
        let mut turns = 0;
        while turns < max_turns && free > 0 && core.over == Over::No {
            let cell = if fill.anywhere.is_some() {
                let k = rng.below(free as u32) as usize;
                let cell = empties[k] as usize;
                empties[k] = empties[free - 1];
                cell
            } else {
                let empty = self.geo.all.minus(core.sets[kind]);
                let targets = entry.on[side].iter().fold(empty, |set, on| set & self.entered(on, core));
                match targets.count() {
                    0 => break,
                    n => targets.nth(rng.below(n)),
                }
            };
            free -= 1;
            turns += 1;
            let bit = B::bit(cell);
            core.own[side] |= bit;
            core.sets[kind] |= bit;
            for test in &fill.tests[side] {
                let holds = match &test.when {
                    FillWhen::Line { count, exactly } => {
                        let words = lines[side].as_mut();
                        let mut made = false;
                        for (word, bit) in &fill.places[cell * fill.lines..(cell + 1) * fill.lines] {
                            let word = &mut words[*word as usize];
                            *word |= 1 << bit;
                            made |= in_row(*word, *count, *exactly);
                        }
                        made
                    }
                    FillWhen::Connects { number, from, to, dirs, beside } => {
                        let joined = &mut joined[side][*number];
                        ((beside[cell] & *joined) | (bit & *from)).any() && {
                            // each stone is connected but once
                            let more = self.geo.flood(bit, core.own[side].minus(*joined), dirs);
                            *joined |= more;
                            (more & *to).any()
                        }
                    }
                    FillWhen::Full => free == 0,
                };
                if holds {
                    core.over = Over::Yes { rule: test.rule, winner: test.winner };
                    break;
                }
            }
            side ^= 1;
        }
        core.side = side as u8;
        core.turn += turns;
        core.slots[self.layout.passes()] = 0;
        turns
    }
}

/// Whether so many bits (or just so many) stand in a row.
#[inline]
fn in_row(word: u32, count: usize, exactly: bool) -> bool {
    let (mut starts, mut n) = (word, 1);
    while n < count {
        let more = n.min(count - n);
        starts &= starts >> more;
        n += more;
    }
    match exactly {
        false => starts != 0,
        true => starts & !(starts & word >> count) & !(word << 1) != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::in_row;

    #[test]
    fn rows_in_words() {
        let check = |word: u32, count: usize, at_least: bool, exactly: bool| {
            assert_eq!(
                (in_row(word, count, false), in_row(word, count, true)),
                (at_least, exactly),
                "{word:#b} {count}"
            );
        };
        check(0b1_1111, 5, true, true);
        check(0b11_1111, 5, true, false);
        check(0b11_1111_0000_0001_1111, 5, true, true);
        check(0b1_1011, 5, false, false);
        check(0b1111 << 28, 4, true, true);
        check(0b0110, 2, true, true);
        check(0b1, 1, true, true);
    }
}
