//! Monteagudo chess on a mailbox board, without variants and with every option as it is set at first.

use super::mailbox::{self, Board, CELLS, DIRECTIONS, EMPTY, KNIGHT as LEAPS, WALL, cell, first, forward, name, next};
use super::{Outcome, Rules};

const PAWN: u8 = 1;
const KNIGHT: u8 = 2;
const BISHOP: u8 = 3;
const ROOK: u8 = 4;
const QUEEN: u8 = 5;
const KING: u8 = 6;
const HERO: u8 = 7;
const JESTER: u8 = 8;
const AVENGER: u8 = 9;
const EXECUTIONER: u8 = 10;
/// Letters by kind.
const LETTERS: &str = " PNBRQKHJAX";
/// Set in the pieces of the second player; the rest is the kind.
const SECOND: u8 = 16;

/// A set of kinds as which a piece moves, one bit each.
type Kinds = u16;

/// The set of one kind.
const fn only(kind: u8) -> Kinds {
    1 << kind
}
/// Kinds that leap as knights, and that go far straight and aslant.
const LEAPERS: Kinds = only(KNIGHT) | only(HERO);
const STRAIGHT: Kinds = only(ROOK) | only(QUEEN) | only(HERO);
const SLANTED: Kinds = only(BISHOP) | only(QUEEN) | only(HERO);

/// A turn; cells are those of the mailbox.
#[derive(Clone, Copy)]
pub enum Step {
    /// A piece moves; `becomes` is its kind afterwards.
    Move { from: usize, to: usize, becomes: u8 },
    /// A pawn takes one that has just passed.
    EnPassant { from: usize, to: usize },
    /// A king and a rook move.
    Castle { king: usize, rook: usize },
    /// A piece enters from the hand.
    Drop { kind: u8, to: usize },
}

/// What a player has besides the pieces on the board.
#[derive(Clone, Copy)]
struct Player {
    king: usize,
    /// Which of jester, avenger and executioner are in hand.
    hand: [bool; 3],
    /// The kind of the piece moved last, 0 for none, and as what it moved.
    last: u8,
    last_as: Kinds,
    bereaved: bool,
    checked: bool,
    used_hero: bool,
    /// Whether king and rook have not moved, on the side of the queen and of the king.
    castles: [bool; 2],
}

/// One moment of a game.
#[derive(Clone, Copy)]
pub struct Monteagudo {
    board: Board,
    side: u8,
    players: [Player; 2],
    /// The cell that a pawn just passed, if one can be taken there; 0 for none.
    passed: usize,
    quiet: u8,
}

fn piece(kind: u8, owner: u8) -> u8 {
    kind + owner * SECOND
}

fn owner(piece: u8) -> u8 {
    u8::from(piece & SECOND != 0)
}

fn kind(piece: u8) -> u8 {
    piece & !SECOND
}

impl Monteagudo {
    fn player(&self, player: u8) -> &Player {
        &self.players[usize::from(player)]
    }

    fn is_piece_of(&self, cell: usize, player: u8) -> bool {
        let piece = self.board[cell];
        piece != EMPTY && piece != WALL && owner(piece) == player
    }

    /// As what a piece moves, given what the avengers of both players have learned.
    fn kinds(&self, piece: u8, lessons: [Kinds; 2]) -> Kinds {
        match kind(piece) {
            JESTER => match self.player(1 - owner(piece)) {
                Player { last: AVENGER | EXECUTIONER, .. } => 0,
                opponent => opponent.last_as,
            },
            AVENGER => lessons[usize::from(owner(piece))],
            EXECUTIONER => 0,
            kind => only(kind),
        }
    }

    /// As what the avengers of both players move: what bears on one, and what that has learned in turn.
    fn lessons(&self) -> [Kinds; 2] {
        let at = [0, 1].map(|p| {
            let played = !self.player(p).hand[1];
            if played { CELLS.into_iter().find(|c| self.board[*c] == piece(AVENGER, p)) } else { None }
        });
        let mut lessons = [0; 2];
        loop {
            let learned = at.map(|at| at.map_or(0, |c| self.bearing(c, [true; 2], lessons)));
            if learned == lessons {
                return lessons;
            }
            lessons = learned;
        }
    }

