//! Merging: the parent's statements, the file's own, the chosen variants', with `override`, `without` and `extend`.

use super::option::Settings;
use super::report::Report;
use super::texts::Texts;
use crate::base::words::nearest;
use crate::base::{Diagnostic, Span};
use crate::syntax::Word;
use crate::syntax::game::{Item, ItemKind, Key as WrittenKey};
use crate::syntax::piece::{Clause, ClauseKind, Extend, Piece, Trait};
use std::collections::HashMap;
use std::fmt;

/// By what a statement is found again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// `board`, `turn`, …: at most one of them.
    Word(&'static str),
    /// `piece Queen`, `zone start`, ….
    Named(&'static str, String),
    /// `rule label`.
    Label(String),
    /// `after capture`, `mover wins`: only to override or remove, and it need not be the only one.
    Header(String),
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Word(word) => write!(f, "{word}"),
            Key::Named(kind, name) => write!(f, "{kind} {name}"),
            Key::Label(label) => write!(f, "rule {label}"),
            Key::Header(header) => write!(f, "{header}"),
        }
    }
}

/// Where statements come from: a file or one of the chosen variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    File(usize),
    Variant(usize),
}

/// A statement that stands.
#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    pub key: Key,
    pub item: Item,
    /// Which layer wrote it.
    layer: Layer,
    /// What else variants changed in it, by which, and where.
    touched: Vec<(Part, usize, Span)>,
}

/// A part of a statement that a variant may change.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Whole,
    /// The line of a piece with this key.
    Line(String),
    Worth(i64),
    /// A line without a key, or a trait: others may add more.
    Added,
}

impl Part {
    /// Whether the order in which both are changed shows.
    fn clashes(&self, other: &Part) -> bool {
        match (self, other) {
            (Part::Whole, _) | (_, Part::Whole) => true,
            (Part::Line(a), Part::Line(b)) => a == b,
            (Part::Worth(a), Part::Worth(b)) => a != b,
            _ => false,
        }
    }
}

/// What became of the rule that no royal may be left attacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Safety {
    Built,
    /// A statement labelled `safety` stands for it.
    Overridden,
    Removed,
}

/// All statements that stand, in order.
#[derive(Clone, Debug)]
pub(crate) struct Merged {
    pub stmts: Vec<Stmt>,
    pub safety: Safety,
}

/// The kinds that stand in keys, as `without` writes them.
const NAMED: [&str; 7] = ["piece", "zone", "option", "define", "mark", "remember", "counter"];
const WORDS: [&str; 8] = ["players", "board", "symmetry", "ladder", "hand", "setup", "turn", "name"];

/// Merges layers.
pub(crate) struct Merger<'a> {
    pub texts: &'a Texts,
    pub settings: &'a Settings,
    pub report: &'a mut Report,
    /// Names of the chosen variants.
    pub variants: &'a [String],
    pub out: Merged,
    /// Where the statements of each key stand in it.
    places: HashMap<Key, Vec<usize>>,
    /// What was removed, by which layer.
    removed: Vec<(Key, Layer, Span)>,
}

