//! From the syntax tree to the intermediate representation, with findings for everything that cannot be meant.
//!
//! Statements are merged first ([`Definition`]: parents, own, variants, options), then names are resolved, phrases are
//! typed by where they stand, and everything that depends on geometry or on who looks becomes a table. One file a family
//! of the language; every finding is made where the fault is known, in the words of the language.

mod betza;
mod board;
mod clash;
mod clause;
mod cond;
mod cube;
mod cx;
mod ending;
mod expr;
mod fold;
mod follow;
mod game;
mod geometry;
mod lint;
mod may;
mod notation;
mod num;
mod offered;
mod option;
mod piece;
mod report;
mod resolve;
mod rule;
mod setup;
mod test;
mod texts;
mod turn;
mod walk;
mod ways;
mod written;

pub use option::{Choices, OptionInfo};
pub use test::places as diagram;
pub use written::Places;

use crate::base::words::{all_of, nearest};
use crate::base::{Code, Diagnostic, FileId, Severity, Sources, Span};
use crate::ir;
use crate::syntax::Word;
use crate::syntax::game::{AboutKind, File, Item, ItemKind, Variant};
use crate::syntax::piece::Clause;
use crate::syntax::test::Test;
use game::Head;
use option::Settings;
use report::Report;
use resolve::{Layer, Merged, Merger};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use texts::{Texts, slug, words};
use written::Doubts;

/// How many pairs of variants are tried.
const MAX_PAIRS: usize = 66;

/// How many definitions may extend one another.
pub const MAX_PARENTS: usize = 8;

/// How many variants a game may have, with those of its parents.
pub const MAX_VARIANTS: usize = 64;

/// How much may be read to check a game with each of its variants, options and tests: statements count eight, phrases one, eight targets of
/// leaps one. The first reading is always made.
const MAX_WORK: usize = 300_000;

/// Where `extends` finds other definitions.
pub trait Library {
    /// The text of the game of this name (lower case, as in `extends "chess"`).
    fn text(&self, name: &str) -> Option<String>;

    /// The names it knows, to suggest the nearest.
    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A parsed file with its parents; variants and options are not chosen yet.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The oldest parent first.
    files: Vec<File>,
    texts: Texts,
    /// Those of the last file.
    tests: Vec<Test>,
    /// What could not be read.
    unread: Vec<Diagnostic>,
    /// The `extends` that could not be followed: what it would add is not known.
    missing: Option<Span>,
}

/// A variant as a front end shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantInfo {
    /// `Russian Roulette`.
    pub name: String,
    /// `russian-roulette`.
    pub slug: String,
}

/// Which variants and option values are played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Selection {
    /// Names or slugs, applied left to right.
    pub variants: Vec<String>,
    /// Names and values.
    pub options: Vec<(String, String)>,
}

/// A game and what is to be said of it.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The game.
    pub game: ir::Game,
    /// Where its parts are written.
    pub places: Places,
    /// Findings that do not keep it from being played.
    pub warnings: Vec<Diagnostic>,
}

/// Parses `file` and everything it extends. What could be read is given even if there are errors.
pub fn load(sources: &mut Sources, file: FileId, library: &dyn Library) -> (Option<Definition>, Vec<Diagnostic>) {
    let mut found = Vec::new();
    let mut files: Vec<File> = Vec::new();
    let mut texts = Texts::default();
    let mut names: Vec<String> = Vec::new();
    let mut next = Some(file);
    let mut missing = None;
    while let Some(file) = next.take() {
        texts.keep(sources, file);
        let text = sources.get(file).text.clone();
        let (tree, errors) = crate::syntax::parse(file, &text);
        found.extend(errors);
        let Some(tree) = tree else {
            missing = files.last().and_then(|f: &File| f.extends.as_ref()).map(|w| w.span);
            break;
        };
        if names.is_empty() {
            names.push(slug(&tree.name.node));
        }
        if let Some(parent) = &tree.extends {
            next = find_parent(sources, parent, library, &mut names, &mut found);
            if next.is_none() {
                missing = Some(parent.span);
            }
        }
        files.push(tree);
    }
    let Some(own) = files.first() else { return (None, found) };
    let tests = own.items.iter();
    let tests = tests
        .filter_map(|i| match &i.kind {
            ItemKind::Test(t) => Some(t.clone()),
            _ => None,
        })
        .collect();
    files.reverse();
    (Some(Definition { files, texts, tests, unread: found.clone(), missing }), found)
}

