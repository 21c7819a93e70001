//! Where a phrase is read: who looks, whose turn it is, and what is known of the pieces of the step.

use super::Possible;
use crate::ir::TypeId;
use crate::ir::expr::Role;
use crate::ir::piece::{Clause, Generator};
use crate::ir::turn::Verb;

/// The pieces of a step.
pub(super) const ROLES: [Role; 5] = [Role::This, Role::Here, Role::Origin, Role::Attacker, Role::Victim];

/// A piece that surely stands on the board: whose it may be, and of which kinds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub owners: u16,
    pub kinds: u128,
}

/// The pieces of a step that are known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Roles([Option<Piece>; ROLES.len()]);

impl Roles {
    pub fn get(&self, role: Role) -> Option<Piece> {
        self.0[role as usize]
    }

    fn with(mut self, role: Role, piece: Piece) -> Roles {
        self.0[role as usize] = Some(piece);
        self
    }
}

/// Who looks, whose turn it is, and whose line it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene {
    pub viewer: usize,
    pub mover: usize,
    pub roles: Roles,
    /// If `this` stands one step from `here`: the directions in which it may be seen from there.
    pub back: Option<u64>,
    /// It is the first turn of the game.
    pub first: bool,
}

impl Scene {
    /// Nothing is known of pieces.
    pub fn new(viewer: usize, mover: usize) -> Scene {
        Scene { viewer, mover, roles: Roles::default(), back: None, first: false }
    }

    /// The same where `here` is another cell.
    pub(super) fn elsewhere(mut self) -> Scene {
        self.roles.0[Role::Here as usize] = None;
        Scene { back: None, ..self }
    }
}

impl Possible<'_> {
    /// In a line of a piece, before the step.
    pub fn in_line(&self, scene: Scene, t: TypeId, clause: Option<&Clause>) -> Scene {
        // Others may borrow the line.
        let borrows = |c: &Clause| matches!(c.generator, Generator::Imitate { .. });
        let kinds = self.kinds_with(borrows) | self.mask(t);
        let this = Piece { owners: 1 << scene.viewer, kinds };
        let back = clause.and_then(|c| match &c.generator {
            Generator::Step { dirs, distance: 1 } => {
                let opposite = |d: &u8| self.game.board.dirs[*d as usize].opposite;
                Some(dirs[scene.viewer].iter().fold(0, |mask: u64, d| mask | 1 << opposite(d)))
            }
            _ => None,
        });
        Scene { roles: scene.roles.with(Role::This, this), back, ..scene }
    }

    /// After a step of the act, when its effects are done; `kinds`: by such a piece only.
    pub fn after_act(&self, scene: Scene, verb: &Verb, kinds: Option<&[u8]>) -> Scene {
        let lines = !matches!(verb, Verb::Rotate | Verb::Remove | Verb::Flip | Verb::Pass | Verb::Swap | Verb::Fill);
        if !lines || self.takes || self.flips || self.shifts {
            return scene;
        }
        self.spend(self.game.clauses.len() as u64);
        let makers = self.kinds_with(|c| self.clause_is(c, verb));
        let promoted = self.game.types.iter().enumerate().filter(|(t, _)| makers & self.mask(*t as TypeId) != 0);
        let promoted = promoted.flat_map(|(_, ty)| &ty.promotions).flat_map(|p| &p.to);
        let can = promoted.fold(makers, |mask, (k, _)| mask | 1 << k);
        let all = if self.becomes || self.rotates { u128::MAX } else { can };
        let only = kinds.map_or(u128::MAX, |kinds| kinds.iter().fold(0, |mask, k| mask | 1 << k));
        let piece = Piece { owners: 1 << scene.mover, kinds: all & only & self.present[scene.mover] };
        let neutral =
            self.game.types.iter().enumerate().any(|(t, ty)| ty.neutral && piece.kinds & self.mask(t as TypeId) != 0);
        if piece.kinds == 0 || neutral {
            return scene;
        }
        Scene { roles: scene.roles.with(Role::This, piece).with(Role::Here, piece), ..scene }
    }

    /// Before a capture of one piece by another; `kinds`: of such an attacker only.
    pub fn before_capture(&self, scene: Scene, kinds: Option<&[u8]>) -> Scene {
        if self.takes {
            return scene;
        }
        self.spend(self.game.clauses.len() as u64);
        let only = kinds.map_or(u128::MAX, |kinds| kinds.iter().fold(0, |mask, k| mask | 1 << k));
        let attackers = self.kinds_with(|c| self.captures_by(c)) & only & self.present[scene.viewer];
        let (mut owners, mut victims, mut drops) = (0, 0, false);
        for clause in &self.game.clauses {
            let taken = match &clause.generator {
                Generator::Hop { over, captures: true, .. } => vec![over, &clause.target],
                Generator::Imitate { .. } | Generator::Castle { .. } => Vec::new(),
                _ => vec![&clause.target],
            };
            for set in taken {
                let found = self.set(set, scene).occupied();
                drops |= matches!(clause.generator, Generator::Drop { .. }) && !self.nothing(&found);
                for (owner, kinds) in found.kinds.iter().enumerate().filter(|(_, kinds)| **kinds != 0) {
                    owners |= 1 << owner;
                    victims |= kinds;
                }
            }
        }
        let safe = self.game.types.iter().enumerate().filter(|(_, ty)| ty.uncapturable);
        victims &= !safe.fold(0, |mask, (t, _)| mask | self.mask(t as TypeId));
        if drops || attackers == 0 || victims == 0 {
            return scene;
        }
        let attacker = Piece { owners: 1 << scene.viewer, kinds: attackers };
        let victim = Piece { owners, kinds: victims };
        Scene { roles: scene.roles.with(Role::Attacker, attacker).with(Role::Victim, victim), ..scene }
    }

    /// The kinds of a type.
    pub(super) fn mask(&self, t: TypeId) -> u128 {
        self.game.kinds_of(t).fold(0, |mask, k| mask | 1 << k)
    }

    /// The kinds of the types that have such a line.
    fn kinds_with(&self, test: impl Fn(&Clause) -> bool) -> u128 {
        let types = self.game.types.iter().enumerate();
        let has = types.filter(|(_, ty)| ty.clauses.iter().any(|c| test(&self.game.clauses[*c as usize])));
        has.fold(0, |mask, (t, _)| mask | self.mask(t as TypeId))
    }
}
