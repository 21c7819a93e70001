//! Texts of moves and positions.

use super::piece::Candidate;
use super::state::{LastMoved, State};
use super::{Position, Twin};
use crate::ir::piece::Generator;
use crate::ir::{Cell, KindId, Seat, TypeId};
use std::collections::{BTreeMap, BTreeSet};
use std::iter::Peekable;
use std::str::Chars;

impl Twin {
    /// How a move or drop is written.
    pub(super) fn move_text(&self, cand: &Candidate, promoted: Option<KindId>) -> String {
        let here = self.game.cell_name(cand.here);
        let mut out = match (cand.drop, cand.origin) {
            (None, Some(origin)) => format!("{}{here}", self.game.cell_name(origin)),
            (Some(kind), _) if !self.game.one_drop_type() => {
                format!("{}@{here}", self.game.type_of(kind).letter)
            }
            _ => here.to_owned(),
        };
        if let Some(name) = cand.drop.and_then(|kind| self.orientation(kind)) {
            out.push_str(&format!(":{name}"));
        }
        if let Some(kind) = promoted {
            out.push_str(&format!("={}", self.game.type_of(kind).letter));
        }
        let label = self.label(cand);
        if !label.is_empty() {
            out.push_str(&format!(":{label}"));
        }
        out
    }

    fn orientation(&self, kind: KindId) -> Option<&str> {
        let o = self.game.kinds[kind as usize].orientation?;
        self.game.type_of(kind).orientations.get(o as usize).map(|o| o.name.as_str())
    }

    fn glyph(&self, t: TypeId, owner: Option<Seat>) -> String {
        let glyph = &self.game.types[t as usize].glyphs[owner.unwrap_or(0) as usize];
        if glyph.chars().count() == 1 { glyph.clone() } else { format!("{{{glyph}}}") }
    }

    /// The type and owner of a glyph.
    fn of_glyph(&self, glyph: &str) -> Result<(TypeId, Option<Seat>), String> {
        for (t, piece) in self.game.types.iter().enumerate() {
            if let Some(seat) = piece.glyphs.iter().position(|g| g == glyph) {
                return Ok((t as TypeId, if piece.neutral { None } else { Some(seat as Seat) }));
            }
        }
        Err(format!("no piece is written `{glyph}`"))
    }

    /// The ranks from the last to the first, each from file a.
    fn ranks(&self) -> Vec<Vec<Cell>> {
        let mut ranks: BTreeMap<u16, Vec<Cell>> = BTreeMap::new();
        for (c, info) in self.game.board.cells.iter().enumerate() {
            ranks.entry(info.rank).or_default().push(c as Cell);
        }
        let mut out: Vec<Vec<Cell>> = ranks.into_values().rev().collect();
        for rank in &mut out {
            rank.sort_by_key(|c| self.game.board.cells[*c as usize].file);
        }
        out
    }

    /// The cell just beyond another, seen by a player.
    fn beyond(&self, c: Cell, seat: Seat) -> Option<Cell> {
        let board = &self.game.board;
        let turned = &board.turned[seat as usize];
        let seen = turned.iter().position(|x| *x == c)?;
        let (file, rank) = (board.cells[seen].file, board.cells[seen].rank + 1);
        let next = board.cells.iter().position(|x| x.file == file && x.rank == rank)?;
        turned.get(next).copied()
    }

    fn castles(&self) -> bool {
        self.game.clauses.iter().any(|c| matches!(c.generator, Generator::Castle { .. }))
    }

    fn names(&self, cells: impl IntoIterator<Item = Cell>) -> String {
        let names: Vec<&str> = cells.into_iter().map(|c| self.game.cell_name(c)).collect();
        if names.is_empty() { "-".to_owned() } else { names.join(",") }
    }

    /// The letters of the players for whom something is so.
    fn letters(&self, flags: &[bool]) -> String {
        let all: Vec<&str> =
            flags.iter().zip(&self.game.seats).filter(|(f, _)| **f).map(|(_, seat)| seat.letter.as_str()).collect();
        if all.is_empty() { "-".to_owned() } else { all.join(",") }
    }

