//! Boards, symmetry, zones and cells.

use super::cx::{Cx, Env, MAX_NESTING};
use super::fold;
use super::geometry::{self, Geometry, MAX_CELLS, Turning};
use super::report::Report;
use crate::base::{Diagnostic, Span, words};
use crate::ir::board::{DirId, Dirs, Shape, ZoneId};
use crate::ir::expr::Set;
use crate::ir::{Cell, Cells, PerSeat, Seat};
use crate::syntax::Word;
use crate::syntax::board::{self as sb, CellsAtom, Symmetry, Wrap};
use crate::syntax::expr::{DefineBody, Dir, Dirs as DirsPhrase};
use std::collections::BTreeSet;

/// The zones that every board of squares has.
pub(crate) const BUILTIN_ZONES: [&str; 4] = ["dark", "light", "corner", "edge"];

/// The board of a statement.
pub(crate) fn geometry(
    board: &sb::Board,
    symmetry: Option<&(Symmetry, Span)>,
    seats: &[Word],
    report: &mut Report,
) -> Option<Geometry> {
    let small = |n: u32| u16::try_from(n).ok();
    let shape = match &board.shape {
        sb::Shape::Grid(files, ranks) => {
            small(files.node).zip(small(ranks.node)).map(|(files, ranks)| Shape::Grid { files, ranks })
        }
        sb::Shape::Rhombus(files, ranks) => {
            small(files.node).zip(small(ranks.node)).map(|(files, ranks)| Shape::Rhombus { files, ranks })
        }
        sb::Shape::Hexagon(side) => small(side.node).map(|side| Shape::Hexagon { side }),
    };
    let count = shape.map_or(u64::MAX, geometry::cell_count);
    let Some(shape) = shape.filter(|_| (1..=MAX_CELLS).contains(&count)) else {
        let d = if count == 0 {
            Diagnostic::error("board-size", "this board has no cells", board.span)
                .help("give each side at least 1 cell")
        } else {
            Diagnostic::error("board-size", "this board is too large", board.span)
                .help(format!("a board may have up to {MAX_CELLS} cells, such as 26x26"))
        };
        report.push(d);
        return None;
    };
    let (mut wrap_files, mut wrap_ranks) = match board.wrap.as_ref().map(|w| w.node) {
        Some(Wrap::Files) => (true, false),
        Some(Wrap::Ranks) => (false, true),
        Some(Wrap::Both) => (true, true),
        None => (false, false),
    };
    if let Some(wrap) = &board.wrap {
        let (files, ranks) = match shape {
            Shape::Grid { files, ranks } | Shape::Rhombus { files, ranks } => (files, ranks),
            Shape::Hexagon { .. } => (0, 0),
        };
        if (wrap_files && files < 3) || (wrap_ranks && ranks < 3) {
            let message = match shape {
                Shape::Hexagon { .. } => "a hexagon has no opposite edges to join",
                Shape::Grid { .. } | Shape::Rhombus { .. } => "a board this narrow cannot be joined to itself",
            };
            report.push(
                Diagnostic::error("board-size", message, wrap.span)
                    .label(board.span, "this is the board")
                    .help("leave out `wrap`, or join at least 3 files or ranks"),
            );
            (wrap_files, wrap_ranks) = (false, false);
        }
    }
    let turning = match symmetry {
        None => Turning::Mirror,
        Some((Symmetry::None, _)) => Turning::None,
        Some((_, span)) if seats.len() != 2 => {
            let d = Diagnostic::error("symmetry", "a board is turned only between two players", *span)
                .help("write `symmetry none`, and give each player its own zones")
                .suggest(*span, "symmetry none");
            report.push(match (seats.first(), seats.last()) {
                (Some(first), Some(last)) => d.label(
                    first.span.to(last.span),
                    format!("this game is for {}", words::count(seats.len(), "player")),
                ),
                _ => d,
            });
            Turning::None
        }
        Some((Symmetry::Mirror, _)) => Turning::Mirror,
        Some((Symmetry::Rotate, _)) => Turning::Rotate,
    };
    Some(Geometry::new(shape, wrap_files, wrap_ranks, turning, seats.len()))
}

