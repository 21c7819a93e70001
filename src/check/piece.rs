//! Piece types, kinds, glyphs and ladders.

use super::cube::{self, Pose, SIDES, Turn};
use super::cx::{Cx, PieceDecl};
use crate::base::{Diagnostic, Span};
use crate::ir::piece::{Kind, PieceType, Remap};
use crate::ir::{KindId, TypeId};
use crate::syntax::Word;
use crate::syntax::piece::{Face, Ladder, Side, Trait};

/// At most so many kinds.
pub(crate) const MAX_KINDS: usize = 128;

/// Characters that position texts and diagrams use otherwise.
const TAKEN: &str = ".|/[]{}()~@=+-,:\"#>;";

impl Cx<'_> {
    /// Makes the kinds: one for a piece, 24 for a cube, and those that were something else before if the game asks.
    pub fn make_kinds(&mut self, promoted: &[(TypeId, TypeId)]) {
        for t in 0..self.pieces.len() as TypeId {
            let faces = self.pieces[t as usize].faces.clone();
            match faces {
                Some(faces) => {
                    let faces = self.faces(&faces);
                    let poses = Pose::all();
                    self.orientations.push(poses.iter().map(|p| p.orientation(&faces)).collect());
                    for o in 0..poses.len() as u8 {
                        self.kinds.push(Kind { piece: t, orientation: Some(o), original: t });
                    }
                }
                None => {
                    self.orientations.push(Vec::new());
                    self.kinds.push(Kind { piece: t, orientation: None, original: t });
                }
            }
        }
        for &(to, from) in promoted {
            self.kinds.push(Kind { piece: to, orientation: None, original: from });
        }
        if self.kinds.len() > MAX_KINDS {
            let span = self.pieces.last().map_or_else(Span::default, |p| p.name.span);
            let n = self.kinds.len();
            self.error(
                "too-many",
                span,
                format!("there are {n} kinds of pieces, each way up of a cube counted, and {MAX_KINDS} are possible"),
                "use fewer pieces or cubes",
            );
        }
    }

    /// The marks of each face, options folded.
    fn faces(&mut self, faces: &[Face]) -> Vec<(Side, String, Vec<Side>)> {
        let mut out = Vec::new();
        let mut seen: Vec<(Side, Span)> = Vec::new();
        for face in faces {
            if self.settings.allow(&face.guards, &mut self.report) == Some(false) {
                continue;
            }
            if let Some((_, first)) = seen.iter().find(|(s, _)| *s == face.side.node) {
                let name = cube::side_name(face.side.node);
                self.push(
                    Diagnostic::error("duplicate", format!("the {name} face is described twice"), face.side.span)
                        .label(*first, "first described here")
                        .help("keep one of the two, or let options choose with `if`"),
                );
                continue;
            }
            seen.push((face.side.node, face.side.span));
            for (mark, edges) in &face.marks {
                let mut places = Vec::new();
                for edge in edges {
                    if edge.node == face.side.node || edge.node == cube::opposite(face.side.node) {
                        let (face, edge_name) = (cube::side_name(face.side.node), cube::side_name(edge.node));
                        self.error(
                            "cube-edge",
                            edge.span,
                            format!("the {face} face has no edge with the {edge_name} face"),
                            "a mark stands at an edge that its face shares with a neighbouring face",
                        );
                    } else {
                        places.push(edge.node);
                    }
                }
                out.push((face.side.node, mark.node.clone(), places));
            }
        }
        out
    }

    /// Reads the ladder; gives the worth of its rungs.
    pub fn read_ladder(&mut self, ladder: &Ladder) -> Vec<(TypeId, i32)> {
        let mut worths = Vec::new();
        for (word, worth) in &ladder.rungs {
            let Some(t) = self.piece(word) else { continue };
            if self.ladder.contains(&t) {
                let first = ladder.rungs.iter().find(|(w, _)| w.node == word.node).map_or(word.span, |(w, _)| w.span);
                self.push(
                    Diagnostic::error("duplicate", format!("`{}` is on the ladder twice", word.node), word.span)
                        .label(first, "first named here")
                        .help("name each piece once"),
                );
                continue;
            }
            if self.pieces[t as usize].faces.is_some() {
                self.push(
                    Diagnostic::error(
                        "ladder-cube",
                        format!("`{}` is a cube and cannot stand on a ladder", word.node),
                        word.span,
                    )
                    .label(self.pieces[t as usize].name.span, "the cube")
                    .help("a cube turns with `spin` and `tip`"),
                );
                continue;
            }
            self.ladder.push(t);
            if let Some(worth) = worth
                && let Some(n) = self.in_range(worth.node, worth.span, -1_000_000, 1_000_000, "a worth")
            {
                worths.push((t, n));
            }
        }
        worths
    }

    /// The table of a rotation by `n` rungs up or down.
    pub fn ladder_remap(&mut self, up: bool, n: usize) -> u16 {
        let sign = if up { "+" } else { "-" };
        let table = self
            .kinds
            .iter()
            .map(|kind| {
                let at = self.ladder.iter().position(|t| *t == kind.piece)?;
                let to = if up { at.checked_add(n)? } else { at.checked_sub(n)? };
                self.base_kind(*self.ladder.get(to)?)
            })
            .collect();
        self.remap(Remap { text: sign.repeat(n), table })
    }

    /// The table of a turn of cubes.
    pub fn cube_remap(&mut self, turn: Turn) -> u16 {
        let text = match turn {
            Turn::Spin => "spin",
            Turn::Unspin => "unspin",
            Turn::Tip(Side::Front) => "forward",
            Turn::Tip(Side::Back) => "backward",
            Turn::Tip(Side::Left) => "left",
            Turn::Tip(Side::Right | Side::Top | Side::Bottom) => "right",
        };
        let poses = Pose::all();
        let table = self
            .kinds
            .iter()
            .enumerate()
            .map(|(k, kind)| {
                let o = kind.orientation? as usize;
                let to = poses[o].turned(turn);
                let to = poses.iter().position(|p| *p == to)?;
                Some((k - o + to) as KindId)
            })
            .collect();
        self.remap(Remap { text: text.to_owned(), table })
    }

    /// The types without clauses and promotions.
    pub fn make_types(&mut self, ladder_worths: &[(TypeId, i32)]) -> Vec<PieceType> {
        let glyphs = self.glyphs();
        let mut out = Vec::new();
        for (t, glyphs) in glyphs.into_iter().enumerate() {
            let decl = self.pieces[t].clone();
            let mut worth = 0;
            for tr in &decl.traits {
                if let Trait::Worth(n) = tr.node
                    && let Some(n) = self.in_range(n, tr.span, -1_000_000, 1_000_000, "a worth")
                {
                    worth = n;
                }
            }
            if let Some((_, w)) = ladder_worths.iter().find(|(l, _)| *l as usize == t) {
                worth = *w;
            }
            let has = |wanted: Trait| decl.traits.iter().find(|x| x.node == wanted).map(|x| x.span);
            if let (Some(royal), Some(neutral)) = (has(Trait::Royal), has(Trait::Neutral)) {
                let message = format!("`{}` belongs to nobody and cannot be royal", decl.name.node);
                self.push(
                    Diagnostic::error("traits", message, royal)
                        .label(neutral, "it is neutral")
                        .help("leave out `royal` or `neutral`"),
                );
            }
            let word = has(Trait::Uncapturable).map(|span| self.texts.place(span));
            self.places.uncapturable.push(word);
            out.push(PieceType {
                name: decl.name.node.clone(),
                letter: glyphs.first().map(|g| g.to_uppercase()).unwrap_or_default(),
                glyphs,
                worth,
                royal: has(Trait::Royal).is_some(),
                uncapturable: has(Trait::Uncapturable).is_some(),
                neutral: has(Trait::Neutral).is_some(),
                clauses: Vec::new(),
                promotions: Vec::new(),
                orientations: self.orientations[t].clone(),
            });
        }
        out
    }

    /// The glyphs of every type for every seat.
    fn glyphs(&mut self) -> Vec<Vec<String>> {
        let seats = self.seats.len();
        let decls = self.pieces.clone();
        let mut given: Vec<Option<Vec<String>>> = Vec::new();
        for decl in &decls {
            let glyph = decl.glyph.as_ref();
            given.push(glyph.map(|word| self.glyph(decl, word, seats).unwrap_or_else(|| vec![String::new(); seats])));
        }
        let mut all: Vec<Vec<String>> = Vec::new();
        for (t, glyphs) in given.iter().enumerate() {
            let glyphs = match glyphs {
                Some(glyphs) => glyphs.clone(),
                None => self.derived_glyph(&decls[t], t, &given, &all, seats),
            };
            all.push(glyphs);
        }
        self.glyph_clashes(&decls, &all);
        all
    }

    fn glyph(&mut self, decl: &PieceDecl, word: &Word, seats: usize) -> Option<Vec<String>> {
        let neutral = decl.traits.iter().any(|t| t.node == Trait::Neutral);
        let parts: Vec<&str> = word.node.split('/').collect();
        for part in &parts {
            let bad =
                part.chars().find(|c| TAKEN.contains(*c) || c.is_ascii_digit() || c.is_whitespace() || c.is_control());
            let unseen = unseen(part);
            if part.is_empty() || part.chars().count() > 8 || bad.is_some() || unseen.is_some() {
                let message = match bad.or(unseen) {
                    Some(c) if unseen == Some(c) => {
                        format!("a glyph cannot contain U+{:04X}, which cannot be seen by itself", c as u32)
                    }
                    Some(c) => format!("a glyph cannot contain `{c}`"),
                    None if part.is_empty() => "a glyph cannot be empty".to_owned(),
                    None => "this glyph is too long".to_owned(),
                };
                self.error(
                    "glyph",
                    word.span,
                    message,
                    "a glyph is a letter such as \"R\", or one sign for each player, \"R/r\" or \"O/X\"",
                );
                return None;
            }
        }
        match parts.as_slice() {
            [one] if neutral || seats == 1 => Some(vec![(*one).to_owned(); seats]),
            [one] if seats == 2 => {
                let (upper, lower) = (one.to_uppercase(), one.to_lowercase());
                if upper == lower {
                    self.error(
                        "glyph",
                        word.span,
                        format!("`{one}` has no small form for the second player"),
                        format!("give a second sign for the second player, as in \"{one}/x\", or take a letter"),
                    );
                    return None;
                }
                let first = if *one == lower { upper } else { (*one).to_owned() };
                Some(vec![first, lower])
            }
            many if many.len() == seats => Some(many.iter().map(|g| (*g).to_owned()).collect()),
            many => {
                self.error(
                    "glyph",
                    word.span,
                    format!(
                        "there are {}, and this gives {}",
                        crate::base::words::count(seats, "player"),
                        crate::base::words::count(many.len(), "sign")
                    ),
                    "give one sign for each player, with `/` between them",
                );
                None
            }
        }
    }

    fn derived_glyph(
        &mut self,
        decl: &PieceDecl,
        t: usize,
        given: &[Option<Vec<String>>],
        done: &[Vec<String>],
        seats: usize,
    ) -> Vec<String> {
        let used = |g: &str| {
            given.iter().flatten().flatten().any(|x| x.to_lowercase() == g.to_lowercase())
                || done.iter().flatten().any(|x| x.to_lowercase() == g.to_lowercase())
        };
        let fits = |c: char| c.is_alphabetic() && c.to_lowercase().to_string() != c.to_uppercase().to_string();
        let initial = decl.name.node.chars().next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
        let neutral = decl.traits.iter().any(|t| t.node == Trait::Neutral);
        if seats > 2 || used(&initial) || !decl.name.node.chars().next().is_some_and(fits) {
            let free = decl
                .name
                .node
                .chars()
                .find(|c| fits(*c) && !used(&c.to_string()))
                .map(|c| c.to_uppercase().to_string());
            let d = Diagnostic::error("glyph", format!("`{}` needs a glyph", decl.name.node), decl.name.span);
            self.push(match free {
                Some(free) if seats <= 2 => {
                    let behind = Span { start: decl.name.span.end, ..decl.name.span };
                    d.here(format!("`{initial}` is taken"))
                        .help(format!("write `piece {} \"{free}\"`", decl.name.node))
                        .suggest(behind, format!(" \"{free}\""))
                }
                _ => d.help(format!(
                    "write `piece {} \"…\"` with one sign for each player, as in \"O/X\"",
                    decl.name.node
                )),
            });
            return vec![format!("?{t}"); seats];
        }
        if neutral || seats == 1 { vec![initial; seats] } else { vec![initial.clone(), initial.to_lowercase()] }
    }

    fn glyph_clashes(&mut self, decls: &[PieceDecl], all: &[Vec<String>]) {
        let place = |t: usize| decls[t].glyph.as_ref().map_or(decls[t].name.span, |g| g.span);
        for b in 0..all.len() {
            let neutral = decls[b].traits.iter().any(|t| t.node == Trait::Neutral);
            let twice =
                !neutral && (1..all[b].len()).any(|s| all[b][..s].contains(&all[b][s]) && !all[b][s].is_empty());
            if twice && !all[b][0].starts_with('?') {
                self.error(
                    "glyph",
                    place(b),
                    format!("two players have the same sign for `{}`", decls[b].name.node),
                    "give each player a sign of its own, as in \"O/X\"",
                );
            }
            for a in 0..b {
                let same = all[b].iter().any(|g| !g.is_empty() && all[a].contains(g));
                let letter = |t: usize| all[t].first().map(|g| g.to_uppercase()).unwrap_or_default();
                if same || (!letter(b).is_empty() && letter(a) == letter(b)) {
                    self.push(
                        Diagnostic::error(
                            "glyph",
                            format!("`{}` and `{}` have the same glyph", decls[a].name.node, decls[b].name.node),
                            place(b),
                        )
                        .label(place(a), format!("the glyph of `{}`", decls[a].name.node))
                        .help("give one of them another letter"),
                    );
                    break;
                }
            }
        }
    }

    /// The turn of a tip to this side.
    pub fn tip_remap(&mut self, side: Side) -> u16 {
        debug_assert!(SIDES.contains(&side));
        self.cube_remap(Turn::Tip(side))
    }
}

/// The first character that nobody sees: one that is blank or only controls how others are shown, or a mark to be set on a letter where
/// no letter is before it.
fn unseen(glyph: &str) -> Option<char> {
    const BLANK: [char; 5] = ['\u{115f}', '\u{1160}', '\u{2800}', '\u{3164}', '\u{ffa0}'];
    // Between two signs it makes one of them.
    const JOINER: char = '\u{200d}';
    let last = glyph.chars().count().saturating_sub(1);
    let mut all = glyph.chars().enumerate();
    let shown = |i: usize, c: char| {
        let before = if i == 0 { "" } else { "o" };
        let text = format!("{before}{c}");
        !text.escape_debug().skip(before.len()).collect::<String>().starts_with("\\u")
    };
    all.find(|(i, c)| BLANK.contains(c) || !(shown(*i, *c) || *c == JOINER && 0 < *i && *i < last)).map(|(_, c)| c)
}
