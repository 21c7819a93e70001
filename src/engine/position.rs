//! Positions as text, written and read. See `docs/language/notation.md`.

use super::bits::Bits;
use super::core::{Core, NEUTRAL};
use super::moment::Moment;
use super::program::cells;
use super::rules::Rules;
use super::{Arrangement, PositionError};
use crate::ir::{Game, KindId};
use std::fmt::Write;

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// The position as text; within a turn, that of its beginning and the steps done.
    pub fn position(&self, moment: &Moment<B, K, M>) -> String {
        match &moment.under_way {
            None => self.write_position(&moment.core),
            Some(under) => {
                format!("{} moves {}", self.write_position(&under.0), super::text::turn(&self.game, moment.done()))
            }
        }
    }

    fn write_position(&self, core: &Core<B, K, M>) -> String {
        let game = &self.game;
        let mut out = self.write_board(core);
        if !game.hand_types.is_empty() {
            out.push('[');
            let unowned = game.hand_types.iter().any(|t| game.types[*t as usize].neutral);
            for seat in 0..game.seats.len() {
                if unowned && seat > 0 {
                    out.push(',');
                }
                for t in &game.hand_types {
                    let held = self.layout.hand(seat as u8, *t).map_or(0, |slot| core.slots[slot]);
                    if held > 0 {
                        let number = if held > 1 { held.to_string() } else { String::new() };
                        let _ = write!(out, "{number}{}", braced(&game.types[*t as usize].glyphs[seat]));
                    }
                }
            }
            out.push(']');
        }
        let _ = write!(out, " {}", game.seats[core.side as usize].letter);
        if !self.castlers.is_empty() {
            let _ = write!(out, " {}", self.write_castling(core));
        }
        for mark in (0..game.marks.len()).filter(|m| game.marks[*m].only_targets) {
            let told = self.likely_marker(core, self.marked(core, mark));
            let _ = write!(out, " {}", self.write_mark(core, mark, told));
        }
        for quiet in 0..game.quiets.len() {
            let _ = write!(out, " {}", core.slots[self.layout.quiet(quiet)]);
        }
        let _ = write!(out, " {}", round(core.turn, game.seats.len()));
        self.write_fields(core, &mut out);
        out
    }

    fn write_board(&self, core: &Core<B, K, M>) -> String {
        let mut out = String::new();
        for (i, row) in rows(&self.game).into_iter().enumerate() {
            if i > 0 {
                out.push('/');
            }
            let mut empty = 0;
            for cell in row {
                match core.piece(cell as usize) {
                    None => empty += 1,
                    Some((owner, kind)) => {
                        if empty > 0 {
                            let _ = write!(out, "{empty}");
                            empty = 0;
                        }
                        out.push_str(&self.write_piece(owner, kind));
                    }
                }
            }
            if empty > 0 {
                let _ = write!(out, "{empty}");
            }
        }
        out
    }

    fn write_piece(&self, owner: u8, kind: KindId) -> String {
        let t = self.game.type_of(kind);
        let glyph = t.glyphs.get(owner as usize).or(t.glyphs.first()).map_or("?", String::as_str);
        let mut out = braced(glyph);
        let k = &self.game.kinds[kind as usize];
        if k.original != k.piece {
            out.push('~');
        }
        if let Some(orientation) = k.orientation {
            let _ = write!(out, "({})", t.orientations[orientation as usize].name);
        }
        out
    }

    /// The castlings that moved pieces still allow: king, rook, letter.
    fn castlings(&self, core: &Core<B, K, M>) -> Vec<(usize, usize, char)> {
        let mut list = Vec::new();
        for seat in 0..2u8 {
            let mut found = Vec::new();
            let own = core.own[seat as usize];
            for castler in &self.castlers {
                let rooks = self.kinds(core, &castler.partners) & own;
                for king in (core.sets[castler.kind as usize] & own).cells() {
                    for rook in (castler.beyond[seat as usize][king] & rooks).cells() {
                        let at = |c: usize| (self.game.board.cells[c].file, self.game.board.cells[c].rank);
                        let letter = if at(rook) > at(king) { 'k' } else { 'q' };
                        found.push((king, rook, if seat == 0 { letter.to_ascii_uppercase() } else { letter }));
                    }
                }
            }
            found.sort_by_key(|(_, _, letter)| letter.to_ascii_lowercase());
            list.extend(found);
        }
        list
    }

    fn write_castling(&self, core: &Core<B, K, M>) -> String {
        let mut out = String::new();
        for (king, rook, letter) in self.castlings(core) {
            if core.unmoved.has(king) && core.unmoved.has(rook) && !out.contains(letter) {
                out.push(letter);
            }
        }
        if out.is_empty() { "-".to_owned() } else { out }
    }

    fn marked(&self, core: &Core<B, K, M>, mark: usize) -> B {
        let (first, count) = self.layout.layers[mark];
        core.sets[first..first + count].iter().fold(B::EMPTY, |s, m| s | *m)
    }

    /// The cells of a mark, each with the turns for which it will be read after this one, if it lasts longer; and the piece that set it where that is not `told`.
    fn write_mark(&self, core: &Core<B, K, M>, mark: usize, told: Option<u16>) -> String {
        let (first, count) = self.layout.layers[mark];
        let name = |cell: usize| {
            let name = self.game.cell_name(cell as u16);
            match core.sets[first..first + count].iter().position(|layer| layer.has(cell)) {
                Some(age) if age + 1 < count => format!("{name}+{}", count - 1 - age),
                _ => name.to_owned(),
            }
        };
        let names: Vec<String> = self.marked(core, mark).cells().map(name).collect();
        if names.is_empty() {
            return "-".to_owned();
        }
        let mut out = names.join(",");
        let marker = u16::try_from(core.slots[self.layout.marker(mark)] - 1).ok();
        if marker != told {
            let _ = write!(out, ":{}", marker.map_or("-", |cell| self.game.cell_name(cell)));
        }
        out
    }

    /// The piece just beyond the last of the marked cells, seen from the player who has just moved.
    fn likely_marker(&self, core: &Core<B, K, M>, marked: B) -> Option<u16> {
        let mover = 1 - (core.side & 1);
        let board = &self.game.board;
        let rank = |c: usize| i32::from(board.cells[c].rank) * if mover == 0 { 1 } else { -1 };
        let last = marked.cells().last()?;
        let beside = (0..self.geo.dirs.len()).filter_map(|d| self.geo.walk(last, d as u8).next());
        let ahead = |n: &usize| rank(*n) > rank(last) && board.cells[*n].file == board.cells[last].file;
        beside.filter(|n| core.own[mover as usize].has(*n)).find(ahead).map(|n| n as u16)
    }

    fn write_fields(&self, core: &Core<B, K, M>, out: &mut String) {
        let game = &self.game;
        let seats = 0..game.seats.len() as u8;
        let who = |holds: &dyn Fn(u8) -> bool| {
            let list: Vec<&str> =
                seats.clone().filter(|s| holds(*s)).map(|s| game.seats[s as usize].letter.as_str()).collect();
            list.join(",")
        };
        for (i, counter) in game.counters.iter().enumerate() {
            let players = if counter.each { seats.clone() } else { 0..1 };
            let values: Vec<i32> = players.map(|s| core.slots[self.layout.counter(i, s)]).collect();
            if values.iter().any(|v| *v != counter.start) {
                let values: Vec<String> = values.iter().map(i32::to_string).collect();
                let _ = write!(out, " {}={}", counter.name, values.join(","));
            }
        }
        for (i, latch) in game.latches.iter().enumerate() {
            let set = who(&|s| core.slots[self.layout.latch(i, s)] != 0);
            if !set.is_empty() {
                let _ = write!(out, " {}={set}", latch.name);
            }
        }
        for (i, name) in game.once.iter().enumerate() {
            let used = who(&|s| core.slots[self.layout.once(i as u16, s)] != 0);
            if !used.is_empty() {
                let _ = write!(out, " used-{name}={used}");
            }
        }
        if game.reads_last_moved && seats.clone().any(|s| core.slots[self.layout.last_piece(s)] != 0) {
            let last: Vec<String> = seats.clone().map(|s| self.write_last(core, s)).collect();
            let _ = write!(out, " last={}", last.join(","));
        }
        for mark in (0..game.marks.len()).filter(|m| !game.marks[*m].only_targets) {
            if self.marked(core, mark).any() {
                let _ = write!(out, " {}={}", game.marks[mark].name, self.write_mark(core, mark, None));
            }
        }
        if (self.castlers.is_empty() || self.facts.reads_unmoved) && core.unmoved != self.told_unmoved(core) {
            let names: Vec<&str> = core.unmoved.cells().map(|c| game.cell_name(c as u16)).collect();
            let _ = write!(out, " unmoved={}", if names.is_empty() { "-".to_owned() } else { names.join(",") });
        }
        if core.slots[self.layout.passes()] > 0 {
            let _ = write!(out, " passes={}", core.slots[self.layout.passes()]);
        }
        if core.slots[self.layout.swapped()] != 0 {
            out.push_str(" swapped=yes");
        }
        let placed = core.slots[self.layout.fill()];
        if placed > 0 && (core.turn == 0 || !self.on_filled_cells(core)) {
            let _ = write!(out, " fill={placed}");
        }
    }

    fn write_last(&self, core: &Core<B, K, M>, seat: u8) -> String {
        let piece = core.slots[self.layout.last_piece(seat)];
        if piece == 0 {
            return "-".to_owned();
        }
        let types = core.slots[self.layout.last_as(seat)];
        let letters: Vec<&str> = (0..self.game.types.len())
            .filter(|t| types >> t & 1 != 0)
            .map(|t| self.game.types[t].letter.as_str())
            .collect();
        let letters = if letters.is_empty() { "-".to_owned() } else { letters.join("+") };
        match types == 1 << (piece - 1) {
            true => letters,
            false => format!("{}:{letters}", self.game.types[piece as usize - 1].letter),
        }
    }

    /// The unmoved flags that the board and the castling field tell.
    fn told_unmoved(&self, core: &Core<B, K, M>) -> B {
        let mut told = Core { unmoved: self.start_unmoved(core), ..*core };
        if !self.castlers.is_empty() {
            // what is written names castlings of this position
            let _ = self.read_castling(&mut told, &self.write_castling(core), 0);
        }
        told.unmoved
    }

    /// The unmoved flags that the start position's pieces on their cells would have.
    pub fn start_unmoved(&self, core: &Core<B, K, M>) -> B {
        let mut unmoved = B::EMPTY;
        for (owner, kind, cell) in &self.start_places {
            if core.piece(*cell as usize) == Some((Self::owner(*owner), *kind)) && self.keeps_unmoved[*kind as usize] {
                unmoved |= B::bit(*cell as usize);
            }
        }
        unmoved
    }

    /// Reads a position text.
    pub fn read_position(&self, text: &str) -> Result<Moment<B, K, M>, PositionError> {
        let game = &self.game;
        let mut fields = Fields::new(text);
        let (board, at) = fields.next().ok_or_else(|| error("the board is missing", 0))?;
        let mut parts = Arrangement { hands: vec![None; game.seats.len()], ..Arrangement::default() };
        let hand_at = board.find('[').filter(|_| board.ends_with(']'));
        self.read_board(&board[..hand_at.unwrap_or(board.len())], at, &mut parts)?;
        if let Some(open) = hand_at {
            self.read_hands(&board[open + 1..board.len() - 1], at + board[..=open].chars().count(), &mut parts)?;
        }
        if let Some((side, at)) = fields.next() {
            let seat = game.seats.iter().position(|s| s.letter == side || s.name.to_lowercase() == side.to_lowercase());
            let letters: Vec<String> = game.seats.iter().map(|s| format!("`{}`", s.letter)).collect();
            let seat = seat.ok_or_else(|| {
                error(
                    format!("expected the player to move, {}, found `{side}`", crate::base::words::one_of(&letters)),
                    at,
                )
            })?;
            parts.to_move = Some(seat as u8);
        }
        let mut moment = self.arranged(&parts);
        self.read_rest(&mut moment.core, &mut fields)?;
        self.finish_changed(&mut moment);
        Ok(moment)
    }

    fn read_board(&self, text: &str, at: usize, parts: &mut Arrangement) -> Result<(), PositionError> {
        let rows = rows(&self.game);
        let mut row = 0;
        let mut column = 0;
        let mut scan = Scanner { text, at: 0 };
        while scan.at < text.len() {
            let here = at + text[..scan.at].chars().count();
            if scan.eat("/") {
                if column != rows[row].len() {
                    return Err(error(format!("this rank has {column} cells, not {}", rows[row].len()), here));
                }
                row += 1;
                column = 0;
                if row >= rows.len() {
                    return Err(error(format!("too many ranks, the board has {}", rows.len()), here));
                }
                continue;
            }
            if let Some(n) = scan.number() {
                column += n;
            } else {
                let (owner, kind) = self.read_piece(&mut scan, here)?;
                if let Some(cell) = rows[row].get(column) {
                    parts.places.push((owner, kind, *cell));
                }
                column += 1;
            }
            if column > rows[row].len() {
                return Err(error(format!("this rank has more than {} cells", rows[row].len()), here));
            }
        }
        let end = at + text.chars().count();
        if column != rows[row].len() {
            return Err(error(format!("this rank has {column} cells, not {}", rows[row].len()), end));
        }
        if row + 1 != rows.len() {
            return Err(error(format!("expected {} ranks, found {}", rows.len(), row + 1), end));
        }
        Ok(())
    }

    /// A piece: glyph, `~` for promoted, an orientation in parentheses.
    fn read_piece(&self, scan: &mut Scanner, at: usize) -> Result<(Option<u8>, KindId), PositionError> {
        let game = &self.game;
        let (t, owner) = self.read_glyph(scan, at)?;
        let promoted = scan.eat("~");
        let mut orientation = None;
        if scan.eat("(") {
            let name = scan.until(")");
            let found = game.types[t as usize].orientations.iter().position(|o| o.name == name);
            orientation = Some(found.ok_or_else(|| error(format!("there is no orientation `{name}`"), at))? as u8);
        }
        let orientation = match game.types[t as usize].orientations.is_empty() {
            true => None,
            false => Some(orientation.unwrap_or(0)),
        };
        let fits = |k: &KindId| {
            let kind = &game.kinds[*k as usize];
            kind.orientation == orientation && (kind.original != kind.piece) == promoted
        };
        let kind = game.kinds_of(t).find(fits).ok_or_else(|| error("such a piece does not exist in this game", at))?;
        Ok((owner, kind))
    }

    fn read_glyph(&self, scan: &mut Scanner, at: usize) -> Result<(u8, Option<u8>), PositionError> {
        let game = &self.game;
        let glyph = match scan.eat("{") {
            true => scan.until("}"),
            false => scan.char(),
        };
        for (t, info) in game.types.iter().enumerate() {
            if let Some(seat) = info.glyphs.iter().position(|g| *g == glyph) {
                return Ok((t as u8, if info.neutral { None } else { Some(seat as u8) }));
            }
        }
        let known: Vec<String> = game.types.iter().flat_map(|t| &t.glyphs).map(|g| format!("`{g}`")).collect();
        Err(error(
            format!("`{glyph}` is no piece of this game; its pieces are {}", crate::base::words::all_of(&known)),
            at,
        ))
    }

    fn read_hands(&self, text: &str, at: usize, parts: &mut Arrangement) -> Result<(), PositionError> {
        let mut hands = vec![Vec::<(u8, u16)>::new(); self.game.seats.len()];
        let mut scan = Scanner { text, at: 0 };
        let mut holder = 0;
        while scan.at < text.len() {
            let here = at + text[..scan.at].chars().count();
            if text[scan.at..].starts_with(',') && holder + 1 < hands.len() {
                (scan.at, holder) = (scan.at + 1, holder + 1);
                continue;
            }
            let n = scan.number().unwrap_or(1).min(1000) as u16;
            let (t, seat) = self.read_glyph(&mut scan, here)?;
            if !self.game.hand_types.contains(&t) {
                return Err(error(
                    format!("a {} is never in hand in this game", self.game.types[t as usize].name),
                    here,
                ));
            }
            let hand = &mut hands[seat.map_or(holder, usize::from)];
            match hand.iter_mut().find(|(held, _)| *held == t) {
                Some((_, held)) => *held = held.saturating_add(n),
                None => hand.push((t, n)),
            }
        }
        parts.hands = hands.into_iter().map(Some).collect();
        Ok(())
    }

    fn read_rest(&self, core: &mut Core<B, K, M>, fields: &mut Fields) -> Result<(), PositionError> {
        let game = &self.game;
        if !self.castlers.is_empty()
            && let Some((text, at)) = fields.plain()
        {
            self.read_castling(core, text, at)?;
        }
        for mark in (0..game.marks.len()).filter(|m| game.marks[*m].only_targets) {
            if let Some((text, at)) = fields.plain() {
                self.read_mark(core, mark, text, at)?;
            }
        }
        for quiet in 0..game.quiets.len() {
            if let Some((text, at)) = fields.plain() {
                core.slots[self.layout.quiet(quiet)] = number(text, at)?;
            }
        }
        let round = match fields.plain() {
            Some((text, at)) => number(text, at)?.clamp(1, 1 << 24) as u32,
            None => 1,
        };
        while let Some((field, at)) = fields.next() {
            let Some((name, value)) = field.split_once('=') else {
                return Err(error(format!("expected `name=value`, found `{field}`"), at));
            };
            self.read_field(core, name, value, at)?;
        }
        if core.turn > 0 {
            core.turn = turn_of(round, core.side, game.seats.len());
        }
        Ok(())
    }

    fn read_castling(&self, core: &mut Core<B, K, M>, text: &str, at: usize) -> Result<(), PositionError> {
        let possible = self.castlings(core);
        for (king, rook, _) in &possible {
            core.unmoved = core.unmoved.minus(B::bit(*king) | B::bit(*rook));
        }
        if text == "-" {
            return Ok(());
        }
        for (i, letter) in text.chars().enumerate() {
            // the outermost partner on that side
            let rook =
                possible.iter().filter(|(.., l)| *l == letter).max_by_key(|(king, rook, _)| rook.abs_diff(*king));
            let Some((king, rook, _)) = rook else {
                return Err(error(format!("`{letter}` names no castling of this position"), at + i));
            };
            core.unmoved |= B::bit(*king) | B::bit(*rook);
        }
        Ok(())
    }

    fn read_mark(&self, core: &mut Core<B, K, M>, mark: usize, text: &str, at: usize) -> Result<(), PositionError> {
        if text == "-" {
            return Ok(());
        }
        let (names, marker) = match text.split_once(':') {
            Some((names, marker)) => (names, Some(marker)),
            None => (text, None),
        };
        let (first, count) = self.layout.layers[mark];
        let most = count.saturating_sub(2);
        let mut marked = B::EMPTY;
        for name in names.split(',') {
            let (name, more) = name.split_once('+').unwrap_or((name, "0"));
            let Some(more) = more.parse::<usize>().ok().filter(|n| *n <= most) else {
                return Err(error(format!("a mark of this kind lasts for {most} more turns at most"), at));
            };
            let cell = B::bit(self.read_cells(name, at)?[0] as usize);
            core.sets[first + count - 1 - more] |= cell;
            marked |= cell;
        }
        let marker = match marker {
            Some("-") => None,
            Some(name) => Some(self.read_cells(name, at)?[0]),
            None if self.game.marks[mark].only_targets => self.likely_marker(core, marked),
            None => None,
        };
        core.slots[self.layout.marker(mark)] = marker.map_or(0, |c| i32::from(c) + 1);
        Ok(())
    }

    fn read_cells(&self, text: &str, at: usize) -> Result<Vec<u16>, PositionError> {
        text.split(',')
            .map(|name| self.game.board.cell(name).ok_or_else(|| error(format!("the board has no cell `{name}`"), at)))
            .collect()
    }

    fn read_field(&self, core: &mut Core<B, K, M>, name: &str, value: &str, at: usize) -> Result<(), PositionError> {
        let game = &self.game;
        let seats = |value: &str| -> Result<Vec<u8>, PositionError> {
            value
                .split(',')
                .filter(|v| !v.is_empty() && *v != "-")
                .map(|v| {
                    let seat = game.seats.iter().position(|s| s.letter == v);
                    seat.map(|s| s as u8).ok_or_else(|| error(format!("there is no player `{v}`"), at))
                })
                .collect()
        };
        if let Some(i) = game.counters.iter().position(|c| c.name == name) {
            for (seat, value) in value.split(',').take(game.seats.len()).enumerate() {
                core.slots[self.layout.counter(i, seat as u8)] = number(value, at)?;
            }
            return Ok(());
        }
        if let Some(i) = game.latches.iter().position(|l| l.name == name) {
            for seat in seats(value)? {
                core.slots[self.layout.latch(i, seat)] = 1;
            }
            return Ok(());
        }
        if let Some(i) = name.strip_prefix("used-").and_then(|n| game.once.iter().position(|o| o == n)) {
            for seat in seats(value)? {
                core.slots[self.layout.once(i as u16, seat)] = 1;
            }
            return Ok(());
        }
        if let Some(mark) = game.marks.iter().position(|m| m.name == name) {
            return self.read_mark(core, mark, value, at);
        }
        match name {
            "last" if game.reads_last_moved => {
                for (seat, value) in value.split(',').take(game.seats.len()).enumerate() {
                    self.read_last(core, seat as u8, value, at)?;
                }
            }
            "unmoved" => {
                core.unmoved = match value {
                    "-" => B::EMPTY,
                    _ => cells::<B>(&self.read_cells(value, at)?) & core.occupied(),
                };
            }
            "passes" => core.slots[self.layout.passes()] = number(value, at)?.clamp(0, 1000),
            "swapped" => core.slots[self.layout.swapped()] = i32::from(value == "yes"),
            "fill" if game.setup.fill.is_some() => {
                core.slots[self.layout.fill()] = number(value, at)?.clamp(0, 1000);
                core.turn = u32::from(self.filler(core).is_none());
            }
            _ => return Err(error(format!("this game has nothing called `{name}`"), at)),
        }
        Ok(())
    }

    fn read_last(&self, core: &mut Core<B, K, M>, seat: u8, text: &str, at: usize) -> Result<(), PositionError> {
        if text == "-" {
            return Ok(());
        }
        let letter = |l: &str| {
            let found = self.game.types.iter().position(|t| t.letter == l);
            found.ok_or_else(|| error(format!("`{l}` is no piece of this game"), at))
        };
        let (piece, types) = match text.split_once(':') {
            Some((piece, types)) => (Some(letter(piece)?), types),
            None => (None, text),
        };
        let mut mask = 0;
        for l in types.split('+').filter(|l| *l != "-") {
            mask |= 1 << letter(l)?;
        }
        let piece = piece.unwrap_or((mask as u32).trailing_zeros() as usize) as i32;
        core.slots[self.layout.last_piece(seat)] = piece + 1;
        core.slots[self.layout.last_as(seat)] = mask;
        Ok(())
    }
}