fn find_parent(
    sources: &mut Sources,
    parent: &Word,
    library: &dyn Library,
    names: &mut Vec<String>,
    found: &mut Vec<Diagnostic>,
) -> Option<FileId> {
    let name = slug(&parent.node);
    if names.contains(&name) {
        let mut circle: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
        circle.push(format!("`{name}`"));
        found.push(
            Diagnostic::error("circular", "this game would extend itself", parent.span)
                .note(format!("the chain is {}", circle.join(", ")))
                .help("a game can extend only games that do without it"),
        );
        return None;
    }
    if names.len() > MAX_PARENTS {
        found.push(
            Diagnostic::error("too-deep", format!("more than {MAX_PARENTS} games extend one another"), parent.span)
                .help("extend an earlier game of the chain"),
        );
        return None;
    }
    let Some(text) = library.text(&name) else {
        let mut d =
            Diagnostic::error("unknown-game", format!("there is no game called `{}`", parent.node), parent.span);
        let known = library.names();
        let bare = parent.node.split_once('+').map(|(name, _)| slug(name)).filter(|name| library.text(name).is_some());
        if let Some(name) = bare {
            let help = format!("write `extends \"{name}\"`: its variants are inherited, and chosen when it is played");
            found.push(d.help(help).suggest(parent.span, name));
            return None;
        }
        d = match nearest(&name, known.iter().map(String::as_str)) {
            Some(near) => d.help(format!("did you mean `{near}`?")).suggest(parent.span, near),
            None if known.is_empty() => d.help("a game of the same folder or a shipped one can be extended"),
            None => d.help(format!(
                "a game of the same folder or one of these can be extended: {}",
                all_of(&known.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>())
            )),
        };
        found.push(d);
        return None;
    };
    names.push(name.clone());
    Some(sources.add(format!("{name}.game"), text))
}

impl Definition {
    fn own(&self) -> &File {
        &self.files[self.files.len() - 1]
    }

    /// `game "Name"`.
    pub fn name(&self) -> &str {
        &self.own().name.node
    }

    /// Who made it, with the year if said: `("Luca Cerrato", Some(2001))`.
    pub fn by(&self) -> Vec<(String, Option<i64>)> {
        let items = self.own().items.iter();
        items
            .filter_map(|i| match &i.kind {
                ItemKind::By { author, year } => Some((author.node.clone(), year.as_ref().map(|y| y.node))),
                _ => None,
            })
            .collect()
    }

    /// The `about` lines.
    pub fn about(&self) -> Vec<String> {
        self.said(AboutKind::About)
    }

    /// The `source` lines.
    pub fn source(&self) -> Vec<String> {
        self.said(AboutKind::Source)
    }

    fn said(&self, wanted: AboutKind) -> Vec<String> {
        let items = self.own().items.iter();
        items
            .filter_map(|i| match &i.kind {
                ItemKind::About { what, text } if *what == wanted => Some(text.node.clone()),
                _ => None,
            })
            .collect()
    }

    /// The files it is made of, the oldest parent first.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// The variants and their slugs, up to as many as there may be.
    fn variant_items(&self) -> Vec<(&Variant, String)> {
        let mut out: Vec<(&Variant, String)> = Vec::new();
        for item in self.files.iter().flat_map(|f| &f.items) {
            if let ItemKind::Variant(v) = &item.kind {
                let slug = slug(&v.name.node);
                if !out.iter().any(|(_, other)| *other == slug) {
                    out.push((v, slug));
                }
            }
            if out.len() == MAX_VARIANTS {
                break;
            }
        }
        out
    }

    /// Its variants and those of its parents.
    pub fn variants(&self) -> Vec<VariantInfo> {
        let info = |(v, slug): (&Variant, String)| VariantInfo { name: v.name.node.clone(), slug };
        self.variant_items().into_iter().map(info).collect()
    }

    /// Its options, without those that only a variant adds.
    pub fn options(&self) -> Vec<OptionInfo> {
        self.settings(&[], &mut Report::default()).all.into_iter().map(|s| s.info).collect()
    }

    /// The tests of its own file, in order.
    pub fn tests(&self) -> &[Test] {
        &self.tests
    }

    /// What a test is played with.
    pub fn selection(&self, test: &Test) -> Selection {
        test::selection(test)
    }

    fn settings(&self, variants: &[&Variant], report: &mut Report) -> Settings {
        let mut settings = Settings::default();
        let layers = self.files.iter().map(|f| &f.items).chain(variants.iter().map(|v| &v.items));
        for items in layers {
            declare_options(items, &mut settings, report);
        }
        settings
    }