impl<'a> Merger<'a> {
    pub fn new(texts: &'a Texts, settings: &'a Settings, report: &'a mut Report, variants: &'a [String]) -> Merger<'a> {
        let out = Merged { stmts: Vec::new(), safety: Safety::Built };
        Merger { texts, settings, report, variants, out, places: HashMap::new(), removed: Vec::new() }
    }

    /// Adds the statements of a layer.
    pub fn layer(&mut self, items: &[Item], layer: Layer) {
        let mut flat = Vec::new();
        self.flatten(items, &mut flat);
        let (extends, others): (Vec<&Item>, Vec<&Item>) =
            flat.into_iter().partition(|i| matches!(i.kind, ItemKind::Extend(_)));
        for item in others {
            self.item(item, layer);
        }
        for item in extends {
            if let ItemKind::Extend(extend) = &item.kind {
                self.extend(extend, layer);
            }
        }
    }

    /// Opens `when` blocks over options and drops what options switch off.
    fn flatten<'i>(&mut self, items: &'i [Item], out: &mut Vec<&'i Item>) {
        for item in items {
            if self.settings.allow(&item.only, self.report) == Some(false) {
                continue;
            }
            match &item.kind {
                ItemKind::When { cond, items, otherwise } => match self.settings.decide(cond, self.report) {
                    Some(true) => self.flatten(items, out),
                    Some(false) => self.flatten(otherwise, out),
                    None => {}
                },
                _ => out.push(item),
            }
        }
    }

    fn item(&mut self, item: &Item, layer: Layer) {
        match &item.kind {
            ItemKind::Variant(_) | ItemKind::Test(_) | ItemKind::By { .. } | ItemKind::About { .. } => {}
            ItemKind::When { .. } | ItemKind::Extend(_) => {}
            ItemKind::Without(key) => self.without(key, item.span, layer),
            ItemKind::Piece(piece) => {
                for name in &piece.names {
                    let mut one = piece.clone();
                    one.names = vec![name.clone()];
                    let item = Item { kind: ItemKind::Piece(one), ..item.clone() };
                    self.put(item, Some(Key::Named("piece", name.node.clone())), layer);
                }
            }
            _ => {
                let key = self.key(item);
                self.put(item.clone(), key, layer);
            }
        }
    }

    fn key(&self, item: &Item) -> Option<Key> {
        match &item.label {
            Some(label) => Some(Key::Label(label.node.clone())),
            None => self.unlabelled(item),
        }
    }

    /// The key that it has, or would have without its label.
    fn unlabelled(&self, item: &Item) -> Option<Key> {
        let named = |kind, name: &Word| Some(Key::Named(kind, name.node.clone()));
        match &item.kind {
            ItemKind::Players(_) => Some(Key::Word("players")),
            ItemKind::Board(_) => Some(Key::Word("board")),
            ItemKind::Symmetry(_) => Some(Key::Word("symmetry")),
            ItemKind::Ladder(_) => Some(Key::Word("ladder")),
            ItemKind::Hand(_) => Some(Key::Word("hand")),
            ItemKind::Setup(_) => Some(Key::Word("setup")),
            ItemKind::Turn(_) => Some(Key::Word("turn")),
            ItemKind::Zone(z) => named("zone", &z.name),
            ItemKind::Cube(c) => named("piece", &c.name),
            ItemKind::Piece(p) => p.names.first().and_then(|n| named("piece", n)),
            ItemKind::Remember(r) => named("remember", &r.name),
            ItemKind::Counter(c) => named("counter", &c.name),
            ItemKind::Mark(m) => named("mark", &m.name),
            ItemKind::Option(o) => named("option", &o.name),
            ItemKind::Define(d) => named("define", &d.name),
            ItemKind::After(a) => Some(Key::Header(header(&self.texts.line(a.header)))),
            ItemKind::Outcome(o) => Some(Key::Header(header(&self.texts.line(o.header)))),
            ItemKind::Forbid(f) => {
                let piece = f.piece.as_ref().map(|p| format!(" {}", p.node)).unwrap_or_default();
                Some(Key::Header(format!("forbid {}{piece}", f.act.node)))
            }
            ItemKind::Prefer(_) => Some(Key::Header(header(&self.texts.line(item.span)))),
            ItemKind::By { .. }
            | ItemKind::About { .. }
            | ItemKind::Extend(_)
            | ItemKind::Without(_)
            | ItemKind::Variant(_)
            | ItemKind::When { .. }
            | ItemKind::Test(_) => None,
        }
    }

    fn find(&self, key: &Key) -> Vec<usize> {
        self.places.get(key).cloned().unwrap_or_default()
    }

    /// The statements with this key that a layer can mean: not what another variant adds beside others of the same header.
    fn meant(&self, key: &Key, layer: Layer) -> Vec<usize> {
        let added = |s: &Stmt| matches!(s.layer, Layer::Variant(_)) && s.layer != layer && s.item.overrides.is_none();
        let mut found = self.find(key);
        if matches!((key, layer), (Key::Header(_), Layer::Variant(_))) {
            found.retain(|i| !added(&self.out.stmts[*i]));
        }
        found
    }

    /// Finds all places anew, after statements have moved.
    fn place_all(&mut self) {
        self.places.clear();
        for (i, stmt) in self.out.stmts.iter().enumerate() {
            self.places.entry(stmt.key.clone()).or_default().push(i);
        }
    }

    fn put(&mut self, item: Item, key: Option<Key>, layer: Layer) {
        let Some(key) = key else { return };
        let found = self.find(&key);
        let stmt = Stmt { key: key.clone(), item, layer, touched: Vec::new() };
        if stmt.item.overrides.is_some() {
            if key == Key::Label("safety".to_owned()) && found.is_empty() && self.out.safety == Safety::Built {
                self.out.safety = Safety::Overridden;
                self.out.stmts.insert(0, stmt);
                self.place_all();
                return;
            }
            match self.meant(&key, layer).as_slice() {
                [] => {
                    let name = match &key {
                        Key::Label(_) => stmt.item.label.as_ref().map(|l| l.span),
                        Key::Named(..) => Some(place(&stmt.item)),
                        _ => None,
                    };
                    self.nothing(&key, stmt.item.overrides.unwrap_or(stmt.item.span), name, layer, "override");
                }
                [i] => {
                    let i = *i;
                    if self.may_touch(i, &Part::Whole, stmt.item.span, layer) {
                        let touched = std::mem::take(&mut self.out.stmts[i].touched);
                        self.out.stmts[i] = Stmt { touched, ..stmt };
                    }
                }
                many => self.ambiguous(&key, many, stmt.item.span, "override"),
            }
            return;
        }
        if key == Key::Label("safety".to_owned()) && found.is_empty() && self.out.safety == Safety::Built {
            self.report.push(
                Diagnostic::error(
                    "duplicate",
                    "rule `safety` is there already: no royal piece may be left attacked",
                    stmt.item.span,
                )
                .help("to replace it write `override rule safety: …`")
                .suggest(before(stmt.item.span), "override "),
            );
            return;
        }
        if let ([first, ..], false) = (found.as_slice(), matches!(key, Key::Header(_))) {
            let old = &self.out.stmts[*first];
            let (place, other) = (place(&stmt.item), place(&old.item));
            if let (Layer::Variant(a), Layer::Variant(b)) = (old.layer, layer)
                && a != b
            {
                self.conflict(&key, place, other, a, b);
                return;
            }
            let d = Diagnostic::error("duplicate", format!("`{key}` is already defined"), place)
                .label(other, "first defined here");
            self.report.push(if old.layer == layer && matches!(stmt.item.kind, ItemKind::Setup(_)) {
                d.help("write both in one, as in `setup { Rook on a1; Pawn on rank 2 }`")
            } else if old.layer == layer {
                d.help("remove one of the two")
            } else {
                d.help(format!("to replace it write `override {key} …`")).suggest(before(stmt.item.span), "override ")
            });
            return;
        }
        self.places.entry(key).or_default().push(self.out.stmts.len());
        self.out.stmts.push(stmt);
    }

    /// Whether a variant may change a part of a statement, as no other has; notes that it does.
    fn may_touch(&mut self, i: usize, part: &Part, span: Span, layer: Layer) -> bool {
        let Layer::Variant(me) = layer else { return true };
        let old = &mut self.out.stmts[i];
        let other = match old.layer {
            Layer::Variant(v) if v != me => Some((v, place(&old.item))),
            _ => {
                let mut touched = old.touched.iter().filter(|(w, v, _)| *v != me && w.clashes(part));
                touched.next().map(|(_, v, at)| (*v, *at))
            }
        };
        let Some((other, at)) = other else {
            old.touched.push((part.clone(), me, span));
            return true;
        };
        let key = old.key.clone();
        self.conflict(&key, span, at, other, me);
        false
    }

    fn conflict(&mut self, key: &Key, span: Span, other_span: Span, other: usize, me: usize) {
        let (a, b) = (&self.variants[other], &self.variants[me]);
        self.report.push(
            Diagnostic::error("variant-conflict", format!("variants \"{a}\" and \"{b}\" both change `{key}`"), span)
                .here(format!("changed by \"{b}\""))
                .label(other_span, format!("changed by \"{a}\""))
                .help("play with one of the two"),
        );
    }

    /// Whether another variant has removed what this one would change; says so.
    fn removed_by_another(&mut self, key: &Key, span: Span, layer: Layer) -> bool {
        if let (Some((_, Layer::Variant(other), at)), Layer::Variant(me)) =
            (self.removed.iter().find(|(k, _, _)| k == key).cloned(), layer)
            && other != me
        {
            self.conflict(key, span, at, other, me);
            return true;
        }
        false
    }

    /// Says that there is nothing with this key to `override` or to go `without`. `name` is where its name stands.
    fn nothing(&mut self, key: &Key, span: Span, name: Option<Span>, layer: Layer, verb: &str) {
        if self.removed_by_another(key, span, layer) {
            return;
        }
        if let Key::Label(label) | Key::Named(_, label) = key
            && let Some(help) = self.report.in_variant(label)
        {
            let error =
                Diagnostic::error("nothing-to-change", format!("there is no `{key}` to {}", verb_of(verb)), span);
            return self.report.push(error.help(help));
        }
        let known: Vec<String> = self
            .out
            .stmts
            .iter()
            .map(|s| &s.key)
            .filter(|k| std::mem::discriminant(*k) == std::mem::discriminant(key))
            .map(Key::to_string)
            .collect();
        let message = format!("there is no `{key}` to {}", verb_of(verb));
        match self.labelled(key).as_slice() {
            [] => {}
            [(label, at)] => {
                let name = if verb == "override" { format!("{label}: …") } else { label.clone() };
                let help = format!("that line has a name: write `{verb} {name}`");
                let error = Diagnostic::error("nothing-to-change", message, span).label(*at, "it is here");
                return self.report.push(error.help(help));
            }
            many => {
                let named = listed(many);
                let help = match verb {
                    "override" => {
                        format!("by name there is {named}: say `override rule NAME: …`, or leave out `override`")
                    }
                    _ => format!("by name there is {named}: say `without rule NAME`"),
                };
                return self.report.push(Diagnostic::error("nothing-to-change", message, span).help(help));
            }
        }
        let near = nearest(&key.to_string(), known.iter().map(String::as_str));
        let at = near.and(name).unwrap_or(span);
        let mut d = Diagnostic::error("nothing-to-change", message, at);
        match near {
            Some(near) => {
                if let Some(s) = self.out.stmts.iter().find(|s| s.key.to_string() == near) {
                    d = d.label(place(&s.item), format!("`{near}` is here"));
                    if let (Key::Label(right) | Key::Named(_, right), Some(name)) = (&s.key, name) {
                        d = d.suggest(name, right.as_str());
                    }
                }
                d = d.help(format!("did you mean `{near}`?"));
            }
            None => {
                if verb == "override" {
                    d = d.suggest(Span { end: span.end + 1, ..span }, "");
                }
                d = d.help(match (verb, known.is_empty()) {
                    ("override", _) => "to add it leave out the word `override`".to_owned(),
                    (_, true) => "nothing of this sort is inherited".to_owned(),
                    (_, false) => {
                        let mut list: Vec<String> = known.iter().map(|k| format!("`{k}`")).collect();
                        list.dedup();
                        list.truncate(12);
                        format!("there is {}", crate::base::words::all_of(&list))
                    }
                });
            }
        }
        self.report.push(d);
    }

    /// The statements with labels that have this header, each as `rule long`, and where it stands.
    fn labelled(&self, key: &Key) -> Vec<(String, Span)> {
        let all = self.out.stmts.iter().filter(|s| matches!(s.key, Key::Label(_)));
        let alike = all.filter(|s| self.unlabelled(&s.item).as_ref() == Some(key));
        alike.map(|s| (s.key.to_string(), s.item.span)).take(12).collect()
    }

    fn ambiguous(&mut self, key: &Key, many: &[usize], span: Span, verb: &str) {
        let places: Vec<Span> = many.iter().take(5).map(|i| place(&self.out.stmts[*i].item)).collect();
        let own = places.iter().any(|at| at.file == span.file);
        let mut error = Diagnostic::error("ambiguous-header", format!("there is more than one `{key}`"), span);
        for (i, at) in places.into_iter().enumerate() {
            error = error.label(at, if i == 0 { "one is here" } else { "another is here" });
        }
        error = error.help(match own {
            true => format!(
                "give the one you mean a name where it is written, `rule NAME: {key} …`, and say `{verb} rule NAME{}`",
                if verb == "override" { ": …" } else { "" }
            ),
            false => "only a line that has a name, or is the only one of its kind, can be changed from another file: \
                      copy the text of that game into this file in place of `extends`, and change the line there"
                .to_owned(),
        });
        let labelled = self.labelled(key);
        self.report.push(match labelled.is_empty() {
            true => error,
            false => error.help(format!("by name there is {}", listed(&labelled))),
        });
    }

    fn without(&mut self, written: &WrittenKey, span: Span, layer: Layer) {
        let key = match written {
            WrittenKey::Label(label) => Key::Label(label.node.clone()),
            WrittenKey::Word(word) => match WORDS.iter().find(|w| **w == word.node) {
                Some(w) => Key::Word(w),
                None => Key::Header(header(&word.node)),
            },
            WrittenKey::Named(kind, name) => {
                let kind = if kind.node == "cube" { "piece" } else { kind.node.as_str() };
                match NAMED.iter().find(|k| **k == kind) {
                    Some(k) => Key::Named(k, name.node.clone()),
                    None => Key::Header(header(&format!("{kind} {}", name.node))),
                }
            }
            WrittenKey::Header(text) => Key::Header(header(&text.node)),
        };
        if let Key::Named("option", name) = &key {
            let message = format!("the option `{name}` cannot be removed: other lines may ask for it");
            let help = format!("give it one value for good, as in `override option {name} = yes (yes)`");
            let d = Diagnostic::error("without-option", message, span).help(help);
            let option = self.settings.get(name).map(|s| s.span);
            self.report.push(match option {
                Some(option) => d.label(option, "the option is declared here"),
                None => d,
            });
            return;
        }
        if key == Key::Label("safety".to_owned()) && self.out.safety == Safety::Built {
            self.out.safety = Safety::Removed;
            self.removed.push((key, layer, span));
            return;
        }
        match self.meant(&key, layer).as_slice() {
            [] => {
                let name = match written {
                    WrittenKey::Label(label) => Some(label.span),
                    _ => None,
                };
                self.nothing(&key, span, name, layer, "without");
            }
            [i] => {
                let i = *i;
                if self.may_touch(i, &Part::Whole, span, layer) {
                    let gone = self.out.stmts.remove(i);
                    if let ItemKind::Piece(Piece { names, glyph, .. }) = gone.item.kind
                        && let Some(name) = names.into_iter().next()
                    {
                        self.report.removed.push((name, glyph.map(|g| g.node).unwrap_or_default(), span));
                    }
                    self.place_all();
                    self.removed.push((key, layer, span));
                }
            }
            many => self.ambiguous(&key, many, span, "without"),
        }
    }

    fn extend(&mut self, extend: &Extend, layer: Layer) {
        for name in &extend.names {
            let key = Key::Named("piece", name.node.clone());
            let Some(&i) = self.find(&key).first() else {
                if self.removed_by_another(&key, name.span, layer) {
                    continue;
                }
                let known: Vec<(String, Option<Span>)> = self
                    .out
                    .stmts
                    .iter()
                    .filter_map(|s| match &s.key {
                        Key::Named("piece", n) => Some((n.clone(), Some(place(&s.item)))),
                        _ => None,
                    })
                    .collect();
                self.report.unknown("unknown-piece", "piece", name, &known);
                continue;
            };
            if !self.may_touch(i, &Part::Added, name.span, layer) {
                continue;
            }
            self.add_traits(i, &extend.traits, layer);
            for clause in &extend.clauses {
                self.add_clause(i, name, clause, layer, extend.span);
            }
        }
    }

    fn add_traits(&mut self, i: usize, new: &[crate::base::Spanned<Trait>], layer: Layer) {
        for t in new {
            let part = match t.node {
                Trait::Worth(n) => Part::Worth(n),
                Trait::Royal | Trait::Uncapturable | Trait::Neutral => Part::Added,
            };
            if !self.may_touch(i, &part, t.span, layer) {
                continue;
            }
            let traits = match &mut self.out.stmts[i].item.kind {
                ItemKind::Piece(p) => &mut p.traits,
                ItemKind::Cube(c) => &mut c.traits,
                _ => return,
            };
            if matches!(t.node, Trait::Worth(_)) {
                traits.retain(|old| !matches!(old.node, Trait::Worth(_)));
            }
            if !traits.iter().any(|old| old.node == t.node) {
                traits.push(t.clone());
            }
        }
    }

    fn clauses(&mut self, i: usize) -> Option<&mut Vec<Clause>> {
        match &mut self.out.stmts[i].item.kind {
            ItemKind::Piece(p) => Some(&mut p.clauses),
            ItemKind::Cube(c) => Some(&mut c.clauses),
            _ => None,
        }
    }

    fn add_clause(&mut self, i: usize, piece: &Word, clause: &Clause, layer: Layer, body: Span) {
        let key = clause_key(clause);
        let Some(clauses) = self.clauses(i) else { return };
        let found: Vec<usize> =
            (0..clauses.len()).filter(|&c| key.is_some() && clause_key(&clauses[c]) == key).collect();
        let inherited = found.first().map(|&c| clauses[c].span);
        let part = key.clone().map_or(Part::Added, Part::Line);
        match (clause.overrides, inherited) {
            (None, Some(old)) if !within(old, body) => {
                if !self.may_touch(i, &part, clause.span, layer) {
                    return;
                }
                let key = key.unwrap_or_default();
                self.report.push(
                    Diagnostic::error(
                        "duplicate",
                        format!("`{key}` of `{}` is already defined", piece.node),
                        clause.span,
                    )
                    .label(old, "first defined here")
                    .help(format!("to replace it write `override {key} …`"))
                    .suggest(before(clause.span), "override "),
                );
            }
            (None, _) => {
                if self.may_touch(i, &part, clause.span, layer)
                    && let Some(clauses) = self.clauses(i)
                {
                    clauses.push(clause.clone());
                }
            }
            (Some(_), Some(_)) => {
                if !self.may_touch(i, &part, clause.span, layer) {
                    return;
                }
                let Some(clauses) = self.clauses(i) else { return };
                clauses[found[0]] = clause.clone();
                let mut at = 0;
                clauses.retain(|_| {
                    at += 1;
                    !found[1..].contains(&(at - 1))
                });
            }
            (Some(at), None) => {
                let known: Vec<String> = clauses.iter().filter_map(clause_key).collect();
                let name = key.clone().unwrap_or_else(|| "such line".to_owned());
                let mut d =
                    Diagnostic::error("nothing-to-change", format!("`{}` has no `{name}` to override", piece.node), at);
                let elsewhere = key.as_ref().and_then(|key| self.report.in_variant(key));
                d = match (key, known.is_empty()) {
                    _ if elsewhere.is_some() => elsewhere.into_iter().fold(d, Diagnostic::help),
                    (None, _) => d.help(
                        "only `promote` and lines with a label can be overridden; label the inherited line, `NAME: …`",
                    ),
                    (Some(_), true) => d.help("to add the line leave out the word `override`"),
                    (Some(key), false) => match nearest(&key, known.iter().map(String::as_str)) {
                        Some(near) => d.help(format!("did you mean `{near}`?")),
                        None => d.help("to add the line leave out the word `override`"),
                    },
                };
                self.report.push(d);
            }
        }
    }
}

