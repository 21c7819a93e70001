//! The checker: what compiles and to what, what does not and how it is said, and what no text may do.

use rulebook::base::{Diagnostic, Severity, Sources};
use rulebook::check::{self, Choices, Definition, Selection};
use rulebook::front::report::render;
use rulebook::games::{self, Shipped};
use rulebook::ir::expr::{Cond, Num, Set, Who};
use rulebook::ir::piece::Generator;
use rulebook::ir::turn::{Act, Choice};
use rulebook::ir::{Cell, Game};
use std::fmt::Write;

/// Loads a text and everything that is found in it.
fn load(text: &str) -> (Option<Definition>, Vec<Diagnostic>, Sources) {
    let mut sources = Sources::new();
    let file = sources.add("test.game", text);
    let (definition, found) = check::load(&mut sources, file, &Shipped);
    let found = definition.as_ref().map_or(found, Definition::check);
    (definition, found, sources)
}

/// The findings in a plain form: `line:col code: message`, then labels, notes, helps and the cure.
fn plain(found: &[Diagnostic], sources: &Sources) -> String {
    let mut out = String::new();
    for finding in found {
        let (line, column) = sources.line_column(finding.span());
        let kind = match finding.severity {
            Severity::Error => "",
            Severity::Warning => "warning ",
            Severity::Note => "note ",
        };
        let _ = writeln!(
            out,
            "{line}:{column} {kind}[{}] `{}`: {}",
            finding.code,
            sources.slice(finding.span()).lines().next().unwrap_or(""),
            finding.message
        );
        for label in &finding.labels[1..] {
            let (line, column) = sources.line_column(label.span);
            let _ = writeln!(out, "    at {line}:{column}: {}", label.text);
        }
        for note in &finding.notes {
            let _ = writeln!(out, "    note: {note}");
        }
        for help in &finding.helps {
            let _ = writeln!(out, "    help: {help}");
        }
        if let Some(fix) = &finding.fix {
            let kind = if fix.certain { "fix" } else { "guess" };
            let _ = writeln!(out, "    {kind}: `{}` -> `{}`", sources.slice(fix.span), fix.text);
        }
    }
    out
}

/// A definition without findings.
fn clean(text: &str) -> Definition {
    let (definition, found, sources) = load(text);
    assert!(found.is_empty(), "{}", plain(&found, &sources));
    definition.expect("a text without findings has a definition")
}

fn shipped(name: &str) -> Definition {
    clean(games::text(name).expect("it is shipped"))
}

fn with(variants: &[&str], options: &[(&str, &str)]) -> Selection {
    Selection {
        variants: variants.iter().map(|v| (*v).to_owned()).collect(),
        options: options.iter().map(|(o, v)| ((*o).to_owned(), (*v).to_owned())).collect(),
    }
}

fn compiled(definition: &Definition, choice: &Selection) -> Game {
    match definition.compile(choice) {
        Ok(compiled) => compiled.game,
        Err(found) => panic!("{found:#?}"),
    }
}

fn game(name: &str) -> Game {
    compiled(&shipped(name), &Selection::default())
}

fn names(game: &Game, cells: &[Cell]) -> String {
    cells.iter().map(|c| game.cell_name(*c)).collect::<Vec<_>>().join(" ")
}

#[test]
fn ok_cases_have_no_findings() {
    insta::glob!("../check/ok", "*.game", |path| {
        clean(&std::fs::read_to_string(path).expect("the file can be read"));
    });
}

/// A case with a fault says in its first line where it is and what should stand there: `# line 4 should be: board 8x8`, or
/// `# line 4 should not be there`. Gives the number of the line, from 1, and the text without the fault.
fn without_fault(text: &str) -> Option<(usize, String)> {
    let (number, right) = text.strip_prefix("# line ")?.lines().next()?.split_once(" should ")?;
    let number: usize = number.parse().ok()?;
    let mut lines: Vec<&str> = text.lines().collect();
    match right.strip_prefix("be: ") {
        Some(right) => *lines.get_mut(number - 1)? = right,
        None => {
            lines.remove(number - 1);
        }
    }
    Some((number, lines.join("\n") + "\n"))
}

/// Holds what `rulebook check` tells of a text against the snapshot beside it.
fn hold(folder: &str, name: &str, text: &str) {
    let (_, found, sources) = load(text);
    let told = render(&found, &sources, false);
    insta::with_settings!({ snapshot_path => folder, prepend_module_to_snapshot => false, omit_expression => true, snapshot_suffix => "" }, {
        insta::assert_snapshot!(name, format!("{text}\n--- findings ---\n{}", told.trim_end()));
    });
}