impl Cx<'_> {
    /// The number of a zone of the author's or of every board, if there is one of this name.
    pub fn zone(&mut self, name: &str) -> Option<ZoneId> {
        if let Some(i) = self.zone_decls.iter().position(|z| z.decl.name.node == name) {
            self.report.use_name(self.zone_decls[i].decl.name.span);
            return self.declared_zone(i);
        }
        let cells = self.geo.builtin(name)?;
        Some(self.zone_id(name, vec![cells; self.geo.seats()]))
    }

    /// Whether there is a zone of this name.
    pub fn is_zone(&self, name: &str) -> bool {
        self.zone_decls.iter().any(|z| z.decl.name.node == name) || self.geo.builtin(name).is_some()
    }

    /// The number of a declared zone, whose cells are found if need be.
    pub fn declared_zone(&mut self, i: usize) -> Option<ZoneId> {
        if let Some(id) = self.zone_decls[i].id {
            return Some(id);
        }
        let decl = self.zone_decls[i].decl.clone();
        if self.zone_decls[i].busy {
            let mut d =
                Diagnostic::error("circular", format!("zone `{}` needs itself", decl.name.node), decl.name.span);
            for (_, other) in self.zone_decls.iter().enumerate().filter(|(j, z)| z.busy && *j != i) {
                d = d.label(other.decl.name.span, "by way of this one");
            }
            self.push(d.help("a zone can use only zones that do without it"));
            return None;
        }
        if self.zone_decls.iter().filter(|z| z.busy).count() >= MAX_NESTING {
            self.error(
                "too-large",
                decl.name.span,
                format!("zones use one another more than {MAX_NESTING} deep"),
                "write some of them out",
            );
            return None;
        }
        self.zone_decls[i].busy = true;
        let cells = self.static_cells(&decl.cells, false);
        let mut cells = match cells {
            Some(cells) => cells,
            None => {
                // The fault is said; what uses the zone shall not complain again.
                vec![(0..self.geo.board.cells.len() as Cell).collect(); self.geo.seats()]
            }
        };
        if decl.fixed {
            let first = cells[0].clone();
            cells.iter_mut().for_each(|c| c.clone_from(&first));
        }
        let id = self.zones.iter().position(|z| z.cells == cells && z.name == decl.name.node);
        let id = id.unwrap_or(self.zones.len()) as ZoneId;
        if id as usize == self.zones.len() {
            self.zones.push(crate::ir::board::Zone { name: decl.name.node.clone(), cells });
        }
        self.zone_decls[i].id = Some(id);
        self.zone_decls[i].busy = false;
        Some(id)
    }

    /// The cells of a phrase for each seat; `absolute`: not turned.
    pub fn static_cells(&mut self, cells: &sb::Cells, absolute: bool) -> Option<PerSeat<Cells>> {
        let first = self.cells_for(cells, 0, absolute, true)?;
        let mut all = vec![first.into_iter().collect::<Cells>()];
        for seat in 1..self.geo.seats() {
            all.push(self.cells_for(cells, seat as Seat, absolute, false)?.into_iter().collect());
        }
        Some(all)
    }

    /// The number of the zone that a phrase describes.
    pub fn zone_of(&mut self, cells: &sb::Cells) -> Option<ZoneId> {
        if let ([part], None) = (cells.parts.as_slice(), &cells.except)
            && let [CellsAtom::Word(word)] = part.as_slice()
            && self.is_zone(&word.node)
        {
            return self.zone(&word.node);
        }
        let found = self.static_cells(cells, false)?;
        let name = self.texts.line(cells.span);
        Some(self.zone_id(&name, found))
    }

    fn cells_for(&mut self, cells: &sb::Cells, seat: Seat, absolute: bool, say: bool) -> Option<BTreeSet<Cell>> {
        let mut out = BTreeSet::new();
        let mut failed = false;
        for part in &cells.parts {
            let mut common: Option<BTreeSet<Cell>> = None;
            for atom in part {
                match self.atom_for(atom, seat, absolute, say) {
                    Some(found) => {
                        common = Some(match common {
                            Some(before) => before.intersection(&found).copied().collect(),
                            None => found,
                        });
                    }
                    None => failed = true,
                }
            }
            out.extend(common.unwrap_or_default());
        }
        if let Some(except) = &cells.except {
            match self.cells_for(except, seat, absolute, say) {
                Some(less) => out.retain(|c| !less.contains(c)),
                None => failed = true,
            }
        }
        (!failed).then_some(out)
    }

    fn atom_for(&mut self, atom: &CellsAtom, seat: Seat, absolute: bool, say: bool) -> Option<BTreeSet<Cell>> {
        let turn = |cx: &Cx, cells: BTreeSet<Cell>| -> BTreeSet<Cell> {
            if absolute { cells } else { cells.into_iter().map(|c| cx.geo.seen(c, seat)).collect() }
        };
        let inside = |cx: &Cx, files: (u32, u32), ranks: (u32, u32)| -> BTreeSet<Cell> {
            let within = |n: u16, (low, high): (u32, u32)| (low.min(high)..=low.max(high)).contains(&u32::from(n));
            cx.geo
                .board
                .cells
                .iter()
                .enumerate()
                .filter(|(_, c)| within(c.file, files) && within(c.rank, ranks))
                .map(|(i, _)| i as Cell)
                .collect()
        };
        match atom {
            CellsAtom::Ranks(low, high) => {
                let ranks = u32::from(self.geo.ranks);
                for end in [low, high] {
                    if !(1..=ranks).contains(&end.node) {
                        if say {
                            self.off_board(
                                "off-board",
                                end.span,
                                format!("there is no rank {} on this board", end.node),
                                format!("its ranks are 1 to {ranks}"),
                            );
                        }
                        return None;
                    }
                }
                let found = inside(self, (0, u32::MAX), (low.node - 1, high.node - 1));
                Some(turn(self, found))
            }
            CellsAtom::Files(low, high) => {
                let mut ends = [0; 2];
                for (end, word) in ends.iter_mut().zip([low, high]) {
                    match geometry::file_number(&word.node) {
                        Some(n) if n < u32::from(self.geo.files) => *end = n,
                        _ => {
                            if say {
                                let last = geometry::file_name(self.geo.files - 1);
                                self.off_board(
                                    "off-board",
                                    word.span,
                                    format!("there is no file `{}` on this board", word.node),
                                    format!("its files are a to {last}"),
                                );
                            }
                            return None;
                        }
                    }
                }
                let found = inside(self, (ends[0], ends[1]), (0, u32::MAX));
                Some(turn(self, found))
            }
            CellsAtom::Cell(word) => {
                let cell = self.cell(word, say)?;
                Some(turn(self, BTreeSet::from([cell])))
            }
            CellsAtom::Rectangle(a, b) => {
                let (a, b) = (self.cell(a, say), self.cell(b, say));
                let (a, b) = (&self.geo.board.cells[a? as usize], &self.geo.board.cells[b? as usize]);
                let pair = |x: u16, y: u16| (u32::from(x), u32::from(y));
                let found = inside(self, pair(a.file, b.file), pair(a.rank, b.rank));
                Some(turn(self, found))
            }
            CellsAtom::Word(word) => {
                if let Some(id) = self.zone(&word.node) {
                    return Some(self.zones[id as usize].cells[seat as usize].iter().copied().collect());
                }
                if say {
                    self.unknown_zone(word);
                }
                None
            }
            CellsAtom::Group(cells) => self.cells_for(cells, seat, absolute, say),
        }
    }

    fn unknown_zone(&mut self, word: &Word) {
        if self.zone_decls.iter().any(|z| z.decl.name.node == word.node) {
            return;
        }
        if BUILTIN_ZONES.contains(&word.node.as_str()) {
            self.error(
                "unknown-zone",
                word.span,
                format!("this board has no `{}` cells", word.node),
                "only a board of squares is coloured; define a zone of your own",
            );
            return;
        }
        let is = if self.defines.contains_key(&word.node) || self.marks.iter().any(|m| m.name == word.node) {
            Some("changes during the game")
        } else if self.settings.get(&word.node).is_some() {
            Some("is an option")
        } else {
            None
        };
        if let Some(is) = is {
            self.error(
                "unknown-zone",
                word.span,
                format!("`{}` {is}, and cells that stay are expected", word.node),
                "here only ranks, files, cells and zones can stand",
            );
            return;
        }
        let mut known: Vec<_> =
            self.zone_decls.iter().map(|z| (z.decl.name.node.clone(), Some(z.decl.name.span))).collect();
        known.extend(BUILTIN_ZONES.iter().filter(|w| self.geo.builtin(w).is_some()).map(|w| ((*w).to_owned(), None)));
        self.report.unknown("unknown-zone", "zone", word, &known);
    }

    /// The cell of this name; an unknown one is said, if asked for.
    pub fn cell(&mut self, word: &Word, say: bool) -> Option<Cell> {
        let found = self.geo.named(&word.node);
        if found.is_none() && say {
            let help = self.geo.near(&word.node);
            self.off_board("off-board", word.span, format!("there is no cell `{}` on this board", word.node), help);
        }
        found
    }

    /// A phrase of cells as a set that the sentence's viewer sees.
    pub fn cells_set(&mut self, cells: &sb::Cells, env: &Env) -> Option<Set> {
        if !env.absolute() && self.is_static(cells) {
            return self.zone_of(cells).map(Set::Zone);
        }
        let mut parts = Vec::new();
        let mut failed = false;
        for part in &cells.parts {
            let atoms: Vec<_> = part.iter().map(|a| self.atom_set(a, env)).collect();
            match atoms.into_iter().collect::<Option<Vec<_>>>() {
                Some(atoms) => parts.push(fold::both(atoms)),
                None => failed = true,
            }
        }
        let except = match &cells.except {
            Some(except) => match self.cells_set(except, env) {
                Some(set) => Some(set),
                None => return None,
            },
            None => None,
        };
        if failed {
            return None;
        }
        let whole = fold::either(parts);
        Some(match except {
            Some(except) => fold::minus(whole, except),
            None => whole,
        })
    }

    fn atom_set(&mut self, atom: &CellsAtom, env: &Env) -> Option<Set> {
        match atom {
            CellsAtom::Group(cells) => self.cells_set(cells, env),
            CellsAtom::Word(word) => self.word_set(word, env),
            CellsAtom::Ranks(..) | CellsAtom::Files(..) | CellsAtom::Cell(_) | CellsAtom::Rectangle(..) => {
                if env.absolute() {
                    return self.atom_for(atom, 0, true, true).map(|c| Set::Cells(c.into_iter().collect()));
                }
                let span = match atom {
                    CellsAtom::Ranks(a, b) => a.span.to(b.span),
                    CellsAtom::Files(a, b) | CellsAtom::Rectangle(a, b) => a.span.to(b.span),
                    CellsAtom::Cell(w) | CellsAtom::Word(w) => w.span,
                    CellsAtom::Group(c) => c.span,
                };
                let cells = sb::Cells { parts: vec![vec![atom.clone()]], except: None, span };
                self.zone_of(&cells).map(Set::Zone)
            }
        }
    }

    /// Whether the phrase names only cells that stay.
    fn is_static(&self, cells: &sb::Cells) -> bool {
        let atom = |a: &CellsAtom| match a {
            CellsAtom::Word(w) => self.is_zone(&w.node) || !self.is_dynamic(&w.node),
            CellsAtom::Group(c) => self.is_static(c),
            CellsAtom::Ranks(..) | CellsAtom::Files(..) | CellsAtom::Cell(_) | CellsAtom::Rectangle(..) => true,
        };
        cells.parts.iter().flatten().all(atom) && cells.except.as_ref().is_none_or(|c| self.is_static(c))
    }

    fn is_dynamic(&self, name: &str) -> bool {
        self.defines.contains_key(name)
            || self.marks.iter().any(|m| m.name == name)
            || geometry::direction_words().any(|w| w == name)
    }

    /// Directions for each seat, without repetitions.
    pub fn dirs(&mut self, phrase: &DirsPhrase, env: &Env) -> Option<Dirs> {
        let mut out: Dirs = vec![Vec::new(); self.geo.seats()];
        let mut failed = false;
        for part in &phrase.parts {
            match self.dir(part, env) {
                Some(dirs) => {
                    for (all, new) in out.iter_mut().zip(dirs) {
                        for d in new {
                            if !all.contains(&d) {
                                all.push(d);
                            }
                        }
                    }
                }
                None => failed = true,
            }
        }
        (!failed).then_some(out)
    }

    fn dir(&mut self, dir: &Dir, env: &Env) -> Option<Dirs> {
        let word = match dir {
            Dir::Word(word) => word,
            Dir::Shown { span, .. } => {
                self.error(
                    "direction-changes",
                    *span,
                    "these directions depend on how a cube lies",
                    "they can stand only behind `tip`; elsewhere name the directions",
                );
                return None;
            }
        };
        if let Some(dirs) = self.geo.word(&word.node) {
            return Some(dirs);
        }
        if geometry::direction_words().any(|w| w == word.node) {
            let known = geometry::direction_words().filter(|w| self.geo.word(w).is_some());
            let names: Vec<String> = known.map(|w| format!("`{w}`")).collect();
            self.error(
                "unknown-direction",
                word.span,
                format!("there is no direction `{}` on a board of hexagons", word.node),
                format!("its directions are {}", crate::base::words::all_of(&names)),
            );
            return None;
        }
        if self.defines.contains_key(&word.node) {
            let (define, mut inner) = self.enter(word, env)?;
            inner.params.clear();
            return match &define.body {
                DefineBody::Directions(dirs) => self.dirs(dirs, &inner),
                DefineBody::Cond(cond) => match super::expr::cond_word(cond) {
                    Some(word) => self.dir(&Dir::Word(word), &inner),
                    None => self.not_directions(word),
                },
                DefineBody::Number(_) => self.not_directions(word),
            };
        }
        let mut known: Vec<(String, Option<Span>)> =
            geometry::direction_words().filter(|w| self.geo.word(w).is_some()).map(|w| (w.to_owned(), None)).collect();
        known.extend(
            self.defines
                .values()
                .filter(|d| matches!(d.body, DefineBody::Directions(_)))
                .map(|d| (d.name.node.clone(), Some(d.name.span))),
        );
        self.report.unknown("unknown-direction", "direction", word, &known);
        None
    }

    fn not_directions(&mut self, word: &Word) -> Option<Dirs> {
        self.error(
            "unknown-direction",
            word.span,
            format!("`{}` does not stand for directions", word.node),
            "directions are `any`, `orthogonal`, `diagonal`, `forward` and so on",
        );
        None
    }

    /// All directions, in each seat's order.
    pub fn any_dirs(&self) -> Dirs {
        let any: Vec<DirId> = self.geo.board.any.clone();
        self.geo.facing(&any)
    }

    /// Directions along ranks and files, in each seat's order.
    pub fn orthogonal_dirs(&self) -> Dirs {
        let dirs: Vec<DirId> = self.geo.board.orthogonal.clone();
        self.geo.facing(&dirs)
    }
}