    /// The kinds of those pieces of some players that could capture on a cell.
    fn bearing(&self, target: usize, by: [bool; 2], lessons: [Kinds; 2]) -> Kinds {
        let mut found = 0;
        for (i, direction) in DIRECTIONS.into_iter().enumerate() {
            let from = first(&self.board, target, direction);
            let piece = self.board[from];
            if piece == WALL || !by[usize::from(owner(piece))] {
                continue;
            }
            let mut bear = if i % 2 == 0 { STRAIGHT } else { SLANTED };
            if from == next(target, direction) {
                bear |= only(KING);
                let ahead = next(from, forward(owner(piece)));
                if target == ahead - 1 || target == ahead + 1 {
                    bear |= only(PAWN);
                }
            }
            let kinds = self.kinds(piece, lessons);
            if kinds & bear != 0 {
                found |= kinds;
            }
        }
        for step in LEAPS {
            let piece = self.board[next(target, step)];
            if piece != EMPTY && piece != WALL && by[usize::from(owner(piece))] {
                let kinds = self.kinds(piece, lessons);
                if kinds & LEAPERS != 0 {
                    found |= kinds;
                }
            }
        }
        found
    }

    fn is_in_check(&self, player: u8) -> bool {
        let by = [player == 1, player == 0];
        self.bearing(self.player(player).king, by, self.lessons()) != 0
    }

    /// Calls `f` with the cells to which the piece on a cell can move as one of the kinds, each once.
    fn each_target(&self, from: usize, kinds: Kinds, mut f: impl FnMut(usize)) {
        let mover = owner(self.board[from]);
        let takes = |to: usize| self.is_piece_of(to, 1 - mover);
        let ahead = next(from, forward(mover));
        for (i, direction) in DIRECTIONS.into_iter().enumerate() {
            let far = kinds & (if i % 2 == 0 { STRAIGHT } else { SLANTED }) != 0;
            let mut to = next(from, direction);
            let as_pawn = kinds & only(PAWN) != 0
                && (to == ahead && self.board[to] == EMPTY || (to == ahead - 1 || to == ahead + 1) && takes(to));
            if !far && !as_pawn && kinds & only(KING) == 0 {
                continue;
            }
            while self.board[to] == EMPTY {
                f(to);
                if !far {
                    break;
                }
                to = next(to, direction);
            }
            if takes(to) && (far || to == next(from, direction)) {
                f(to);
            }
        }
        if kinds & LEAPERS != 0 {
            LEAPS.iter().map(|s| next(from, *s)).filter(|to| self.board[*to] == EMPTY || takes(*to)).for_each(f);
        }
    }

    fn list_pawn(&self, from: usize, steps: &mut Vec<Step>) {
        let side = self.side;
        self.each_target(from, only(PAWN), |to| {
            if mailbox::rank(to, side) < 7 {
                steps.push(Step::Move { from, to, becomes: PAWN });
                return;
            }
            let hero = (!self.player(side).used_hero).then_some(HERO);
            steps.extend([ROOK, BISHOP, KNIGHT].into_iter().chain(hero).map(|becomes| Step::Move {
                from,
                to,
                becomes,
            }));
        });
        let ahead = next(from, forward(side));
        let second = next(ahead, forward(side));
        if mailbox::rank(from, side) == 1 && self.board[ahead] == EMPTY && self.board[second] == EMPTY {
            steps.push(Step::Move { from, to: second, becomes: PAWN });
        }
        if self.passed != 0 && (self.passed == ahead - 1 || self.passed == ahead + 1) {
            steps.push(Step::EnPassant { from, to: self.passed });
        }
    }

    fn list_castlings(&self, steps: &mut Vec<Step>) {
        let player = self.player(self.side);
        let king = player.king;
        for (file, direction, can) in [(0, -1, player.castles[0]), (7, 1, player.castles[1])] {
            let rook = king / 10 * 10 + 1 + file;
            if can && first(&self.board, king, direction) == rook && self.king_may_walk(king, direction) {
                steps.push(Step::Castle { king, rook });
            }
        }
    }

    /// Whether the king is attacked neither where he stands nor on the next two cells; walking, he is the last piece
    /// moved.
    fn king_may_walk(&self, king: usize, direction: isize) -> bool {
        if self.is_in_check(self.side) {
            return false;
        }
        let mut walked = *self;
        walked.set_last(KING, only(KING));
        let mut at = king;
        (0..2).all(|_| {
            let to = next(at, direction);
            walked.put_king(at, to);
            at = to;
            !walked.is_in_check(self.side)
        })
    }

