//! The intermediate representation as a listing to read.

use crate::ir::piece::{Clause, PieceType};
use crate::ir::turn::Choice;
use crate::ir::{Cell, Game, KindId};
use serde_json::Value;
use std::fmt::Write as _;

/// Lists a game.
pub fn text(game: &Game) -> String {
    let mut list = Listing { game, text: String::new() };
    list.head();
    list.zones();
    list.types();
    list.memory();
    list.events();
    list.turn();
    list.setup();
    list.results();
    list.text
}

struct Listing<'a> {
    game: &'a Game,
    text: String,
}

impl Listing<'_> {
    fn line(&mut self, indent: usize, text: impl AsRef<str>) {
        let _ = writeln!(self.text, "{:1$}{2}", "", indent * 2, text.as_ref());
    }

    fn title(&mut self, text: &str) {
        self.text.push('\n');
        self.line(0, text);
    }

    /// A part of the representation in one line, with names for indices.
    fn term(&self, part: &impl serde::Serialize) -> String {
        match serde_json::to_value(part) {
            Ok(value) => self.value("", &value),
            Err(e) => e.to_string(),
        }
    }

    fn head(&mut self) {
        let game = self.game;
        self.line(0, format!("game {} (representation {})", game.name, game.version));
        for variant in &game.variants {
            self.line(0, format!("variant {variant}"));
        }
        for (name, value) in &game.options {
            self.line(0, format!("option {name} = {value}"));
        }
        let players: Vec<&str> = game.seats.iter().map(|s| s.name.as_str()).collect();
        self.line(0, format!("players {}", players.join(", ")));
        self.line(0, format!("board {}, {} cells", self.term(&game.board.shape), game.board.cells.len()));
        let dirs: Vec<&str> = game.board.dirs.iter().map(|d| d.name.as_str()).collect();
        self.line(0, format!("directions {}", dirs.join(" ")));
    }

    fn zones(&mut self) {
        if self.game.zones.is_empty() {
            return;
        }
        self.title("zones");
        for (i, zone) in self.game.zones.iter().enumerate() {
            let sets: Vec<String> = zone.cells.iter().map(|cells| self.cells(cells)).collect();
            let same = sets.windows(2).all(|pair| pair[0] == pair[1]);
            self.line(1, format!("{i} {}", zone.name));
            if let (true, Some(first)) = (same, sets.first()) {
                self.line(2, first);
            } else {
                for (seat, set) in self.game.seats.iter().zip(&sets) {
                    self.line(2, format!("{}: {set}", seat.name));
                }
            }
        }
    }

    fn cells(&self, cells: &[Cell]) -> String {
        let names: Vec<&str> = cells.iter().map(|c| self.game.cell_name(*c)).collect();
        names.join(" ")
    }

    fn kind(&self, kind: KindId) -> String {
        let Some(known) = self.game.kinds.get(kind as usize) else { return kind.to_string() };
        let piece = &self.game.types[known.piece as usize];
        let mut name = piece.name.clone();
        if let Some(orientation) = known.orientation.and_then(|o| piece.orientations.get(o as usize)) {
            let _ = write!(name, "({})", orientation.name);
        }
        if known.original != known.piece {
            let _ = write!(name, "~{}", self.game.types[known.original as usize].name);
        }
        name
    }

    fn types(&mut self) {
        self.title("pieces");
        for (i, piece) in self.game.types.iter().enumerate() {
            self.piece(i, piece);
        }
        if !self.game.ladder.is_empty() {
            let rungs: Vec<String> = self.game.ladder.iter().map(|k| self.kind(*k)).collect();
            self.line(1, format!("ladder {}", rungs.join(" < ")));
        }
        for remap in &self.game.remaps {
            let pairs: Vec<String> = remap
                .table
                .iter()
                .enumerate()
                .filter_map(|(from, to)| to.map(|to| format!("{} to {}", self.kind(from as KindId), self.kind(to))))
                .collect();
            self.line(1, format!("turning {}: {}", remap.text, pairs.join(", ")));
        }
    }

    fn piece(&mut self, index: usize, piece: &PieceType) {
        let mut head = format!("{index} {} {} worth {}", piece.name, piece.glyphs.join("/"), piece.worth);
        for (said, word) in [(piece.royal, "royal"), (piece.uncapturable, "uncapturable"), (piece.neutral, "neutral")] {
            if said {
                let _ = write!(head, " {word}");
            }
        }
        if !piece.orientations.is_empty() {
            let _ = write!(head, ", a cube with {} orientations", piece.orientations.len());
        }
        self.line(1, head);
        for id in &piece.clauses {
            self.clause(*id as usize, &self.game.clauses[*id as usize]);
        }
        for promotion in &piece.promotions {
            let to: Vec<String> = promotion.to.iter().map(|(kind, _)| self.kind(*kind)).collect();
            let may = if promotion.may { "may promote" } else { "promotes" };
            let zone = self.game.zones.get(promotion.zone as usize).map_or("?", |z| &z.name);
            self.line(2, format!("{may} on {zone} to {}", to.join(", ")));
            self.terms(3, "if", &promotion.guards);
            self.terms(3, "then", &promotion.then);
        }
    }

    fn clause(&mut self, index: usize, clause: &Clause) {
        self.line(2, format!("clause {index}: {}", clause.text));
        self.line(3, self.term(&clause.generator));
        self.line(3, format!("target {}", self.term(&clause.target)));
        if !clause.label.is_empty() {
            self.line(3, format!("label {}", clause.label));
        }
        for (word, facing) in [("toward", &clause.toward), ("away from", &clause.away_from)] {
            if let Some(facing) = facing {
                self.line(3, format!("{word} {}", self.term(facing)));
            }
        }
        for (word, zone) in [("from", clause.from), ("within", clause.within)] {
            if let Some(zone) = zone.and_then(|z| self.game.zones.get(z as usize)) {
                self.line(3, format!("{word} {}", zone.name));
            }
        }
        self.terms(3, "if", &clause.guards);
        self.terms(3, "then", &clause.then);
        if let Some(once) = clause.once.and_then(|o| self.game.once.get(o as usize)) {
            self.line(3, format!("once per game: {once}"));
        }
    }

    fn terms(&mut self, indent: usize, word: &str, parts: &[impl serde::Serialize]) {
        for part in parts {
            self.line(indent, format!("{word} {}", self.term(part)));
        }
    }

    fn memory(&mut self) {
        let game = self.game;
        let mut lines = Vec::new();
        for counter in &game.counters {
            let each = if counter.each { " for each player" } else { "" };
            lines.push(format!("counter {} = {}{each}", counter.name, counter.start));
        }
        for latch in &game.latches {
            lines.push(format!("remember {} when {}", latch.name, self.term(&latch.cond)));
        }
        for mark in &game.marks {
            let turns = mark.turns.map_or(String::new(), |n| format!(" for {n} turns"));
            lines.push(format!("mark {}{turns}", mark.name));
        }
        for once in &game.once {
            lines.push(format!("once per game {once}"));
        }
        for (i, tally) in game.tallies.iter().enumerate() {
            lines.push(format!("tally {i}: {}", self.term(tally)));
        }
        for (i, quiet) in game.quiets.iter().enumerate() {
            lines.push(format!("quiet {i}, broken by {}", self.term(&quiet.broken)));
        }
        if !lines.is_empty() {
            self.title("memory");
            for line in lines {
                self.line(1, line);
            }
        }
    }

    fn events(&mut self) {
        let game = self.game;
        if game.afters.is_empty() && game.reactions.is_empty() && game.forbids.is_empty() {
            return;
        }
        self.title("events");
        for after in &game.afters {
            let events: Vec<String> = after.events.iter().map(|e| self.term(e)).collect();
            self.line(1, format!("after {}", events.join(", ")));
            self.terms(2, "do", &after.body);
        }
        for reaction in &game.reactions {
            let kinds: Vec<String> = reaction.kinds.iter().map(|k| self.kind(*k)).collect();
            let head = format!(
                "{} after a move of {} to {}",
                kinds.join(", "),
                self.term(&reaction.by),
                self.term(&reaction.to)
            );
            self.line(1, head);
            self.terms(2, "do", &reaction.body);
        }
        for forbid in &game.forbids {
            self.line(1, &forbid.text);
            self.line(2, format!("forbid {} when {}", self.term(&forbid.what), self.term(&forbid.cond)));
        }
    }

    fn turn(&mut self) {
        self.title("turn");
        for (i, state) in self.game.turn.states.iter().enumerate() {
            self.line(1, format!("state {i}"));
            self.choice(2, state);
        }
        for prefer in &self.game.prefer {
            self.line(1, format!("prefer most {}", self.term(prefer)));
        }
    }

    fn choice(&mut self, indent: usize, choice: &Choice) {
        match choice {
            Choice::End => self.line(indent, "end of the turn"),
            Choice::Do(act, next) => self.line(indent, format!("{} then state {next}", self.term(act))),
            Choice::Or(choices) => self.choices(indent, "any of", choices),
            Choice::OrElse(choices) => self.choices(indent, "the first possible of", choices),
            Choice::Cases(cases) => {
                for (cond, choice) in cases {
                    self.line(indent, format!("when {}", self.term(cond)));
                    self.choice(indent + 1, choice);
                }
            }
            Choice::Again(act, rest) => {
                self.line(indent, "again while possible");
                self.choice(indent + 1, act);
                self.line(indent, "otherwise");
                self.choice(indent + 1, rest);
            }
            Choice::Goto(state) => self.line(indent, format!("state {state}")),
        }
    }

    fn choices(&mut self, indent: usize, head: &str, choices: &[Choice]) {
        self.line(indent, head);
        for choice in choices {
            self.choice(indent + 1, choice);
        }
    }

    fn setup(&mut self) {
        let setup = &self.game.setup;
        if setup.places.is_empty() && setup.hands.iter().all(Vec::is_empty) && setup.fill.is_none() {
            return;
        }
        self.title("setup");
        let mut groups: Vec<(String, Vec<Cell>)> = Vec::new();
        for (owner, kind, cell) in &setup.places {
            let owner = owner.map_or(String::new(), |s| format!("{} ", self.game.seats[s as usize].name));
            let name = format!("{owner}{}", self.kind(*kind));
            match groups.iter_mut().find(|(known, _)| *known == name) {
                Some((_, cells)) => cells.push(*cell),
                None => groups.push((name, vec![*cell])),
            }
        }
        for (name, cells) in groups {
            self.line(1, format!("{name} on {}", self.cells(&cells)));
        }
        for (seat, hand) in self.game.seats.iter().zip(&setup.hands).filter(|(_, hand)| !hand.is_empty()) {
            let held: Vec<String> =
                hand.iter().map(|(t, n)| format!("{n} {}", self.game.types[*t as usize].name)).collect();
            self.line(1, format!("{} holds {}", seat.name, held.join(", ")));
        }
        if let Some(fill) = &setup.fill {
            let kinds: Vec<String> = fill.kinds.iter().map(|k| self.kind(*k)).collect();
            self.line(1, format!("each player fills its cells spending {} with {}", fill.budget, kinds.join(", ")));
        }
    }

    fn results(&mut self) {
        self.title("results");
        for result in &self.game.results {
            let once = if result.at_once { " (at once)" } else { "" };
            self.line(1, format!("{}{once}", result.text));
            self.line(2, format!("{} when {}", self.term(&result.verdict), self.term(&result.cond)));
        }
    }

    /// `key` says what numbers in the value are indices of.
    fn value(&self, key: &str, value: &Value) -> String {
        match value {
            Value::Null => "none".to_owned(),
            Value::Bool(b) => b.to_string(),
            Value::String(s) => s.clone(),
            Value::Number(n) => n.as_u64().and_then(|n| self.name(key, n as usize)).unwrap_or_else(|| n.to_string()),
            Value::Array(parts) if matches!(key, "dirs" | "paths") => match parts.first() {
                // Tables for each seat: what the first sees.
                Some(first @ Value::Array(_)) if key == "dirs" => self.value("directions", first),
                Some(_) | None => "table".to_owned(),
            },
            Value::Array(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.value(key, part)).collect();
                let gap =
                    if matches!(key, "kinds" | "types" | "cells" | "directions" | "partner") { " " } else { ", " };
                parts.join(gap)
            }
            Value::Object(fields) => {
                let single = fields.len() == 1;
                let parts: Vec<String> = fields
                    .iter()
                    .filter(|(_, v)| !v.is_null())
                    .map(|(k, v)| match v {
                        _ if single && !v.is_object() => format!("{k}({})", self.value(k, v)),
                        Value::Object(_) if single => format!("{k}({})", self.value("", v)),
                        _ => format!("{k}: {}", self.value(k, v)),
                    })
                    .collect();
                parts.join(", ")
            }
        }
    }

    fn name(&self, key: &str, index: usize) -> Option<String> {
        let game = self.game;
        match key {
            "kinds" | "partner" => (index < game.kinds.len()).then(|| self.kind(index as KindId)),
            "types" | "except" | "original-of" => game.types.get(index).map(|t| t.name.clone()),
            "zone" => game.zones.get(index).map(|z| z.name.clone()),
            "cells" => game.board.cells.get(index).map(|c| c.name.clone()),
            "directions" => game.board.dirs.get(index).map(|d| d.name.clone()),
            "seat" => game.seats.get(index).map(|s| s.name.clone()),
            "mark" | "marker" | "unmark" => game.marks.get(index).map(|m| m.name.clone()),
            "counter" => game.counters.get(index).map(|c| c.name.clone()),
            "latch" => game.latches.get(index).map(|l| l.name.clone()),
            _ => None,
        }
    }
}