    /// The player who moved before.
    pub(super) fn before(&self, seat: Seat) -> Seat {
        let seats = self.game.seats.len();
        ((seat as usize + seats - 1) % seats) as Seat
    }

    /// The text of a position.
    pub fn text(&self, position: &Position) -> String {
        let s = &position.state;
        let game = &self.game;
        let mut out = self.board_text(s);
        if !game.hand_types.is_empty() {
            out.push_str(&self.hands_text(s));
        }
        out.push_str(&format!(" {}", game.seats[s.seat as usize].letter));
        if self.castles() {
            out.push_str(&format!(" {}", self.castling_text(s)));
        }
        for (m, mark) in game.marks.iter().enumerate() {
            if mark.only_targets {
                out.push_str(&format!(" {}", self.mark_text(s, m, true)));
            }
        }
        for quiet in &s.quiets {
            out.push_str(&format!(" {quiet}"));
        }
        out.push_str(&format!(" {}", (s.turn.max(1) - 1) / game.seats.len() as i32 + 1));
        for (n, counter) in game.counters.iter().enumerate() {
            if s.counters[n].iter().any(|v| *v != counter.start) {
                let values: Vec<String> = s.counters[n].iter().map(i32::to_string).collect();
                out.push_str(&format!(" {}={}", counter.name, values.join(",")));
            }
        }
        for (n, latch) in game.latches.iter().enumerate() {
            if s.latches[n].contains(&true) {
                out.push_str(&format!(" {}={}", latch.name, self.letters(&s.latches[n])));
            }
        }
        for (n, name) in game.once.iter().enumerate() {
            if s.once[n].contains(&true) {
                out.push_str(&format!(" used-{name}={}", self.letters(&s.once[n])));
            }
        }
        if game.reads_last_moved && s.last.iter().any(Option::is_some) {
            let all: Vec<String> = s.last.iter().map(|l| self.last_text(l.as_ref())).collect();
            out.push_str(&format!(" last={}", all.join(",")));
        }
        for (m, mark) in game.marks.iter().enumerate() {
            if !mark.only_targets && !s.marks[m].cells.is_empty() {
                out.push_str(&format!(" {}={}", mark.name, self.mark_text(s, m, false)));
            }
        }
        if self.reads_unmoved {
            let unmoved = self.unmoved(s);
            let mut told = s.clone();
            self.guess_unmoved(&mut told);
            if self.castles() {
                self.castle_only(&mut told, &self.castling_text(s)).unwrap_or_default();
            }
            if self.unmoved(&told) != unmoved {
                out.push_str(&format!(" unmoved={}", self.names(unmoved)));
            }
        }
        if s.passes > 0 {
            out.push_str(&format!(" passes={}", s.passes));
        }
        if s.swapped {
            out.push_str(" swapped=yes");
        }
        let fill = self.game.setup.fill.as_ref();
        let bare = fill.is_some_and(|f| f.cells.iter().flatten().all(|c| s.at(*c).is_none()));
        if s.filled > 0 && (s.turn == 0 || bare) {
            out.push_str(&format!(" fill={}", s.filled));
        }
        if !position.begun.is_empty() {
            out.push_str(&format!(" moves {}", position.begun));
        }
        out
    }