/// Cells rank by rank, the last rank first, each from file a.
fn rows(game: &Game) -> Vec<Vec<u16>> {
    let mut rows: Vec<Vec<u16>> = Vec::new();
    for (i, cell) in game.board.cells.iter().enumerate() {
        let rank = cell.rank as usize;
        if rows.len() <= rank {
            rows.resize(rank + 1, Vec::new());
        }
        rows[rank].push(i as u16);
    }
    rows.reverse();
    rows
}

/// The round of a turn, both from 1.
pub fn round(turn: u32, seats: usize) -> u32 {
    (turn.max(1) - 1) / seats as u32 + 1
}

/// The turn of a seat in a round.
pub fn turn_of(round: u32, seat: u8, seats: usize) -> u32 {
    (round - 1) * seats as u32 + u32::from(seat) + 1
}

fn braced(glyph: &str) -> String {
    if glyph.chars().count() == 1 { glyph.to_owned() } else { format!("{{{glyph}}}") }
}

fn error(message: impl Into<String>, at: usize) -> PositionError {
    PositionError { message: message.into(), at }
}

fn number(text: &str, at: usize) -> Result<i32, PositionError> {
    text.parse().map_err(|_| error(format!("expected a number, found `{text}`"), at))
}

/// The fields of a position text, with the character where each begins.
struct Fields<'a> {
    list: Vec<(&'a str, usize)>,
    at: usize,
}