fn stem(path: &std::path::Path) -> String {
    path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}

#[test]
fn err_cases_are_explained() {
    insta::glob!("../check/err", "*.game", |path| {
        let text = std::fs::read_to_string(path).expect("the file can be read");
        let name = stem(path);
        let (line, right) = without_fault(&text).unwrap_or_else(|| panic!("{name} does not say what would be right"));
        clean(&right);
        let (_, found, sources) = load(&text);
        let first = found.first().unwrap_or_else(|| panic!("{name} has no finding"));
        let (from, _) = sources.line_column(first.span());
        let to = from + sources.slice(first.span()).trim_end().matches('\n').count();
        assert!(from <= line && line <= to, "{name}: the fault is in line {line}, and told of line {from}");
        hold("../check/err", &name, &text);
    });
}

#[test]
fn what_games_mean_is_judged() {
    insta::glob!("../check/meaning", "*.game", |path| {
        hold("../check/meaning", &stem(path), &std::fs::read_to_string(path).expect("the file can be read"));
    });
}

#[test]
fn shipped_games_compile_with_every_variant_and_option_value() {
    for name in games::names() {
        let definition = shipped(name);
        let all: Vec<String> = definition.variants().into_iter().map(|v| v.slug).collect();
        for variant in &all {
            compiled(&definition, &with(&[variant], &[]));
        }
        for option in definition.options() {
            let values = match option.values {
                Choices::List(values) => values,
                Choices::Range(low, high) => vec![low.to_string(), high.to_string()],
                Choices::YesNo => vec!["yes".to_owned(), "no".to_owned()],
            };
            for value in values {
                let game = compiled(&definition, &with(&[], &[(&option.name, &value)]));
                assert!(game.options.contains(&(option.name.clone(), value)));
            }
        }
        assert!(definition.compile(&Selection { variants: all, options: Vec::new() }).is_ok(), "{name}");
    }
}

#[test]
fn proteus_starts_on_the_dark_cells_of_two_ranks() {
    let game = game("proteus");
    let start = game.zones.iter().find(|z| z.name == "start").expect("there is a zone `start`");
    assert_eq!(names(&game, &start.cells[0]), "a1 c1 e1 g1 b2 d2 f2 h2");
    assert_eq!(names(&game, &start.cells[1]), "a7 c7 e7 g7 b8 d8 f8 h8");
    assert_eq!(game.setup.places.len(), 16);
    assert_eq!(game.ladder, [0, 1, 2, 3, 4, 5]);
    assert_eq!(game.turn.states.len(), 3);
}

#[test]
fn proteus_variants_and_options_change_only_what_they_say() {
    let proteus = shipped("proteus");
    let worths = |choice: &Selection| -> Vec<(String, i32)> {
        let game = compiled(&proteus, choice);
        game.ladder.iter().map(|k| (game.type_of(*k).name.clone(), game.type_of(*k).worth)).collect()
    };
    assert_eq!(worths(&Selection::default())[2], ("Bishop".to_owned(), 3));
    assert_eq!(worths(&with(&["warhorses"], &[]))[2], ("Knight".to_owned(), 3));
    let off = compiled(&proteus, &with(&[], &[("trade-off", "off")]));
    assert!(matches!(off.turn.states[0], Choice::Do(Act::Play { .. }, _)));
    let wall = compiled(&proteus, &with(&["Wall Street"], &[]));
    let fill = wall.setup.fill.as_ref().expect("Wall Street fills");
    assert_eq!(fill.budget, 20);
    assert_eq!(names(&wall, &fill.cells[0]), "a1 c1 e1 g1 b2 d2 f2 h2");
    assert_eq!(names(&wall, &fill.cells[1]), "b8 d8 f8 h8 a7 c7 e7 g7");
    assert_eq!(fill.kinds, [0, 1, 2, 3, 4, 5]);
    let limit = compiled(&proteus, &with(&[], &[("quiet-limit", "10")]));
    assert!(limit.results.iter().any(|r| r.cond == Cond::Quiet { quiet: 0, turns: Num::Const(10) }));
}