    /// The game as it is played with these variants and options.
    ///
    /// A definition with parts that could not be read does not compile.
    pub fn compile(&self, choice: &Selection) -> Result<Compiled, Vec<Diagnostic>> {
        if !game::only_warnings(&self.unread) {
            return Err(self.unread.clone());
        }
        let made = self.make(choice, |_, _| ());
        match made.game {
            Some(game) if game::only_warnings(&made.findings) => {
                Ok(Compiled { game, places: made.places, warnings: made.findings })
            }
            _ => Err(made.findings),
        }
    }

    /// A condition as a test asks it: nobody looks, cells are those of the board.
    pub fn compile_cond(
        &self,
        choice: &Selection,
        cond: &crate::syntax::expr::Cond,
    ) -> Result<ir::expr::Cond, Vec<Diagnostic>> {
        let mut out = None;
        let made = self.make(choice, |cx, _| out = test::cond(cx, cond));
        match (made.game, out) {
            (Some(_), Some(cond)) if game::only_warnings(&made.findings) => Ok(cond),
            _ => Err(made.findings),
        }
    }

    fn make(&self, choice: &Selection, with: impl FnOnce(&mut cx::Cx, &ir::Game)) -> Made {
        let mut report = Report::default();
        if let Some(span) = self.missing {
            let message = "the game that this one extends could not be read";
            report.error("unknown-game", span, message, "correct that first");
            return Made { findings: report.findings, used: report.used, ..Made::default() };
        }
        let name = &self.own().name;
        let chosen = self.chosen(&choice.variants, name.span, &mut report);
        let variants: Vec<String> = chosen.iter().map(|v| v.name.node.clone()).collect();
        for (variant, _) in self.variant_items() {
            if !variants.contains(&variant.name.node) {
                let names = declared_names(&variant.items).into_iter();
                report.elsewhere.extend(names.map(|name| (name, variant.name.node.clone())));
            }
        }
        let mut settings = self.settings(&chosen, &mut report);
        set_options(&mut settings, &choice.options, name.span, &mut report);
        if report.failed() {
            return Made { findings: report.findings, used: report.used, ..Made::default() };
        }
        let merged = self.merge(&chosen, &variants, &settings, &mut report);
        let declared = lint::declared(&merged);
        let head = Head { name, variants: &variants };
        let made = game::compile(&merged, &settings, &self.texts, &head, report);
        let mut report = made.report;
        let read = made.cx.as_ref().map_or(0, |cx| cx.phrases + cx.leaps / 8);
        if let (Some(game), Some(mut cx)) = (&made.game, made.cx) {
            game::lend(&mut cx, game);
            cx.report = report;
            cx.report.of_test = true;
            with(&mut cx, game);
            report = cx.report;
        }
        report.findings.sort_by_key(|d| (d.span(), d.severity));
        let work = 8 * merged.stmts.len() + read;
        let (places, doubts) = (made.places, made.doubts);
        Made { game: made.game, places, doubts, findings: report.findings, used: report.used, declared, work }
    }

    fn merge(&self, chosen: &[&Variant], variants: &[String], settings: &Settings, report: &mut Report) -> Merged {
        let mut merger = Merger::new(&self.texts, settings, report, variants);
        for (f, file) in self.files.iter().enumerate() {
            merger.layer(&file.items, Layer::File(f));
        }
        for (v, variant) in chosen.iter().enumerate() {
            merger.layer(&variant.items, Layer::Variant(v));
        }
        merger.out
    }

    fn chosen(&self, names: &[String], span: Span, report: &mut Report) -> Vec<&Variant> {
        let all = self.variant_items();
        let mut out: Vec<&Variant> = Vec::new();
        for name in names {
            let wanted = slug(name);
            match all.iter().find(|(_, slug)| *slug == wanted) {
                Some((v, _)) if out.iter().any(|o| o.name.span == v.name.span) => {}
                Some((v, _)) => out.push(v),
                None => {
                    let known: Vec<&str> = all.iter().map(|(v, _)| v.name.node.as_str()).collect();
                    let d = Diagnostic::error(
                        "unknown-variant",
                        format!("`{}` has no variant called `{name}`", self.name()),
                        span,
                    );
                    let slugs: Vec<String> = known.iter().map(|k| slug(k)).collect();
                    report.push(match nearest(&slug(name), slugs.iter().map(String::as_str)) {
                        Some(near) => {
                            d.help(format!("did you mean `{near}`?")).help(list_of("its variants are", &slugs))
                        }
                        None if slugs.is_empty() => d.help("it has no variants"),
                        None => d.help(list_of("its variants are", &slugs)),
                    });
                }
            }
        }
        out
    }