    fn put_king(&mut self, from: usize, to: usize) {
        self.board[to] = self.board[from];
        self.board[from] = EMPTY;
        self.players[usize::from(self.side)].king = to;
    }

    /// Notes what the player to move moved last.
    fn set_last(&mut self, kind: u8, kinds: Kinds) {
        let player = &mut self.players[usize::from(self.side)];
        (player.last, player.last_as) = (kind, kinds);
    }

    /// Takes what stands on a cell off the board.
    fn capture(&mut self, at: usize) {
        let victim = self.board[at];
        if victim != EMPTY {
            self.players[usize::from(owner(victim))].bereaved |= kind(victim) != PAWN;
            self.board[at] = EMPTY;
            self.quiet = 0;
        }
    }

    /// As what a piece can make a move; more than one kind for an avenger at most.
    fn moved_as(&self, from: usize, to: usize) -> Kinds {
        let piece = self.board[from];
        if kind(piece) != AVENGER {
            return self.kinds(piece, [0; 2]);
        }
        let kinds = self.kinds(piece, self.lessons());
        let makes = |as_one: &Kinds| {
            let mut found = false;
            self.each_target(from, *as_one, |target| found |= target == to);
            found
        };
        (PAWN..=HERO).map(only).filter(|one| one & kinds != 0).filter(makes).sum()
    }

    fn move_piece(&mut self, from: usize, to: usize, becomes: u8) {
        let moved = self.board[from];
        let moved_as = self.moved_as(from, to);
        self.capture(to);
        self.board[from] = EMPTY;
        self.board[to] = piece(becomes, self.side);
        self.set_last(kind(moved), moved_as);
        let player = &mut self.players[usize::from(self.side)];
        match kind(moved) {
            PAWN => {
                self.quiet = 0;
                player.used_hero |= becomes == HERO;
                if from.abs_diff(to) == 20 {
                    self.passed = (from + to) / 2;
                }
            }
            KING => {
                player.king = to;
                player.castles = [false; 2];
            }
            _ => {}
        }
    }

    /// Notes which rooks still stand where they began.
    fn update_castlings(&mut self) {
        for (player, rank) in [(0, 0), (1, 7)] {
            for (side, file) in [(0, 0), (1, 7)] {
                let stands = self.board[cell(file, rank)] == piece(ROOK, player);
                self.players[usize::from(player)].castles[side] &= stands;
            }
        }
    }

    /// Whether the player to move can take the pawn that has just passed.
    fn can_take_passed(&self) -> bool {
        let behind = next(self.passed, -forward(self.side));
        [behind - 1, behind + 1].into_iter().any(|from| {
            self.board[from] == piece(PAWN, self.side)
                && self.after(Step::EnPassant { from, to: self.passed }).is_some()
        })
    }

    /// Whether nothing but kings is left, on the board and in the hands.
    fn is_bare(&self) -> bool {
        self.players.iter().all(|p| p.hand == [false; 3])
            && CELLS.into_iter().all(|c| self.board[c] == EMPTY || kind(self.board[c]) == KING)
    }
}

impl Rules for Monteagudo {
    type Step = Step;

    fn start() -> Monteagudo {
        let mut board = mailbox::empty();
        for (file, kind) in [ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK].into_iter().enumerate() {
            for (rank, kind, player) in [(0, kind, 0), (1, PAWN, 0), (6, PAWN, 1), (7, kind, 1)] {
                board[cell(file, rank)] = piece(kind, player);
            }
        }
        let player = |king| Player {
            king,
            hand: [true; 3],
            last: 0,
            last_as: 0,
            bereaved: false,
            checked: false,
            used_hero: false,
            castles: [true; 2],
        };
        Monteagudo { board, side: 0, players: [player(cell(4, 0)), player(cell(4, 7))], passed: 0, quiet: 0 }
    }