    fn board_text(&self, s: &State) -> String {
        let mut ranks = Vec::new();
        for rank in self.ranks() {
            let mut line = String::new();
            let mut empty = 0;
            for c in rank {
                let Some(piece) = s.at(c) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    line.push_str(&empty.to_string());
                    empty = 0;
                }
                let kind = &self.game.kinds[piece.kind as usize];
                line.push_str(&self.glyph(kind.piece, piece.owner));
                if kind.original != kind.piece {
                    line.push('~');
                }
                if let Some(name) = self.orientation(piece.kind) {
                    line.push_str(&format!("({name})"));
                }
            }
            if empty > 0 {
                line.push_str(&empty.to_string());
            }
            ranks.push(line);
        }
        ranks.join("/")
    }

    fn hands_text(&self, s: &State) -> String {
        let mut out = String::from("[");
        let unowned = self.game.hand_types.iter().any(|t| self.game.types[*t as usize].neutral);
        for (seat, hand) in s.hands.iter().enumerate() {
            if unowned && seat > 0 {
                out.push(',');
            }
            for (t, n) in hand {
                if *n > 1 {
                    out.push_str(&n.to_string());
                }
                out.push_str(&self.glyph(*t, Some(seat as Seat)));
            }
        }
        out.push(']');
        out
    }

    fn castling_text(&self, s: &State) -> String {
        let all = self.castlings(s);
        let mut out = String::new();
        for seat in 0..self.game.seats.len() as Seat {
            for (last_file, letter) in [(true, 'K'), (false, 'Q')] {
                if all.iter().any(|(o, _, _, l)| *o == seat && *l == last_file) {
                    out.push(if seat == 0 { letter } else { letter.to_ascii_lowercase() });
                }
            }
        }
        if out.is_empty() { "-".to_owned() } else { out }
    }

    /// The cells of a mark, with the turns for which they are read after this one; its marker's cell where it is not just beyond, or always.
    fn mark_text(&self, s: &State, m: usize, only_elsewhere: bool) -> String {
        let mark = &s.marks[m];
        let Some((&last, _)) = mark.cells.last_key_value() else {
            return "-".to_owned();
        };
        let names = mark.cells.iter().map(|(c, set)| {
            let more = self.game.marks[m].turns.map_or(0, |turns| set + i32::from(turns) - s.turn);
            let name = self.game.cell_name(*c);
            if more > 0 { format!("{name}+{more}") } else { name.to_owned() }
        });
        let mut out = names.collect::<Vec<_>>().join(",");
        let stands = mark.marker.and_then(|id| s.find(id));
        let expected = if only_elsewhere { self.just_beyond(s, last) } else { None };
        if stands != expected {
            out.push(':');
            out.push_str(stands.map_or("-", |c| self.game.cell_name(c)));
        }
        out
    }

    /// The cell with a piece just beyond a marked cell, seen from the player who moved before.
    fn just_beyond(&self, s: &State, c: Cell) -> Option<Cell> {
        self.beyond(c, self.before(s.seat)).filter(|x| s.at(*x).is_some())
    }

    fn last_text(&self, last: Option<&LastMoved>) -> String {
        let Some(last) = last else {
            return "-".to_owned();
        };
        let letter = |t: &TypeId| self.game.types[*t as usize].letter.clone();
        let types: Vec<String> = last.moved_as.iter().map(letter).collect();
        if last.moved_as.iter().eq([&last.piece]) {
            types.join("+")
        } else {
            format!("{}:{}", letter(&last.piece), types.join("+"))
        }
    }

    fn unmoved(&self, s: &State) -> BTreeSet<Cell> {
        (0..s.board.len() as Cell).filter(|c| s.at(*c).is_some_and(|p| p.unmoved)).collect()
    }

    /// Counts pieces of the start position's kind on their start cells as unmoved.
    fn guess_unmoved(&self, s: &mut State) {
        for (c, piece) in s.board.iter_mut().enumerate() {
            if let Some(p) = piece {
                p.unmoved =
                    self.tracked.contains(&p.kind) && self.game.setup.places.contains(&(p.owner, p.kind, c as Cell));
            }
        }
    }

    /// Lets of the castling pieces and their partners only those be unmoved that a castling field names.
    fn castle_only(&self, s: &mut State, field: &str) -> Result<(), String> {
        let guessed = self.unmoved(s);
        let mut every = s.clone();
        for piece in every.board.iter_mut().flatten() {
            piece.unmoved = self.tracked.contains(&piece.kind);
        }
        let possible = self.castlings(&every);
        for (_, king, rook, _) in &possible {
            for c in [king, rook] {
                if let Some(p) = &mut s.board[*c as usize] {
                    p.unmoved = false;
                }
            }
        }
        if field == "-" {
            return Ok(());
        }
        for letter in field.chars() {
            let last_file = match letter.to_ascii_uppercase() {
                'K' => true,
                'Q' => false,
                _ => return Err(format!("`{letter}` is no castling")),
            };
            let mine = |seat: Seat| (seat == 0) == letter.is_ascii_uppercase();
            let mut fitting: Vec<(Cell, Cell)> = possible
                .iter()
                .filter(|(seat, _, _, l)| mine(*seat) && *l == last_file)
                .map(|(_, king, rook, _)| (*king, *rook))
                .collect();
            // Pieces on their start cells first, then the outermost partner.
            fitting.sort_by_key(|(king, rook)| {
                let distance =
                    self.game.board.cells[*rook as usize].file.abs_diff(self.game.board.cells[*king as usize].file);
                (!guessed.contains(king), !guessed.contains(rook), std::cmp::Reverse(distance))
            });
            let Some((king, rook)) = fitting.first() else {
                return Err(format!("no pieces stand ready for the castling `{letter}`"));
            };
            for c in [king, rook] {
                if let Some(p) = &mut s.board[*c as usize] {
                    p.unmoved = true;
                }
            }
        }
        Ok(())
    }

    fn cell(&self, name: &str) -> Result<Cell, String> {
        self.game.board.cell(name).ok_or_else(|| format!("there is no cell `{name}`"))
    }

    fn cells(&self, list: &str) -> Result<Vec<Cell>, String> {
        if list == "-" { Ok(Vec::new()) } else { list.split(',').map(|c| self.cell(c)).collect() }
    }

    fn seat(&self, letter: &str) -> Result<Seat, String> {
        let found = self.game.seats.iter().position(|s| s.letter == letter);
        found.map(|s| s as Seat).ok_or_else(|| format!("no player is written `{letter}`"))
    }

    /// Reads a position.
    pub fn parse(&self, text: &str) -> Result<Position, String> {
        let game = &self.game;
        let (text, begun) = match text.split_once(" moves ") {
            Some((text, begun)) => (text, begun.trim()),
            None => (text, ""),
        };
        let mut words = text.split_whitespace();
        let board = words.next().ok_or("a position begins with its board")?;
        let mut s = self.blank();
        let (board, hands) = match board.split_once('[') {
            Some((board, hands)) => (board, Some(hands.strip_suffix(']').ok_or("a `]` is missing")?)),
            None => (board, None),
        };
        self.parse_board(&mut s, board)?;
        match hands {
            Some(hands) => self.parse_hands(&mut s, hands)?,
            None => self.deal(&mut s),
        }
        s.settle();
        self.guess_unmoved(&mut s);
        s.seat = self.seat(words.next().ok_or("the player to move is missing")?)?;
        let (named, fields): (Vec<&str>, Vec<&str>) = words.partition(|w| w.contains('='));
        let mut fields = fields.into_iter();
        let castling = if self.castles() { fields.next() } else { None };
        let mut marks: Vec<(usize, &str)> = Vec::new();
        for (m, mark) in game.marks.iter().enumerate() {
            if mark.only_targets {
                marks.extend(fields.next().map(|f| (m, f)));
            }
        }
        for n in 0..s.quiets.len() {
            if let Some(f) = fields.next() {
                s.quiets[n] = f.parse().map_err(|_| format!("`{f}` is no number of quiet turns"))?;
            }
        }
        let round: i32 = match fields.next() {
            Some(f) => f.parse().map_err(|_| format!("`{f}` is no round"))?,
            None => 1,
        };
        if let Some(f) = fields.next() {
            return Err(format!("`{f}` is one field too many"));
        }
        s.turn = (round.max(1) - 1).saturating_mul(game.seats.len() as i32).saturating_add(i32::from(s.seat) + 1);
        let fill = game.setup.fill.as_ref();
        if let Some(fill) = fill {
            let empty = fill.cells.iter().flatten().all(|c| s.at(*c).is_none());
            s.filled = if empty { 0 } else { fill.cells.iter().map(Vec::len).sum() };
        }
        if let Some(field) = castling {
            self.castle_only(&mut s, field)?;
        }
        for word in named {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            self.parse_named(&mut s, name, value, &mut marks)?;
        }
        for (m, field) in marks {
            self.parse_mark(&mut s, m, field)?;
        }
        if fill.is_some() && self.to_fill(s.filled).is_some() {
            s.turn = 0;
        } else {
            self.forget_unmoved(&mut s);
            self.forget_marks(&mut s);
            self.count(&mut s);
        }
        let position = Position { state: s, result: None, begun: begun.to_owned(), set_up: true };
        if !begun.is_empty() && self.remaining(&position).is_empty() {
            return Err(format!("no legal turn begins with `{begun}`"));
        }
        Ok(position)
    }

    fn parse_named<'a>(
        &self,
        s: &mut State,
        name: &str,
        value: &'a str,
        marks: &mut Vec<(usize, &'a str)>,
    ) -> Result<(), String> {
        let game = &self.game;
        if let Some(n) = game.counters.iter().position(|c| c.name == name) {
            let values: Vec<i32> = value
                .split(',')
                .map(|v| v.parse().map_err(|_| format!("`{v}` is no number")))
                .collect::<Result<_, String>>()?;
            if values.len() != s.counters[n].len() {
                return Err(format!("`{name}` has {} values", s.counters[n].len()));
            }
            s.counters[n] = values;
        } else if let Some(n) = game.latches.iter().position(|l| l.name == name) {
            self.parse_flags(&mut s.latches[n], value)?;
        } else if let Some(n) = name.strip_prefix("used-").and_then(|o| game.once.iter().position(|x| x == o)) {
            self.parse_flags(&mut s.once[n], value)?;
        } else if name == "last" {
            let all: Vec<&str> = value.split(',').collect();
            if all.len() != s.last.len() {
                return Err("`last` has one entry for each player".to_owned());
            }
            for (n, entry) in all.into_iter().enumerate() {
                s.last[n] = self.parse_last(entry)?;
            }
        } else if let Some(m) = game.marks.iter().position(|m| !m.only_targets && m.name == name) {
            marks.push((m, value));
        } else {
            match name {
                "unmoved" => {
                    let cells = self.cells(value)?;
                    for (c, piece) in s.board.iter_mut().enumerate() {
                        if let Some(p) = piece {
                            p.unmoved = self.tracked.contains(&p.kind) && cells.contains(&(c as Cell));
                        }
                    }
                }
                "passes" => s.passes = value.parse().map_err(|_| format!("`{value}` is no number"))?,
                "swapped" => s.swapped = value == "yes",
                "fill" => s.filled = value.parse().map_err(|_| format!("`{value}` is no number"))?,
                _ => return Err(format!("there is no field `{name}`")),
            }
        }
        Ok(())
    }

    fn parse_flags(&self, flags: &mut [bool], value: &str) -> Result<(), String> {
        if value != "-" {
            for letter in value.split(',') {
                flags[self.seat(letter)? as usize] = true;
            }
        }
        Ok(())
    }

    fn parse_last(&self, entry: &str) -> Result<Option<LastMoved>, String> {
        if entry == "-" {
            return Ok(None);
        }
        let letter = |l: &str| {
            let found = self.game.types.iter().position(|t| t.letter == l);
            found.map(|t| t as TypeId).ok_or_else(|| format!("no piece is written `{l}`"))
        };
        let (piece, types) = match entry.split_once(':') {
            Some((piece, types)) => (Some(letter(piece)?), types),
            None => (None, entry),
        };
        let moved_as: BTreeSet<TypeId> = types.split('+').map(letter).collect::<Result<_, String>>()?;
        let piece = piece.or_else(|| moved_as.first().copied());
        Ok(piece.and_then(|piece| self.learnt(piece, moved_as)))
    }

    fn parse_mark(&self, s: &mut State, m: usize, field: &str) -> Result<(), String> {
        if field == "-" {
            return Ok(());
        }
        let (cells, marker) = match field.split_once(':') {
            Some((cells, marker)) => (cells, Some(marker)),
            None => (field, None),
        };
        for name in cells.split(',') {
            let (name, more) = name.split_once('+').unwrap_or((name, "0"));
            let more: i32 = more.parse().map_err(|_| format!("`{more}` is no number of turns"))?;
            let set = self.game.marks[m].turns.map_or(0, |turns| s.turn - i32::from(turns) + more);
            s.marks[m].cells.insert(self.cell(name)?, set);
        }
        let stands = match marker {
            Some("-") => None,
            Some(name) => Some(self.cell(name)?),
            None if self.game.marks[m].only_targets => {
                s.marks[m].cells.last_key_value().and_then(|(c, _)| self.just_beyond(s, *c))
            }
            None => None,
        };
        s.marks[m].marker = stands.and_then(|c| s.at(c)).map(|p| p.id);
        Ok(())
    }

    fn parse_board(&self, s: &mut State, text: &str) -> Result<(), String> {
        let ranks = self.ranks();
        let lines = split_ranks(text);
        if lines.len() != ranks.len() {
            return Err(format!("the board has {} ranks, not {}", ranks.len(), lines.len()));
        }
        for (rank, line) in ranks.iter().zip(lines) {
            let mut cells = rank.iter();
            let mut chars = line.chars().peekable();
            while let Some(&c) = chars.peek() {
                if c.is_ascii_digit() {
                    for _ in 0..number(&mut chars)? {
                        cells.next().ok_or_else(|| format!("`{line}` is too long for its rank"))?;
                    }
                    continue;
                }
                let (t, owner) = self.of_glyph(&glyph(&mut chars)?)?;
                let promoted = chars.next_if_eq(&'~').is_some();
                let mut name = None;
                if chars.next_if_eq(&'(').is_some() {
                    name = Some(until(&mut chars, ')')?);
                }
                let kind = (0..self.game.kinds.len() as KindId).find(|k| {
                    let kind = &self.game.kinds[*k as usize];
                    let turned = name.is_none() || self.orientation(*k) == name.as_deref();
                    kind.piece == t && (kind.original != t) == promoted && turned
                });
                let kind = kind.ok_or_else(|| format!("no such piece in `{line}`"))?;
                let cell = cells.next().ok_or_else(|| format!("`{line}` is too long for its rank"))?;
                s.put(*cell, kind, owner, false);
            }
            if cells.next().is_some() {
                return Err(format!("`{line}` is too short for its rank"));
            }
        }
        Ok(())
    }

    fn parse_hands(&self, s: &mut State, text: &str) -> Result<(), String> {
        let mut chars = text.chars().peekable();
        let mut holder: Seat = 0;
        while let Some(&c) = chars.peek() {
            if c == ',' {
                chars.next();
                holder += 1;
                continue;
            }
            let n = if c.is_ascii_digit() { number(&mut chars)? } else { 1 };
            let (t, owner) = self.of_glyph(&glyph(&mut chars)?)?;
            let seat = owner.unwrap_or(holder);
            if usize::from(seat) >= self.game.seats.len() {
                return Err("more hands than players".to_owned());
            }
            if !self.game.hand_types.contains(&t) {
                return Err("a piece in hand that no hand can have".to_owned());
            }
            let held = s.held(seat, t);
            s.hold(seat, t, held.saturating_add(n));
        }
        Ok(())
    }
}

/// The ranks of a board; a `/` in brackets belongs to a piece.
fn split_ranks(text: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            _ => {}
        }
        if c == '/' && depth == 0 {
            out.push(String::new());
        } else if let Some(line) = out.last_mut() {
            line.push(c);
        }
    }
    out
}

fn number(chars: &mut Peekable<Chars>) -> Result<u32, String> {
    let mut digits = String::new();
    while let Some(c) = chars.next_if(char::is_ascii_digit) {
        digits.push(c);
    }
    digits.parse().map_err(|_| format!("`{digits}` is no number"))
}

fn glyph(chars: &mut Peekable<Chars>) -> Result<String, String> {
    match chars.next() {
        Some('{') => until(chars, '}'),
        Some(c) => Ok(c.to_string()),
        None => Err("a piece is missing".to_owned()),
    }
}

fn until(chars: &mut Peekable<Chars>, end: char) -> Result<String, String> {
    let mut out = String::new();
    for c in chars.by_ref() {
        if c == end {
            return Ok(out);
        }
        out.push(c);
    }
    Err(format!("a `{end}` is missing"))
}