/// For each way up of the samurai: its upper face clockwise from the front (S samurai, | sword), and the ways up after a
/// clockwise spin and after tipping forward, left and right. Faces: 1 top, 2 front, 3 right, 4 back, 5 left, 6 bottom.
const SAMURAI: &str = "\
12 ||S| 15 41 32 52
13 |S|| 12 51 43 23
14 S||| 13 21 54 34
15 |||S 14 31 25 45
21 .S.| 23 62 51 31
23 |.S. 26 52 13 63
25 S.|. 21 32 65 15
26 .|.S 25 12 36 56
31 ..S| 34 63 21 41
32 .S|. 31 43 62 12
34 |..S 36 23 14 64
36 S|.. 32 13 46 26
41 S.|. 45 64 31 51
43 .|.S 41 54 63 13
45 .S.| 46 34 15 65
46 |.S. 43 14 56 36
51 S..| 52 65 41 21
52 |S.. 56 45 12 62
54 ..|S 51 25 64 14
56 .|S. 54 15 26 46
62 .|S. 63 46 52 32
63 ..|S 64 56 23 43
64 S..| 65 26 34 54
65 |S.. 62 36 45 25
";

#[test]
fn the_samurai_turns_as_the_die_does() {
    let game = game("bushi-shogi");
    let samurai = &game.types[0];
    assert_eq!(samurai.orientations.len(), 24);
    let number = |name: &str| {
        let digit = |side: &str| {
            let sides = ["top", "front", "right", "back", "left", "bottom"];
            sides.iter().position(|s| *s == side).expect("a side") + 1
        };
        let (top, front) = name.split_once('/').expect("top and front");
        format!("{}{}", digit(top), digit(front))
    };
    let all: Vec<String> = samurai.orientations.iter().map(|o| number(&o.name)).collect();
    let remap = |text: &str| game.remaps.iter().find(|r| r.text == text).expect("a table");
    for row in SAMURAI.lines() {
        let cells: Vec<&str> = row.split(' ').collect();
        let at = all.iter().position(|n| n == cells[0]).expect("a way up");
        let shown: String = ["front", "right", "back", "left"]
            .iter()
            .map(|place| {
                let marks = &samurai.orientations[at].marks;
                let has = |m: &str| marks.iter().any(|(mark, places)| mark == m && places.iter().any(|p| p == place));
                if has("samurai") {
                    'S'
                } else if has("sword") {
                    '|'
                } else {
                    '.'
                }
            })
            .collect();
        assert_eq!(shown, cells[1], "{}", cells[0]);
        for (text, to) in ["spin", "forward", "left", "right"].iter().zip(&cells[2..]) {
            let after = remap(text).table[at].expect("a cube always turns");
            assert_eq!(all[after as usize], *to, "{} {text}", cells[0]);
        }
    }
    let rotates: Vec<bool> = acts(&game)
        .into_iter()
        .filter_map(|a| match a {
            Act::Rotate { named, .. } => Some(*named),
            _ => None,
        })
        .collect();
    assert!(!rotates.is_empty() && rotates.iter().all(|named| !named), "nobody can have two samurai");
    assert_eq!(game.hand_types, [0]);
}

fn acts(game: &Game) -> Vec<&Act> {
    fn of<'g>(choice: &'g Choice, out: &mut Vec<&'g Act>) {
        match choice {
            Choice::End | Choice::Goto(_) => {}
            Choice::Do(act, _) => out.push(act),
            Choice::Or(parts) | Choice::OrElse(parts) => parts.iter().for_each(|p| of(p, out)),
            Choice::Cases(cases) => cases.iter().for_each(|(_, c)| of(c, out)),
            Choice::Again(a, b) => {
                of(a, out);
                of(b, out);
            }
        }
    }
    let mut out = Vec::new();
    game.turn.states.iter().for_each(|s| of(s, &mut out));
    out
}

#[test]
fn kinds_are_as_many_as_the_game_asks_for() {
    let count = |name: &str| game(name).kinds.len();
    assert_eq!(count("chess"), 6);
    assert_eq!(count("crazyhouse"), 10, "four promoted pieces remember the pawn");
    assert_eq!(count("monteagudo"), 10);
    assert_eq!(count("bushi-shogi"), 24);
    let house = game("crazyhouse");
    assert_eq!(house.kinds[6].piece, 4);
    assert_eq!(house.kinds[6].original, 0);
}

#[test]
fn chess_keeps_what_castling_and_en_passant_need() {
    let chess = game("chess");
    assert_eq!(chess.unmoved_kinds, [3, 5]);
    assert!(chess.marks[0].only_targets);
    assert_eq!(chess.forbids.len(), 1);
    assert_eq!(chess.forbids[0].text, "safety");
    assert!(!chess.reads_last_moved);
    assert!(game("monteagudo").reads_last_moved);
    let zones: Vec<&str> = chess.zones.iter().map(|z| z.name.as_str()).collect();
    assert_eq!(zones, ["rank 2", "rank 8", "dark", "light"]);
    let dark = &chess.zones[2].cells;
    assert!(dark[0].contains(&0) && dark[0] == dark[1], "a1 is dark for both");
}