    /// All findings, in the order of the text: what could not be read, the game, each variant and each option value alone,
    /// all variants together, and the tests. What only follows from something that could not be read is left out.
    pub fn check(&self) -> Vec<Diagnostic> {
        let mut found = self.unread.clone();
        if self.missing.is_none() {
            let broken = follow::Broken::new(&self.unread, &self.texts);
            found.extend(self.meant().into_iter().filter(|finding| !broken.explains(finding)));
        }
        found.iter_mut().for_each(|finding| self.tell_inherited(finding));
        found.sort_by_key(|d| (d.span(), d.severity));
        found
    }

    /// Says what an heir can do about an error in a line that it inherits.
    fn tell_inherited(&self, finding: &mut Diagnostic) {
        let file = finding.span().file;
        let parent = self.files.iter().find(|f| f.name.span.file == file && file != self.own().name.span.file);
        if let (Some(parent), Severity::Error) = (parent, finding.severity)
            && !finding.helps.iter().any(|help| help.contains("inherited"))
        {
            let name = &parent.name.node;
            let help = format!(
                "the line is inherited from \"{name}\": replace it here with `override …`, or take it out with `without …`"
            );
            finding.helps.push(help);
        }
    }

    /// What is found in the statements that could be read.
    fn meant(&self) -> Vec<Diagnostic> {
        let mut all = Report::default();
        let mut used: BTreeSet<Span> = BTreeSet::new();
        let mut declared: BTreeMap<Span, (&'static str, String)> = BTreeMap::new();
        let mut work = 0;
        let mut doubts = Doubts::default();
        let (mut base, mut idle) = (None, Vec::new());
        let mut late = Vec::new();
        let mut unfit: Vec<Unfit> = Vec::new();
        let own = self.own().name.span;
        for choice in self.selections() {
            if work > MAX_WORK {
                all.push(self.too_much());
                break;
            }
            let made = self.make(&choice, |_, _| ());
            work += made.work;
            let (together, inherits) = (choice.variants.len() > 1, self.inherits(&choice));
            doubts.merge(made.doubts);
            let unfits = if base.is_some() { self.unfits(&choice, &made.findings, &all) } else { None };
            match (&base, made.game) {
                (None, game) => base = game,
                (Some(base), Some(game)) => idle.push((choice, same(base, game))),
                (Some(_), None) => {}
            }
            used.extend(made.used);
            declared.extend(made.declared.into_iter().map(|(what, name, span)| (span, (what, name))));
            if together {
                late = made.findings;
            } else if let Some(unfits) = unfits {
                all.push(unfits.note.clone());
                unfit.push(unfits);
            } else {
                // While the game is faulty by itself, what its parents' variants make of it is not known.
                let known = |d: &Diagnostic| base.is_some() || !inherits || d.span().file == own.file;
                made.findings.into_iter().filter(known).for_each(|finding| all.push(finding));
            }
        }
        if !all.failed() {
            for (span, (what, name)) in declared {
                if !used.contains(&span) && span.file == self.own().name.span.file {
                    all.push(unused(what, &name, span));
                }
            }
            // What an heir makes of its parents' lines is no fault of theirs.
            let own = |d: &Diagnostic| d.span().file == own.file;
            let doubts = doubts.standing();
            let told = doubts.iter().filter(|d| own(d) && !self.said_in_definition(d, &doubts));
            told.for_each(|d| all.push(d.clone()));
            let inherited: Vec<&Diagnostic> = doubts.iter().filter(|d| !own(d)).collect();
            all.findings.extend(self.outlived(&inherited));
            self.idle_choices(&idle, &used, &mut all, &mut work);
        }
        if !all.failed() {
            self.pairs(&unfit, &mut all, &mut work);
        }
        // That two variants do not go together is no fault of either, and what two of them do has been said.
        let told = |d: &Diagnostic| {
            unfit.iter().any(|u| u.faults.contains(&(d.code, d.span())))
                || base.is_none() && d.span().file != own.file
                || all.findings.iter().any(|f| f.code == d.code && f.span() == d.span())
        };
        late.retain(|d| d.severity == Severity::Error && d.code != "variant-conflict" && !told(d));
        late.into_iter().for_each(|finding| all.push(finding));
        self.duplicate_variants(&mut all);
        test::check(self, &mut all, work);
        if self.tests().is_empty() {
            all.push(
                Diagnostic::remark("no-tests", "this game has no tests", self.own().name.span)
                    .help("a first one is `test \"the start\" { turns = 20 }` with the number of first turns"),
            );
        }
        all.findings.sort_by_key(|d| d.severity);
        let mut seen: Vec<(&'static str, Span, String)> = Vec::new();
        all.findings.retain(|d| {
            let key = (d.code, d.span(), d.message.clone());
            let fresh = !seen.contains(&key);
            if fresh {
                seen.push(key);
            }
            fresh
        });
        all.findings
    }

    /// The error for a game with so many variants, options and tests that they cannot all be checked.
    fn too_much(&self) -> Diagnostic {
        let message = "this game is too large to be checked with all its variants, options and tests";
        let error = Diagnostic::error("too-many", message, self.own().name.span);
        error.help("divide it into several definitions that extend one another")
    }

    /// Whether a variant of the choice is inherited.
    fn inherits(&self, choice: &Selection) -> bool {
        let own = self.own().name.span.file;
        let mut inherited = self.variant_items().into_iter().map(|(v, _)| v).filter(|v| v.name.span.file != own);
        inherited.any(|v| choice.variants.contains(&v.name.node))
    }

    /// An inherited variant that does not go together with what this file changes: that is no fault of either.
    fn unfits(&self, choice: &Selection, findings: &[Diagnostic], all: &Report) -> Option<Unfit> {
        let own = self.own().name.span;
        let [name] = choice.variants.as_slice() else { return None };
        let (variant, _) = self.variant_items().into_iter().find(|(v, _)| v.name.node == *name)?;
        // What is wrong without the variant has been said.
        let known = |d: &&Diagnostic| all.findings.iter().any(|k| k.code == d.code && k.span() == d.span());
        let errors = findings.iter().filter(|d| d.severity == Severity::Error && !known(d));
        let errors: Vec<&Diagnostic> = errors.collect();
        let first = errors.first()?;
        if variant.name.span.file == own.file || errors.iter().any(|d| d.span().file == own.file) {
            return None;
        }
        let message = format!("the inherited variant \"{name}\" cannot be played with this game: {}", first.message);
        let here = first.labels[1..].iter().map(|l| l.span).find(|span| span.file == own.file);
        let note = Diagnostic::remark("variant-conflict", message, here.unwrap_or(own))
            .label(first.span(), "with that variant this does not fit")
            .help("nothing is wrong with the game by itself; a variant of its own can say what shall be changed here");
        let faults = errors.iter().map(|d| (d.code, d.span())).collect();
        Some(Unfit { variant: name.clone(), note, faults })
    }

    /// Tries every two variants together. Two that change the same statement exclude one another: that is worth a note. What else is
    /// found only with both is their fault.
    fn pairs(&self, unfit: &[Unfit], all: &mut Report, work: &mut usize) {
        let mut variants = self.variant_items();
        variants.retain(|(v, _)| !unfit.iter().any(|u| u.variant == v.name.node));
        let both = |i: usize, j: usize| [variants[i].0.name.node.clone(), variants[j].0.name.node.clone()];
        let pairs = (0..variants.len()).flat_map(|j| (0..j).map(move |i| (i, j))).take(MAX_PAIRS);
        for (i, j) in pairs {
            if *work > MAX_WORK {
                return all.push(self.too_much());
            }
            let made = self.make(&Selection { variants: both(i, j).to_vec(), options: Vec::new() }, |_, _| ());
            *work += made.work;
            for mut finding in made.findings {
                let known = all.findings.iter().any(|d| d.code == finding.code && d.span() == finding.span());
                if finding.severity != Severity::Error || known {
                    continue;
                }
                if finding.code == "variant-conflict" {
                    finding.severity = Severity::Note;
                } else {
                    let [a, b] = both(i, j);
                    finding = finding
                        .note(format!("it is found only if \"{a}\" and \"{b}\" are played together"))
                        .label(variants[i].0.name.span, "one of the variants")
                        .label(variants[j].0.name.span, "the other");
                }
                all.push(finding);
            }
        }
    }

    /// Warns of variants and options that change nothing. For each choice that compiles it is known whether it left the game as it is;
    /// those that did are tried together with the others.
    fn idle_choices(&self, tried: &[(Selection, bool)], used: &BTreeSet<Span>, report: &mut Report, work: &mut usize) {
        let own = self.own().name.span.file;
        let mut left = MAX_PAIRS / 2;
        for (variant, _) in self.variant_items().into_iter().filter(|(v, _)| v.name.span.file == own) {
            let name = &variant.name.node;
            let idle = tried.iter().find(|(choice, same)| choice.variants.as_slice() == [name.clone()] && *same);
            if idle.is_some_and(|(choice, _)| !self.matters(choice, &mut left, work)) {
                let message = format!("variant \"{name}\" changes nothing");
                let help = "say in it what it changes, or remove it";
                report.push(Diagnostic::warning("no-effect", message, variant.name.span).help(help));
            }
        }
        let settings = self.settings(&[], &mut Report::default());
        for setting in settings.all.iter().filter(|s| s.span.file == own && used.contains(&s.span)) {
            let name = &setting.info.name;
            let mut tried = tried.iter().filter(|(c, _)| c.options.iter().any(|(option, _)| option == name)).peekable();
            let idle =
                tried.peek().is_some() && tried.all(|(choice, same)| *same && !self.matters(choice, &mut left, work));
            if idle {
                let message = format!("option `{name}` changes nothing");
                let help = format!("let a line depend on it, as in `… if {name} is VALUE`, or remove it");
                report.push(Diagnostic::warning("no-effect", message, setting.span).help(help));
            }
        }
    }

    /// Whether a choice changes something together with another one; if that takes too long to find out, it does.
    fn matters(&self, choice: &Selection, left: &mut usize, work: &mut usize) -> bool {
        let apart = |other: &Selection| {
            !other.variants.iter().any(|v| choice.variants.contains(v))
                && !other.options.iter().any(|(name, _)| choice.options.iter().any(|(own, _)| own == name))
        };
        self.selections().iter().filter(|other| **other != Selection::default() && apart(other)).any(|other| {
            let Some(fewer) = left.checked_sub(1) else { return true };
            if *work > MAX_WORK {
                return true;
            }
            *left = fewer;
            let mut both = other.clone();
            both.variants.extend(choice.variants.iter().cloned());
            both.options.extend(choice.options.iter().cloned());
            let (other, both) = (self.make(other, |_, _| ()), self.make(&both, |_, _| ()));
            *work += other.work + both.work;
            match (other.game, both.game) {
                (Some(alone), Some(both)) => !same(&alone, both),
                _ => false,
            }
        })
    }

    /// Whether a doubt only repeats what another says of a definition that is used here.
    fn said_in_definition(&self, doubt: &Diagnostic, doubts: &[Diagnostic]) -> bool {
        if !matches!(doubt.code, "never" | "always") {
            return false;
        }
        let items = self.files.iter().flat_map(|f| &f.items);
        let defines = items.filter_map(|item| match &item.kind {
            ItemKind::Define(d) => Some((&d.name.node, item.span)),
            _ => None,
        });
        let within = |a: Span, b: Span| a.file == b.file && b.start <= a.start && a.end <= b.end;
        defines.filter(|(name, _)| words(self.texts.slice(doubt.span())).any(|w| w == *name)).any(|(_, body)| {
            !within(doubt.span(), body) && doubts.iter().any(|d| d.code == doubt.code && within(d.span(), body))
        })
    }

    /// A warning about inherited lines that could hold where they are written, and never can in this game.
    fn outlived(&self, doubts: &[&Diagnostic]) -> Option<Diagnostic> {
        let within = |a: Span, b: Span| a.file == b.file && b.start <= a.start && a.end <= b.end;
        let never = || doubts.iter().filter(|d| d.code == "never").map(|d| d.span());
        let outermost = |span: &Span| !never().any(|other| other != *span && within(*span, other));
        let mut lost: Vec<Span> = never().filter(outermost).collect();
        let (_, parents) = self.files.split_last().filter(|(_, parents)| !parents.is_empty() && !lost.is_empty())?;
        let parent = Definition {
            files: parents.to_vec(),
            texts: self.texts.clone(),
            tests: Vec::new(),
            unread: Vec::new(),
            missing: None,
        };
        let mut before = Doubts::default();
        parent.selections().iter().for_each(|choice| before.merge(parent.make(choice, |_, _| ()).doubts));
        let before = before.standing();
        lost.retain(|span| !before.iter().any(|d| d.code == "never" && within(*span, d.span())));
        let first = *lost.first()?;
        let message = format!("`{}` in `{}` can never hold here", self.texts.line(first), parent.name());
        let warning = Diagnostic::warning("never", message, self.own().name.span).here("in this game");
        let labelled = lost.iter().take(6).fold(warning, |warning, span| warning.label(*span, "this can never hold"));
        let helps = doubts.iter().find(|d| d.span() == first).map_or(Vec::new(), |d| d.helps.clone());
        let help = "see whether this file leaves out what that asks for; if not, `override` the line or take it out by `without`";
        Some(helps.into_iter().filter(|h| h.contains("royal")).fold(labelled.help(help), Diagnostic::help))
    }

    fn duplicate_variants(&self, report: &mut Report) {
        let mut seen: HashMap<String, &Word> = HashMap::new();
        for item in self.files.iter().flat_map(|f| &f.items) {
            if let ItemKind::Variant(v) = &item.kind {
                let slug = slug(&v.name.node);
                if seen.len() == MAX_VARIANTS && !seen.contains_key(&slug) {
                    let message = format!("there are more than {MAX_VARIANTS} variants");
                    let error = Diagnostic::error("too-many", message, v.name.span);
                    report.push(error.help("put some of them into a definition that extends this one"));
                    return;
                }
                if let Some(first) = seen.get(&slug) {
                    report.push(
                        Diagnostic::error(
                            "duplicate",
                            format!("there is already a variant called `{}`", v.name.node),
                            v.name.span,
                        )
                        .label(first.span, "first defined here")
                        .help("give it another name"),
                    );
                } else {
                    seen.insert(slug, &v.name);
                }
            }
        }
    }

    /// What is tried to find everything that is wrong: nothing chosen, each variant, all variants, each value of each option (of a
    /// range its ends). Not all of it need compile.
    pub fn selections(&self) -> Vec<Selection> {
        let mut out = vec![Selection::default()];
        let variants: Vec<String> = self.variants().into_iter().map(|v| v.name).collect();
        for v in &variants {
            out.push(Selection { variants: vec![v.clone()], options: Vec::new() });
        }
        if variants.len() > 1 {
            out.push(Selection { variants, options: Vec::new() });
        }
        for option in self.options() {
            let values: Vec<String> = match &option.values {
                Choices::YesNo => vec!["yes".to_owned(), "no".to_owned()],
                Choices::List(list) => list.iter().take(64).cloned().collect(),
                Choices::Range(low, high) if (*low, *high) == option::ANY_NUMBER => Vec::new(),
                Choices::Range(low, high) => vec![low.to_string(), high.to_string()],
            };
            for value in values {
                if value != option.default && out.len() < 300 {
                    out.push(Selection { variants: Vec::new(), options: vec![(option.name.clone(), value)] });
                }
            }
        }
        out
    }
}

/// Whether a game is another one but for the names of what was chosen, and for where and how its lines are written: a variant that
/// sets an option changes something.
fn same(base: &ir::Game, mut game: ir::Game) -> bool {
    if game.variants == base.variants {
        game.options.clone_from(&base.options);
    }
    game.variants.clone_from(&base.variants);
    game.places.clone_from(&base.places);
    let clauses = game.clauses.iter_mut().zip(&base.clauses).map(|(a, b)| (&mut a.text, &b.text));
    let forbids = game.forbids.iter_mut().zip(&base.forbids).map(|(a, b)| (&mut a.text, &b.text));
    let results = game.results.iter_mut().zip(&base.results).map(|(a, b)| (&mut a.text, &b.text));
    clauses.chain(forbids).chain(results).for_each(|(text, other)| text.clone_from(other));
    game == *base
}

/// A variant of a parent that cannot be played with an heir.
struct Unfit {
    variant: String,
    note: Diagnostic,
    /// What was found when it was tried.
    faults: Vec<(Code, Span)>,
}

/// What a compilation found.
#[derive(Default)]
struct Made {
    game: Option<ir::Game>,
    places: Places,
    /// What is suspicious only if it is so whatever is chosen.
    doubts: Doubts,
    findings: Vec<Diagnostic>,
    used: BTreeSet<Span>,
    declared: Vec<(&'static str, String, Span)>,
    /// How much was read, see [`MAX_WORK`].
    work: usize,
}

/// The names that statements give to something, with those of lines; hands and ladders go by their word.
fn declared_names(items: &[Item]) -> Vec<String> {
    let mut out = Vec::new();
    for item in items {
        let mut labels =
            |clauses: &[Clause]| out.extend(clauses.iter().filter_map(|c| Some(c.label.as_ref()?.node.clone())));
        match &item.kind {
            ItemKind::Piece(p) => labels(&p.clauses),
            ItemKind::Extend(e) => labels(&e.clauses),
            ItemKind::Cube(c) => labels(&c.clauses),
            _ => {}
        }
        let name = match &item.kind {
            ItemKind::Piece(p) => {
                out.extend(p.names.iter().map(|n| n.node.clone()));
                None
            }
            ItemKind::When { items, otherwise, .. } => {
                out.extend([items, otherwise].into_iter().flat_map(|items| declared_names(items)));
                None
            }
            ItemKind::Hand(_) => Some("hand"),
            ItemKind::Ladder(_) => Some("ladder"),
            ItemKind::Cube(c) => Some(c.name.node.as_str()),
            ItemKind::Zone(z) => Some(z.name.node.as_str()),
            ItemKind::Remember(r) => Some(r.name.node.as_str()),
            ItemKind::Counter(c) => Some(c.name.node.as_str()),
            ItemKind::Mark(m) => Some(m.name.node.as_str()),
            ItemKind::Option(o) => Some(o.name.node.as_str()),
            ItemKind::Define(d) => Some(d.name.node.as_str()),
            _ => item.label.as_ref().map(|l| l.node.as_str()),
        };
        out.extend(name.map(str::to_owned));
    }
    out
}

fn declare_options(items: &[Item], settings: &mut Settings, report: &mut Report) {
    for item in items {
        match &item.kind {
            ItemKind::Option(option) => settings.declare(option, report),
            ItemKind::When { cond, items, otherwise } => {
                items.iter().chain(otherwise).for_each(|inner| refuse_options(inner, cond.span, report));
            }
            _ => {}
        }
    }
}

fn refuse_options(item: &Item, cond: Span, report: &mut Report) {
    match &item.kind {
        ItemKind::Option(o) => {
            let message = "an option cannot depend on another option";
            let error =
                Diagnostic::error("option-in-when", message, o.name.span).label(cond, "it would depend on this");
            report.push(error.help(
                "declare it outside of `when`, and write into `when` what it changes, as in `when … { draw when … }`",
            ));
        }
        ItemKind::When { items, otherwise, .. } => {
            items.iter().chain(otherwise).for_each(|inner| refuse_options(inner, cond, report));
        }
        _ => {}
    }
}

fn list_of(before: &str, names: &[String]) -> String {
    format!("{before} {}", all_of(&names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>()))
}

fn set_options(settings: &mut Settings, chosen: &[(String, String)], span: Span, report: &mut Report) {
    for (name, value) in chosen {
        let known: Vec<String> = settings.all.iter().map(|s| s.info.name.clone()).collect();
        let Some(setting) = settings.all.iter_mut().find(|s| s.info.name == *name) else {
            let d = Diagnostic::error("unknown-option", format!("there is no option called `{name}`"), span);
            report.push(match nearest(name, known.iter().map(String::as_str)) {
                Some(near) => d.help(format!("did you mean `{near}`?")).help(list_of("the options are", &known)),
                None if known.is_empty() => d.help("this game has no options"),
                None => d.help(list_of("the options are", &known)),
            });
            continue;
        };
        if setting.info.values.offers(value) {
            setting.value.clone_from(value);
            continue;
        }
        let d = Diagnostic::error("option-value", format!("option `{name}` cannot be `{value}`"), span)
            .label(setting.span, "defined here");
        let word = Word::new(value.clone(), span);
        let mut d = option::suggest(d, &word, &setting.info.values);
        d.fix = None;
        let list = format!("it is {}", setting.info.values.describe());
        report.push(if d.helps.contains(&list) { d } else { d.help(list) });
    }
}

fn unused(what: &'static str, name: &str, span: Span) -> Diagnostic {
    let (message, help) = match what {
        "remembered" => {
            (format!("what `{name}` remembers is never used"), "use it in a condition, or remove it".to_owned())
        }
        "mark" => {
            (format!("mark `{name}` is never used"), format!("set it with `then mark … as {name}`, or remove it"))
        }
        "option" => (
            format!("option `{name}` is never used"),
            format!(
                "let a rule depend on it, as in `… if {name}`, `… if {name} = WORD` or `turn number = {name}`, or remove it"
            ),
        ),
        _ => (format!("{what} `{name}` is never used"), "use it, or remove it".to_owned()),
    };
    Diagnostic::warning("unused", message, span).help(help)
}