impl<'a> Fields<'a> {
    fn new(text: &'a str) -> Fields<'a> {
        let list = text
            .split_whitespace()
            .map(|f| (f, text[..f.as_ptr() as usize - text.as_ptr() as usize].chars().count()))
            .collect();
        Fields { list, at: 0 }
    }

    fn next(&mut self) -> Option<(&'a str, usize)> {
        self.at += 1;
        self.list.get(self.at - 1).copied()
    }

    /// The next field, if it is not `name=value`.
    fn plain(&mut self) -> Option<(&'a str, usize)> {
        let field = self.list.get(self.at).copied()?;
        if field.0.contains('=') {
            return None;
        }
        self.at += 1;
        Some(field)
    }
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn eat(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn number(&mut self) -> Option<usize> {
        let rest = self.rest();
        let len = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()).min(6);
        let n = rest[..len].parse().ok()?;
        self.at += len;
        Some(n)
    }

    fn until(&mut self, end: &str) -> &'a str {
        let rest = self.rest();
        let len = rest.find(end).unwrap_or(rest.len());
        self.at += (len + end.len()).min(rest.len());
        &rest[..len]
    }

    fn char(&mut self) -> &'a str {
        let rest = self.rest();
        let len = rest.chars().next().map_or(0, char::len_utf8);
        self.at += len;
        &rest[..len]
    }
}

/// The owner index of neutral pieces is no seat.
const _: () = assert!(NEUTRAL as usize == super::MAX_SEATS);
