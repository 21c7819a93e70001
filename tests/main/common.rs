//! What several tests need: shipped games, ready to be played.

use rulebook::base::Sources;
use rulebook::check::{self, Selection};
use rulebook::engine::Game;

/// The definition of a shipped game.
pub fn definition(name: &str) -> check::Definition {
    let mut sources = Sources::new();
    let file = sources.add(name, rulebook::games::text(name).expect("a shipped game"));
    let (definition, diagnostics) = check::load(&mut sources, file, &rulebook::games::Shipped);
    assert!(diagnostics.is_empty(), "{name}: {diagnostics:?}");
    definition.expect("a definition")
}

/// A shipped game with variants and options: `proteus+warhorses trade-off=off`.
pub fn game(text: &str) -> Game {
    let mut words = text.split_whitespace();
    let mut parts = words.next().expect("a name").split('+');
    let name = parts.next().expect("a name");
    let selection = Selection {
        variants: parts.map(str::to_owned).collect(),
        options: words
            .map(|w| w.split_once('=').map(|(o, v)| (o.to_owned(), v.to_owned())).expect("option=value"))
            .collect(),
    };
    let compiled = definition(name).compile(&selection);
    Game::new(compiled.unwrap_or_else(|d| panic!("{text}: {d:?}")).game).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Every shipped game with every combination of its variants, as `name+variant+variant`.
pub fn combinations() -> Vec<String> {
    let mut list = Vec::new();
    for name in rulebook::games::names() {
        let slugs: Vec<String> = definition(name).variants().iter().map(|v| v.slug.clone()).collect();
        // variants that override the same statement exclude one another; combining is asked of those that can be combined
        for chosen in 0..1u32 << slugs.len() {
            let picked = slugs.iter().enumerate().filter(|(i, _)| chosen >> i & 1 != 0).map(|(_, s)| s.clone());
            let selection = Selection { variants: picked.clone().collect(), options: Vec::new() };
            if definition(name).compile(&selection).is_ok() {
                list.push(std::iter::once(name.to_owned()).chain(picked).collect::<Vec<_>>().join("+"));
            }
        }
    }
    list
}