#[test]
fn leaps_and_lame_leaps_reach_the_right_cells() {
    let text = "game \"L\"\nplayers A, B\nboard 5x5\npiece Horse \"H\" { leap (1,2) lame; leap (1,2) forward; leap (2,2), (0,3) lame }\nsetup Horse on a1\nmover wins when next has no piece\n";
    let (definition, found, sources) = load(text);
    assert!(found.iter().all(|d| d.severity != Severity::Error), "{}", plain(&found, &sources));
    let game = compiled(&definition.expect("a definition"), &Selection::default());
    let leaps = |clause: usize, seat: usize, from: &str| -> Vec<(String, String)> {
        let Generator::Leap { paths } = &game.clauses[clause].generator else { panic!("a leap") };
        let from = game.board.cell(from).expect("a cell") as usize;
        let mut out: Vec<_> =
            paths[seat][from].iter().map(|(to, path)| (game.cell_name(*to).to_owned(), names(&game, path))).collect();
        out.sort();
        out
    };
    let pairs = |list: &[(&str, &str)]| -> Vec<(String, String)> {
        list.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
    };
    assert_eq!(
        leaps(0, 0, "c3"),
        pairs(&[
            ("a2", "b3"),
            ("a4", "b3"),
            ("b1", "c2"),
            ("b5", "c4"),
            ("d1", "c2"),
            ("d5", "c4"),
            ("e2", "d3"),
            ("e4", "d3")
        ])
    );
    assert_eq!(leaps(1, 0, "c3"), pairs(&[("b5", ""), ("d5", "")]));
    assert_eq!(leaps(1, 1, "c3"), pairs(&[("b1", ""), ("d1", "")]));
    assert_eq!(leaps(2, 0, "a1"), pairs(&[("a4", "a2 a3"), ("c3", "b2"), ("d1", "b1 c1")]));
}

#[test]
fn who_looks_is_kept() {
    let breakthrough = game("breakthrough");
    let first = &breakthrough.results[0];
    assert!(matches!(&first.cond, Cond::Some(Set::Intersect(parts)) if parts[0] == Set::Of(Who::Me)));
    let second = &breakthrough.results[1];
    assert!(
        matches!(&second.cond, Cond::SeenBy(Who::Next, inner) if **inner == Cond::Not(Box::new(Cond::Some(Set::Of(Who::Me)))))
    );
    assert_eq!(breakthrough.zones.iter().find(|z| z.name == "rank 8").map(|z| names(&breakthrough, &z.cells[1])), {
        Some("a1 b1 c1 d1 e1 f1 g1 h1".to_owned())
    });
}

#[test]
fn conditions_of_tests_are_absolute() {
    let proteus = shipped("proteus");
    let mut sources = Sources::new();
    let mut ask = |text: &str| {
        let file = sources.add("cond", text);
        let cond = rulebook::syntax::parse_cond(file, text).expect("a condition");
        proteus.compile_cond(&Selection::default(), &cond)
    };
    assert_eq!(ask("d5 is empty"), Ok(Cond::Within(Set::Cells(vec![35]), Set::Empty)));
    let score = Num::Counter(0, Who::Seat(1));
    assert_eq!(ask("score of Black = 6"), Ok(Cond::Compare(score, rulebook::ir::expr::Op::Eq, Num::Const(6))));
    assert!(ask("my Queen is attacked").is_err());
    assert!(ask("score = 3").is_err());
    assert!(ask("dropped Queen").is_err(), "the game does not count drops");
}

#[test]
fn wrong_choices_name_what_there_is() {
    let proteus = shipped("proteus");
    let helps = |choice: Selection| match proteus.compile(&choice) {
        Ok(_) => panic!("it must not compile"),
        Err(found) => found.iter().flat_map(|d| d.helps.clone()).collect::<Vec<_>>().join("; "),
    };
    assert!(helps(with(&["polarty"], &[])).contains("did you mean `polarity`"));
    assert!(helps(with(&["zzz"], &[])).contains("`wall-street`"));
    assert!(helps(with(&[], &[("tradeoff", "off")])).contains("did you mean `trade-off`"));
    assert!(helps(with(&[], &[("trade-off", "of")])).contains("did you mean `off`"));
    assert!(helps(with(&[], &[("quiet-limit", "5")])).contains("10 to 1000"));
}

struct Circle;

impl check::Library for Circle {
    fn text(&self, name: &str) -> Option<String> {
        let next: usize = name.strip_prefix("game-")?.parse().ok()?;
        let after = if next == 3 { 1 } else { next + 1 };
        Some(format!("game \"{name}\" extends \"game-{after}\"\n"))
    }
}