/// What `override` and `without` do.
fn verb_of(word: &str) -> &str {
    if word == "override" { word } else { "remove" }
}

/// The place right before a statement.
fn before(span: Span) -> Span {
    Span { end: span.start, ..span }
}

fn within(inner: Span, outer: Span) -> bool {
    inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end
}

/// By what a line of a piece is found again.
fn clause_key(clause: &Clause) -> Option<String> {
    match (&clause.label, &clause.kind) {
        (Some(label), _) => Some(label.node.clone()),
        (None, ClauseKind::Promote { .. }) => Some("promote".to_owned()),
        (None, ClauseKind::Move(_) | ClauseKind::MovesAs { .. } | ClauseKind::After(_) | ClauseKind::Betza(_)) => None,
    }
}

/// A header without the word that ends it.
fn header(text: &str) -> String {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    if words.ends_with(&["as", "soon", "as"]) {
        words.truncate(words.len() - 3);
    }
    while matches!(words.last(), Some(&"when" | &"{")) {
        words.pop();
    }
    words.join(" ")
}

/// The name of what a statement defines, or the whole statement.
pub(crate) fn place(item: &Item) -> Span {
    match &item.kind {
        ItemKind::Piece(p) => p.names.first().map_or(item.span, |n| n.span),
        ItemKind::Cube(c) => c.name.span,
        ItemKind::Zone(z) => z.name.span,
        ItemKind::Remember(r) => r.name.span,
        ItemKind::Counter(c) => c.name.span,
        ItemKind::Mark(m) => m.name.span,
        ItemKind::Option(o) => o.name.span,
        ItemKind::Define(d) => d.name.span,
        ItemKind::Variant(v) => v.name.span,
        ItemKind::Test(t) => t.name.span,
        ItemKind::Ladder(l) => l.span,
        ItemKind::Board(b) => b.span,
        ItemKind::Turn(t) => Span { end: t.span.end.min(t.span.start + 4), ..t.span },
        ItemKind::Hand(h) => h.span,
        ItemKind::After(a) => a.header,
        ItemKind::Outcome(o) => o.header,
        ItemKind::Extend(e) => e.names.first().map_or(item.span, |n| n.span),
        ItemKind::By { .. }
        | ItemKind::About { .. }
        | ItemKind::Players(_)
        | ItemKind::Symmetry(_)
        | ItemKind::Setup(_)
        | ItemKind::Prefer(_)
        | ItemKind::Forbid(_)
        | ItemKind::Without(_)
        | ItemKind::When { .. } => item.label.as_ref().map_or(item.span, |l| l.span),
    }
}

/// Names of statements, in a sentence.
fn listed(labelled: &[(String, Span)]) -> String {
    let names: Vec<String> = labelled.iter().map(|(name, _)| format!("`{name}`")).collect();
    crate::base::words::all_of(&names)
}
