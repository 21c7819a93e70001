//! Bushi-shogi on two dice, with every option as it is set at first.

use super::{Outcome, Rules};
use std::sync::LazyLock;

/// Names of the faces; opposite ones are 1 and 6, 2 and 4, 3 and 5.
const NAMES: [&str; 7] = ["", "top", "front", "right", "back", "left", "bottom"];
/// The face opposite to each.
const OPPOSITE: [u8; 7] = [0, 6, 4, 5, 2, 3, 1];
/// The face toward which the samurai of each face stands.
const SAMURAI: [u8; 7] = [0, 4, 5, 6, 1, 1, 4];
/// The faces toward which the swords of each face point.
const SWORDS: [&[u8]; 7] = [&[], &[2, 3, 5], &[3], &[4], &[6], &[2], &[5]];

/// How a die lies: the faces that are on top, at the front and on the right, as its owner sees it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Die {
    top: u8,
    front: u8,
    right: u8,
}

impl Die {
    fn spin(self) -> Die {
        Die { top: self.top, front: OPPOSITE[usize::from(self.right)], right: self.front }
    }

    fn tip_forward(self) -> Die {
        Die { top: OPPOSITE[usize::from(self.front)], front: self.top, right: self.right }
    }

    fn tip_left(self) -> Die {
        Die { top: self.right, front: self.front, right: OPPOSITE[usize::from(self.top)] }
    }

    fn tip_right(self) -> Die {
        Die { top: OPPOSITE[usize::from(self.right)], front: self.front, right: self.top }
    }

    /// Whether a sword points at the opponent.
    fn is_armed(self) -> bool {
        SWORDS[usize::from(self.top)].contains(&self.front)
    }

    /// Whether a sword points at the opponent and the samurai stands behind it.
    fn is_drawn(self) -> bool {
        self.is_armed() && SAMURAI[usize::from(self.top)] == OPPOSITE[usize::from(self.front)]
    }
}

/// The ways in which a die may be placed: no sword points at the opponent.
static PLACINGS: LazyLock<Vec<Die>> = LazyLock::new(|| {
    let mut dice = vec![Die { top: 1, front: 2, right: 3 }];
    let mut i = 0;
    while i < dice.len() {
        for turned in [dice[i].spin(), dice[i].tip_left()] {
            if !dice.contains(&turned) {
                dice.push(turned);
            }
        }
        i += 1;
    }
    dice.retain(|d| !d.is_armed());
    dice
});

/// A turn.
#[derive(Clone, Copy)]
pub enum Step {
    /// The die is placed.
    Drop(Die),
    /// It is turned clockwise.
    Spin,
    /// It rolls away from its owner.
    Forward,
    /// It rolls to the left.
    Left,
    /// It rolls to the right.
    Right,
}

/// One moment of a game.
#[derive(Clone, Copy)]
pub struct Bushi {
    dice: [Option<Die>; 2],
    side: u8,
    turns: u32,
}

impl Rules for Bushi {
    type Step = Step;

    fn start() -> Bushi {
        Bushi { dice: [None; 2], side: 0, turns: 0 }
    }

    fn list(&self, steps: &mut Vec<Step>) {
        let Some(mine) = self.dice[usize::from(self.side)] else {
            steps.extend(PLACINGS.iter().map(|d| Step::Drop(*d)));
            return;
        };
        if !self.dice[usize::from(1 - self.side)].is_some_and(Die::is_armed) {
            steps.extend([Step::Spin, Step::Forward, Step::Left, Step::Right]);
        } else if !mine.is_armed() {
            steps.push(Step::Spin);
        } else {
            // away from the samurai
            let samurai = SAMURAI[usize::from(mine.top)];
            steps.push(match samurai {
                _ if samurai == mine.right => Step::Left,
                _ if samurai == OPPOSITE[usize::from(mine.right)] => Step::Right,
                _ => Step::Forward,
            });
        }
    }

    fn after(&self, step: Step) -> Option<Bushi> {
        let mut after = *self;
        let die = &mut after.dice[usize::from(self.side)];
        *die = match step {
            Step::Drop(placed) => Some(placed),
            Step::Spin => die.map(Die::spin),
            Step::Forward => die.map(Die::tip_forward),
            Step::Left => die.map(Die::tip_left),
            Step::Right => die.map(Die::tip_right),
        };
        after.side = 1 - self.side;
        after.turns += 1;
        Some(after)
    }

    fn reversible(&self) -> usize {
        self.turns as usize
    }

    fn key(&self) -> u64 {
        let die = |die: Option<Die>| die.map_or([0; 2], |d| [d.top, d.front]);
        let ([a, b], [c, d]) = (die(self.dice[0]), die(self.dice[1]));
        u64::from(u32::from_le_bytes([a, b, c, d])) << 1 | u64::from(self.side)
    }

    fn outcome(&self, occurred: usize) -> Option<Outcome> {
        if self.dice.iter().all(|d| d.is_some_and(Die::is_drawn)) {
            return Some(Outcome::Won(1 - self.side));
        }
        (occurred >= 3).then_some(Outcome::Drawn)
    }

    fn stuck(&self) -> Outcome {
        unreachable!("some turn is always possible")
    }

    fn text(&self, step: Step) -> String {
        match step {
            Step::Drop(die) => {
                let cell = if self.side == 0 { "a1" } else { "a2" };
                format!("{cell}:{}/{}", NAMES[usize::from(die.top)], NAMES[usize::from(die.front)])
            }
            Step::Spin => "spin".into(),
            Step::Forward => "forward".into(),
            Step::Left => "left".into(),
            Step::Right => "right".into(),
        }
    }
}