#[test]
fn games_that_extend_one_another_in_a_circle_end() {
    let mut sources = Sources::new();
    let file = sources.add("a.game", "game \"Mine\" extends \"game-1\"\n");
    let (_, found) = check::load(&mut sources, file, &Circle);
    assert_eq!(found.iter().map(|d| d.code).collect::<Vec<_>>(), ["circular"]);
    let file = sources.add("b.game", "game \"Mine\" extends \"game-100\"\n");
    let (_, found) = check::load(&mut sources, file, &Circle);
    assert_eq!(found.iter().map(|d| d.code).collect::<Vec<_>>(), ["too-deep"]);
}

/// Numbers that look random, always the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

#[test]
fn damaged_games_are_refused_without_a_crash() {
    let mut dice = Dice(0x5eed);
    let mut words: Vec<String> = Vec::new();
    for name in games::names() {
        words.extend(games::text(name).unwrap_or("").split_whitespace().map(str::to_owned));
    }
    for name in games::names() {
        let text = games::text(name).expect("it is shipped");
        let tokens: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
        for _ in 0..if cfg!(debug_assertions) { 10 } else { 40 } {
            let mut changed: Vec<String> = tokens.iter().map(|t| (*t).to_owned()).collect();
            for _ in 0..=dice.below(3) {
                let at = dice.below(changed.len());
                match dice.below(4) {
                    0 => {
                        changed.remove(at);
                    }
                    1 => changed.insert(at, changed[at].clone()),
                    2 => {
                        let other = dice.below(changed.len());
                        changed.swap(at, other);
                    }
                    _ => changed[at] = format!("{} ", words[dice.below(words.len())]),
                }
            }
            let (definition, _, _) = load(&changed.concat());
            if let Some(definition) = definition {
                let _ = definition.compile(&Selection::default());
            }
        }
    }
}

#[test]
fn floods_of_definitions_and_borrowed_moves_end() {
    let mut text =
        String::from("game \"Flood\"\nplayers A, B\nboard 3x3\npiece Pa \"P\" { step any }\nsetup Pa on a1\n");
    text.push_str("define flood = my Pa\n");
    let name = |n: usize| format!("flood{}", "-x".repeat(n));
    for i in 1..60 {
        let _ = writeln!(text, "define {} = {1} and {1}", name(i), name(i - 1));
    }
    let _ = writeln!(text, "mover wins when {}", name(59));
    let (_, found, _) = load(&text);
    assert!(found.iter().any(|d| d.code == "too-large"), "{:?}", found.iter().map(|d| d.code).collect::<Vec<_>>());
    let mut text = String::from("game \"Flood\"\nplayers A, B\nboard 3x3\npiece P0 \"P\" { step any }\n");
    for i in 1..40 {
        let glyph: char = char::from_u32(0x3b1 + i).unwrap_or('x');
        let _ = writeln!(text, "piece P{i} \"{glyph}\" {{ moves as P{0}, P{0} }}", i - 1);
    }
    let (_, found, _) = load(&text);
    assert!(found.iter().any(|d| d.code == "too-large" || d.code == "too-many"));

    let mut text =
        String::from("game \"Flood\"\nplayers A, B\nboard 3x3\npiece Pa \"P\" { step any }\nsetup Pa on a1\n");
    let letter = |n: usize| char::from(b'a' + (n % 26) as u8);
    let zone = |n: usize| format!("way{}{}{}", letter(n / 676), letter(n / 26), letter(n));
    for i in 0..1500 {
        let _ = writeln!(text, "zone {} = {}\ndefine {3}s = {2}s", zone(i), zone(i + 1), zone(i + 1), zone(i));
    }
    let _ = writeln!(text, "zone {} = rank 1\ndefine {0}s = my Pa\nmover wins when wayaaas", zone(1500));
    let (_, found, _) = load(&text);
    assert!(found.iter().any(|d| d.code == "too-large"), "{:?}", found.iter().map(|d| d.code).collect::<Vec<_>>());
    let mut text = String::from("game \"Flood\"\nplayers A, B\nboard 19x19\npiece Pa \"P\" {\n");
    text.push_str(&"leap (1,2), (1,3), (1,4), (2,3) lame\n".repeat(20_000));
    text.push_str("}\nsetup Pa on a1\nmover wins when next has no piece\n");
    let (_, found, _) = load(&text);
    assert!(found.iter().any(|d| d.code == "too-large"), "{:?}", found.iter().map(|d| d.code).collect::<Vec<_>>());
}