    fn list(&self, steps: &mut Vec<Step>) {
        let side = self.side;
        let me = self.player(side);
        let mut lessons = None;
        for from in CELLS.into_iter().filter(|c| self.is_piece_of(*c, side)) {
            let kind = kind(self.board[from]);
            match kind {
                PAWN => self.list_pawn(from, steps),
                EXECUTIONER => {
                    let prey = |to: &usize| self.is_piece_of(*to, 1 - side) && *to != self.player(1 - side).king;
                    steps.extend(CELLS.into_iter().filter(prey).map(|to| Step::Move { from, to, becomes: kind }));
                }
                _ => {
                    let lessons = if kind == AVENGER { *lessons.get_or_insert_with(|| self.lessons()) } else { [0; 2] };
                    let kinds = self.kinds(self.board[from], lessons);
                    self.each_target(from, kinds, |to| steps.push(Step::Move { from, to, becomes: kind }));
                }
            }
        }
        self.list_castlings(steps);
        for (i, (kind, may, ranks)) in
            [(JESTER, true, 1), (AVENGER, me.bereaved, 2), (EXECUTIONER, me.checked, 8)].into_iter().enumerate()
        {
            if me.hand[i] && may {
                let free = |to: &usize| self.board[*to] == EMPTY && mailbox::rank(*to, side) < ranks;
                steps.extend(CELLS.into_iter().filter(free).map(|to| Step::Drop { kind, to }));
            }
        }
    }

    fn after(&self, step: Step) -> Option<Monteagudo> {
        let mut after = *self;
        after.passed = 0;
        after.quiet += 1;
        match step {
            Step::Move { from, to, becomes } => after.move_piece(from, to, becomes),
            Step::EnPassant { from, to } => {
                after.move_piece(from, to, PAWN);
                after.capture(next(to, -forward(self.side)));
            }
            Step::Castle { king, rook } => {
                let direction = if rook > king { 1 } else { -1 };
                after.move_piece(king, next(king, 2 * direction), KING);
                after.board[next(king, direction)] = after.board[rook];
                after.board[rook] = EMPTY;
            }
            Step::Drop { kind, to } => {
                after.board[to] = piece(kind, self.side);
                after.players[usize::from(self.side)].hand[usize::from(kind - JESTER)] = false;
                after.quiet = 0;
            }
        }
        if after.is_in_check(self.side) {
            return None;
        }
        after.update_castlings();
        after.side = 1 - self.side;
        if after.is_in_check(after.side) {
            after.players[usize::from(after.side)].checked = true;
        }
        if after.passed != 0 && !after.can_take_passed() {
            after.passed = 0;
        }
        Some(after)
    }

    fn reversible(&self) -> usize {
        usize::from(self.quiet)
    }

    fn key(&self) -> u64 {
        let word = |p: &Player| {
            let [jester, avenger, executioner] = p.hand;
            let [long, short] = p.castles;
            let flags = [jester, avenger, executioner, p.bereaved, p.checked, p.used_hero, long, short];
            let last = u64::from(p.last_as) << 8 | u64::from(p.last);
            flags.into_iter().fold(last, |word, flag| word << 1 | u64::from(flag))
        };
        let players = word(&self.players[0]) << 32 | word(&self.players[1]);
        super::hash(&self.board, players) ^ (self.passed as u64) << 1 ^ u64::from(self.side)
    }

    fn outcome(&self, occurred: usize) -> Option<Outcome> {
        if occurred < 3 && self.quiet < 100 && !self.is_bare() {
            return None;
        }
        let mut steps = Vec::new();
        self.list(&mut steps);
        let can_go_on = steps.into_iter().any(|s| self.after(s).is_some());
        Some(if can_go_on { Outcome::Drawn } else { self.stuck() })
    }

    fn stuck(&self) -> Outcome {
        if self.is_in_check(self.side) { Outcome::Won(1 - self.side) } else { Outcome::Drawn }
    }

    fn text(&self, step: Step) -> String {
        let letter = |kind| &LETTERS[usize::from(kind)..][..1];
        match step {
            Step::Move { from, to, becomes } => {
                let promoted = kind(self.board[from]) != becomes;
                let suffix = if promoted { format!("={}", letter(becomes)) } else { String::new() };
                name(from) + &name(to) + &suffix
            }
            Step::EnPassant { from, to } => name(from) + &name(to),
            Step::Castle { king, rook } => name(king) + &name(next(king, if rook > king { 2 } else { -2 })),
            Step::Drop { kind, to } => format!("{}@{}", letter(kind), name(to)),
        }
    }
}
