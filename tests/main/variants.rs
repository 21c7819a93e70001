//! Variants chosen together: whatever two of them change, their order shows in nothing, or they are told to exclude one another.

use rulebook::base::Sources;
use rulebook::check::{self, Definition, Selection};
use rulebook::games::Shipped;
use rulebook::ir::Game;
use serde::Serialize;

const GAME: &str = r#"game "Kings"
players White, Black
board 8x8
zone camp = rank 1..2
mark hot for 1 turn
counter lives = 3 each
option limit = 100 (50..100) "So many turns"
piece King "K" royal { step any }
piece Rook "R" worth 5 { slide orthogonal; dash: leap (0,2) to empty then mark here as hot }
piece Pawn "P" {
  step forward to empty
  step forward-diagonal to enemy
  promote on rank 8 to Rook
}
ladder Pawn 1 < Rook 5
hand empty
setup { King on e1; Rook on a1, h1; Pawn on rank 2 }
turn { move or drop or rotate one Pawn by 1 }
zone distant = rank 7..8
remember checked when my King is attacked
after capture { lives -= 1 }
after move { unmark distant as hot }
forbid move Pawn when this is in distant and checked
rule long: draw when turn number = limit
mover wins when checkmate
next loses when lives of next = 0
rule greedy: prefer most captured pieces
test "the start" { legal e2e3 }
"#;

/// What a variant may say. Each is right alone.
const BODIES: [&str; 55] = [
    "override players Red, Blue",
    "override board 9x9",
    "symmetry rotate",
    "override zone camp = rank 1..3",
    "zone home = rank 1; draw when next has King in home and turn number = 70",
    "override mark hot for 2 turns",
    "override counter lives = 5 each",
    "override option limit = 60 (50..60)",
    "option short = no; draw when short and turn number = 40",
    "override piece Rook \"R\" worth 6 { slide orthogonal; dash: leap (0,3) to empty then mark here as hot }",
    "override piece Rook \"T\" worth 7 { slide orthogonal; dash: leap (0,2) to empty then mark here as hot }",
    "extend Rook { step diagonal }",
    "extend Rook { leap (1,2) }",
    "extend Rook { rush: leap (1,3) }",
    "extend Rook { rush: leap (2,3) }",
    "extend Rook { override dash: leap (0,3) to empty then mark here as hot }",
    "extend Rook { override dash: leap (1,3) to empty then mark here as hot }",
    "extend Rook uncapturable",
    "extend Pawn royal",
    "extend King worth 7",
    "extend King worth 9",
    "extend King { worth 9; step any 2 }",
    "extend Pawn { override promote on rank 7..8 to Rook }",
    "extend Pawn { override promote on rank 8 to Knight }; piece Knight \"N\" { leap (1,2) }",
    "extend King { promote on rank 8 to Rook }",
    "extend King { promote on rank 7..8 to Rook }",
    "piece Knight \"N\" { leap (1,2) }; override setup { King on d1; Knight on b1; Pawn on rank 2 }",
    "override ladder Pawn 2 < Rook 7",
    "without ladder; override turn { move or drop }",
    "override hand 1 Rook; extend Rook { drop to empty }",
    "override setup { King on d1; Rook on a1, h1; Pawn on rank 2 }",
    "override setup { King on c1; Rook on a1, h1; Pawn on rank 2 }",
    "override turn { move or drop or rotate one Rook by 1 }",
    "override turn { move or drop or rotate one Pawn by 1 or pass }",
    "override zone distant = rank 8",
    "override remember checked when me is in check",
    "override after capture { lives -= 2 }",
    "without after capture",
    "after capture { lives of opponent += 1 }",
    "after drop { lives += 1 }",
    "override forbid move Pawn when this is in distant",
    "without forbid move Pawn",
    "forbid move Pawn when checked",
    "override rule long: draw when turn number = 77",
    "without rule long",
    "rule short: draw when turn number = 50",
    "rule short: draw when turn number = 55",
    "draw when turn number = 66",
    "override next loses when lives of next < 0",
    "without next loses",
    "next loses when lives of next = 2",
    "without rule safety; mover wins as soon as next has no King",
    "override rule safety: forbid turn when my King is attacked and opponent has King",
    "without rule greedy",
    "override rule greedy: prefer most moved pieces",
];

fn definition(bodies: &[&str]) -> Definition {
    let variants = bodies.iter().enumerate().map(|(i, body)| format!("variant \"V{i}\" {{ {body} }}\n"));
    let text = GAME.to_owned() + &variants.collect::<String>();
    let mut sources = Sources::new();
    let file = sources.add("test.game", text);
    let (definition, found) = check::load(&mut sources, file, &Shipped);
    let told: Vec<_> = found.iter().map(|d| format!("{} {}", sources.slice(d.span()), d.message)).collect();
    assert!(found.is_empty(), "{told:#?}");
    definition.expect("a definition")
}

/// What a game is, without the order of what stands in lists, which is that in which the variants are chosen.
fn told(game: &Game) -> Vec<String> {
    fn each<T: Serialize>(what: &str, list: &[T]) -> Vec<String> {
        list.iter().map(|x| format!("{what} {}", serde_json::to_string(x).expect("rules are data"))).collect()
    }
    let mut out = [
        each("result", &game.results),
        each("after", &game.afters),
        each("forbid", &game.forbids),
        each("prefer", &game.prefer),
        each("latch", &game.latches),
        each("counter", &game.counters),
        each("mark", &game.marks),
        each("turn", &game.turn.states),
        each("seat", &game.seats),
        each("setup", std::slice::from_ref(&game.setup)),
        each("board", std::slice::from_ref(&game.board)),
        each("ladder", &game.ladder),
        each("option", &game.options),
    ]
    .concat();
    for ty in &game.types {
        let mut ty = ty.clone();
        let clauses = ty.clauses.drain(..).map(|c| &game.clauses[c as usize]);
        out.extend(each(&format!("line of {}", ty.name), &clauses.collect::<Vec<_>>()));
        out.extend(each("type", &[ty]));
    }
    out.sort();
    out
}

#[test]
fn the_order_in_which_two_variants_are_chosen_does_not_show() {
    let definition = definition(&BODIES);
    let make = |list: &[usize]| {
        let variants = list.iter().map(|i| format!("V{i}")).collect();
        definition.compile(&Selection { variants, options: Vec::new() }).map(|c| c.game)
    };
    let mut faults = Vec::new();
    let mut excluded = 0;
    for (i, second) in BODIES.iter().enumerate() {
        if let Err(found) = make(&[i]) {
            faults.push(format!("{second} is not right alone: {}", found[0].message));
        }
        for (j, first) in BODIES.iter().enumerate().take(i) {
            let two = format!("{first}  +  {second}");
            match (make(&[j, i]), make(&[i, j])) {
                (Ok(a), Ok(b)) if told(&a) == told(&b) => {}
                (Ok(_), Ok(_)) => faults.push(format!("{two}: the order shows")),
                (Err(a), Err(b)) => {
                    let told = |list: &[rulebook::base::Diagnostic]| list.iter().any(|d| d.code == "variant-conflict");
                    excluded += 1;
                    if !told(&a) || !told(&b) {
                        faults.push(format!("{two}: {} / {}", a[0].message, b[0].message));
                    }
                }
                (a, b) => {
                    let what = a.err().or(b.err()).map(|found| found[0].message.clone());
                    faults.push(format!("{two}: only in one order: {what:?}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    assert!(excluded > 20, "some exclude one another");
}
