//! Words that people bring along from other languages for games and from talk of chess, and what is written here instead:
//! one table, asked wherever a word is not understood.

use crate::base::{Diagnostic, Span};
use Cure::{Guess, No, Write};

/// What takes the place of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cure {
    /// Nothing of one word: the help says more.
    No,
    /// Surely this; an empty text leaves the word out.
    Write(&'static str),
    /// Probably this.
    Guess(&'static str),
}

/// A row of the table: where the words stand, the words (small letters), their cure, and what to write, in words; without
/// them the cure says it. The place is what is expected there: a kind of line, a kind of phrase, or a word of the language.
type Row = (&'static str, &'static str, Cure, &'static str);

#[rustfmt::skip]
const TABLE: &[Row] = &[
    // The first words of statements.
    ("statement", "game title name", No, "the first line is `game \"Name\"`, and there is one"),
    ("statement", "side sides turn-order turnorder order color colors colour colours seats teams", No, "who plays, and in which order, is said by `players White, Black`"),
    ("statement", "unit units man men token tokens figure figures pawn king queen rook bishop knight archer", No, "a kind of piece is written `piece Pawn \"P\" { … }`"),
    ("statement", "grid size dimensions width height maxrank maxfile ranks files squares", No, "files and ranks are said at once: `board 8x8`"),
    ("statement", "set start startpos startfen startingposition initial init begin fen position array place", No, "the start position is a `setup`: `setup Pawn on rank 2`, a diagram, or `setup \"4k3/8/8/8/8/8/8/4K3\"`"),
    ("statement", "region regions area areas sites squareset", Write("zone"), ""),
    ("statement", "pocket pockets reserve stock supply bag pool", Write("hand"), ""),
    ("statement", "win wins winner won victory goal win-condition objective flagpiece", No, "a result begins with who wins: `mover wins when …`, or `White wins when …`"),
    ("statement", "lose loses loser lost loss-condition extinctionvalue", No, "a result begins with who loses: `next loses when …`"),
    ("statement", "you i me player both everybody nobody", No, "a result begins with `mover`, `next`, `any player` or the name of a player"),
    ("statement", "tie ties drawn draw-condition", Write("draw"), ""),
    ("statement", "checkmate mate check", No, "write who wins by it: `mover wins when checkmate`"),
    ("statement", "stalemate stalematevalue stalemated", No, "write what comes of it: `draw when stalemate`, or `next loses when stalemate`"),
    ("statement", "nmoverule fifty-move-rule fiftymoves", No, "write `draw when 50 turns pass without captured piece or moved Pawn`"),
    ("statement", "nfoldrule repetition threefold perpetual", No, "write `draw when position occurs 3 times`"),
    ("statement", "end finish result", No, "how the game ends is said by results: `mover wins when …`, `next loses when …`, `draw when …`"),
    ("statement", "castling castles castle", No, "castling is a line of a piece: `castle with Rook` in the braces of the king"),
    ("statement", "promotion promotes promote promotionrank promotionregion promotionpiecetypes", No, "promotion is a line of a piece: `promote on rank 8 to Queen, Rook`"),
    ("statement", "must compulsory force forced mustcapture", No, "`prefer most captured pieces` makes captures compulsory, and so does `turn { capture or else move }`"),
    ("statement", "never cannot prohibit disallow illegal dont", Guess("forbid"), "what is not allowed is said by `forbid move King when …`"),
    ("statement", "on upon whenever trigger event", Guess("after"), "what happens after an act is said by `after capture { … }`"),
    ("statement", "let def func function macro alias const constant equipment", No, "a phrase gets a name by `define NAME = …`, a number that changes by `counter NAME = 0`"),
    ("statement", "var variable int integer global score lives", No, "a number that changes is a counter: `counter NAME = 0`, or `… = 0 each` for one of each player; `score` is there already"),
    ("statement", "import include use using require inherit load", No, "the rules of another game are taken over in the first line: `game \"Name\" extends \"chess\"`"),
    ("statement", "remove delete drop-rule disable", Guess("without"), "what is inherited is taken away by `without …`"),
    ("statement", "replace change redefine", Guess("override"), "what is inherited is replaced by `override …`"),
    ("statement", "author authors inventor designer creator", Write("by"), ""),
    ("statement", "description comment note notes summary", Write("about"), ""),
    ("statement", "url link website reference", Write("source"), ""),
    ("statement", "move moves play", No, "what a player does in a turn stands in `turn { … }`, and how a piece moves in the braces of the piece"),
    ("statement", "else elseif elif", Write("otherwise"), ""),
    // The first words of lines of a piece.
    ("piece", "without remove delete", No, "single lines of a piece are not taken away: write it anew with `override piece …`"),
    ("piece", "passant en-passant enpassant", No, "en passant is made of a mark: `step forward-diagonal to passed then capture marker`, and `then mark crossed as passed` behind the double step"),
    ("piece", "castling castles kingside queenside short o-o o-o-o", No, "castling is written `castle with Rook`"),
    ("piece", "double-step doublestep double initial", No, "a first step of two cells is `step forward 2 to empty from rank 2`"),
    ("piece", "knight knights l-shape n", No, "a knight's move is `leap (1,2)`"),
    ("piece", "move go goes walk walks travel travels", Guess("step"), "say how it moves: `step`, `slide`, `leap`, `jump`, `hop`, or `moves as Rook`"),
    ("piece", "capture captures take takes attack attacks kill kills eat eats", No, "a move captures what stands on its target: `step forward-diagonal to enemy`"),
    ("piece", "ride rides glide glides run runs sweep", Guess("slide"), ""),
    ("piece", "vault bound spring fly flies teleport", No, "a move over pieces is `leap (1,2)`, `hop any over piece` or `jump any over enemy`"),
    ("piece", "place places add put puts", Write("drop"), ""),
    ("piece", "promotion promoting", Write("promote"), ""),
    ("piece", "value values points score cost", Write("worth"), ""),
    ("piece", "king monarch", Guess("royal"), ""),
    ("piece", "cannot never no", No, "a piece can do what its lines allow and nothing else; `forbid move …` outside of pieces forbids more"),
    ("piece", "if when", No, "a condition stands behind the move: `step forward to empty if …`"),
    ("piece", "else", No, "each line stands on its own; `unless …` behind a move says when it is not possible"),
    // The first words of effects.
    ("effect", "kill kills destroy delete eliminate take takes eat eats captures removes", No, "to take pieces off write `remove …`, or `capture …` if it counts as a capture"),
    ("effect", "add increase increment inc give", No, "a counter grows by `score += 1`, a hand by `my hand += Pawn`"),
    ("effect", "decrease decrement dec subtract reduce lose", No, "a counter shrinks by `score -= 1`"),
    ("effect", "promote transform change convert turn replace", No, "a piece is changed by `… becomes Queen`; it changes its owner by `flip …`"),
    ("effect", "win wins game mover next draw", No, "who wins is no effect: write a result outside of the braces, `mover wins as soon as …`"),
    ("effect", "place put drop create", No, "effects put no new pieces on the board; a piece is dropped by an act of `turn { … }`"),
    ("effect", "push move moves", No, "pieces are displaced by `… steps away from here` or `… slides 2 forward`"),
    ("effect", "if", Write("when"), "an effect with a condition is `when victim is Queen { … }`"),
    ("effect", "else", Write("otherwise"), ""),
    ("effect", "pass skip", No, "`end turn` completes the turn"),
    // Acts.
    ("act", "skip skips passes nothing wait", Write("pass"), ""),
    ("act", "must either please first", Write(""), ""),
    ("act", "optionally can could maybe", Write("may"), ""),
    ("act", "place places add put drops enter", Write("drop"), ""),
    ("act", "moves go", Write("move"), ""),
    ("act", "castling castles", Write("castle"), ""),
    ("act", "promotion promotes", Write("promote"), ""),
    ("act", "takes take taking captures capturing", Write("capture"), ""),
    ("act", "moving", Write("move"), ""),
    ("act", "turn", Guess("spin"), "cubes turn with `spin clockwise`, other pieces with `rotate one by 1`"),
    ("act", "if", Write("when"), ""),
    ("act", "else", No, "`move or else pass` tries one act before the other; of cases the last is `otherwise { … }`"),
    ("act", "twice repeat", No, "write it as often as it is done: `move then move`; `then again` goes on with the same piece"),
    ("act", "and", Guess("then"), "`A then B` does one after the other, `A or B` one of them"),
    ("act", ", & -> + /", No, "`A then B` does one after the other, `A or B` one of them"),
    // Lines of a test.
    ("test", "assert check verify should ensure", Write("expect"), ""),
    ("test", "fen start startfen setup", Write("position"), ""),
    ("test", "not cannot", No, "a move that must not be possible stands behind `illegal`"),
    ("test", "move do make", Guess("play"), ""),
    ("test", "count number", No, "the number of legal turns is `turns = 20`"),
    // Phrases.
    ("a direction", "up ahead front upward upwards forwards onward", Write("forward"), ""),
    ("a direction", "down back backwards downward downwards behind", Write("backward"), ""),
    ("a direction", "horizontal horizontally sidewards lateral side", Write("sideways"), ""),
    ("a direction", "vertical vertically", Guess("forward or backward"), ""),
    ("a direction", "diagonally diagonals", Write("diagonal"), ""),
    ("a direction", "orthogonally straight", Write("orthogonal"), ""),
    ("a direction", "all every each", Write("any"), ""),
    ("a direction", "north-east ne", Write("northeast"), ""),
    ("a direction", "north-west nw", Write("northwest"), ""),
    ("a direction", "south-east se", Write("southeast"), ""),
    ("a direction", "south-west sw", Write("southwest"), ""),
    ("a direction", "in to with", No, "a direction stands right behind the word: `step any`, `slide diagonal`"),
    ("a direction", "(", No, "a move by files and ranks is a `leap`: `leap (1,2)`"),
    ("a number", "two", Write("2"), "numbers are written in digits"),
    ("a number", "three", Write("3"), "numbers are written in digits"),
    ("a number", "four", Write("4"), "numbers are written in digits"),
    ("a number", "five", Write("5"), "numbers are written in digits"),
    ("a number", "six", Write("6"), "numbers are written in digits"),
    ("a number", "seven", Write("7"), "numbers are written in digits"),
    ("a number", "eight", Write("8"), "numbers are written in digits"),
    ("a number", "nine", Write("9"), "numbers are written in digits"),
    ("a number", "ten", Write("10"), "numbers are written in digits"),
    ("a number", "twelve", Write("12"), "numbers are written in digits"),
    ("a number", "twenty", Write("20"), "numbers are written in digits"),
    ("a number", "fifty", Write("50"), "numbers are written in digits"),
    ("a number", "hundred", Write("100"), "numbers are written in digits"),
    ("a number", "thrice", Write("3 times"), ""),
    ("a number", "twice", Write("2 times"), ""),
    ("a number", "threefold", No, "write `position occurs 3 times`"),
    ("a number", "max maximum most", Write("up to"), "the length of a slide is `up to 3`"),
    ("cells", "row rows ranks", Write("rank"), ""),
    ("cells", "line lines", No, "ranks go across the board and files along it: `rank 1`, `file a`"),
    ("cells", "column columns col cols files", Write("file"), ""),
    ("cells", "black", Guess("dark"), "as on a chessboard, cells are `dark` or `light`"),
    ("cells", "white", Guess("light"), "as on a chessboard, cells are `dark` or `light`"),
    ("cells", "same", No, "what stands in line is said by directions, as in `nearest enemy in any direction`, and a row by its number, as in `on rank 4`"),
    ("cells", "center centre middle", No, "write its cells, as in `d4..e5`"),
    ("cells", "corners", Write("corner"), ""),
    ("cells", "edges border borders sides", Write("edge"), ""),
    ("cells", "last final back top bottom promotion", No, "ranks have numbers, counted from each player's own side: `rank 1`, `rank 8`"),
    ("cells", "empty enemy friend piece pieces", No, "what stands on the target is said by `to`: `to empty`, `to enemy`"),
    ("pieces", "opponent", Guess("enemy"), "pieces of the other player are `enemies`"),
    ("pieces", "opponents", Guess("enemies"), "pieces of the other player are `enemies`"),
    ("pieces", "mine our own your", Write("my"), ""),
    ("pieces", "his her its their", No, "say whose: `my King`, `enemy King`, `King of next`"),
    ("pieces", "capture", Write("captured piece"), ""),
    ("pieces", "all every each", Write(""), "leave out the word; all are meant"),
    ("pieces", "less fewer more than", No, "write `at most 1 Pawn` or `at least 3 Pawn`; numbers are compared with `<` and `>`"),
    ("pieces", "<= < >= > =", No, "write `at most 1 Pawn` or `at least 3 Pawn`; numbers are compared, as in `count of my Pawn <= 1`"),
    ("pieces", "moves legal", No, "whether a player has a legal turn is asked by `next is stuck`"),
    ("a condition", "number", No, "how many there are is `count of my pieces`"),
    ("a condition", "turns", Guess("turn number"), ""),
    ("a condition", "mate", Write("checkmate"), ""),
    ("a condition", "checkmated", Guess("checkmate"), "the condition stands alone and is about `next`: `mover wins when checkmate`"),
    ("a condition", "repetition threefold", Write("position occurs 3 times"), ""),
    ("a condition", "when if", Write(""), ""),
    ("a condition", "capture captures move moves drop", No, "what happens after an act is said by `after capture { … }`; whether it happened in the turn is asked by `captured piece` or `moved Pawn`"),
    ("a condition", "insufficient", No, "say which pieces are too few, as in `draw when no Pawn, Rook, Queen`"),
    ("a condition", "mover's next's player's", Guess("my"), "say whose: `my Pawn`, `enemy Pawn`, `Pawn of next`"),
    ("a condition", "true always", No, "leave out a condition that always holds"),
    ("a condition", "!", Write("not "), ""),
    ("a player", "mine", Write("me"), ""),
    ("a player", "you player both everybody everyone", No, "players are called `mover`, `next`, `me`, `opponent`, `any player`, or by their names"),
    ("a value", "true", Write("yes"), "an option is `yes` or `no`"),
    ("a value", "on enabled", Write("yes"), "an option is `yes` or `no`"),
    ("a value", "false", Write("no"), "an option is `yes` or `no`"),
    ("a value", "off disabled", Write("no"), "an option is `yes` or `no`"),
    // What may follow a phrase.
    ("what follows", "onto into upon on", Write("to"), "the target is said by `to`"),
    ("what follows", "captures capturing takes attacks", Write("to"), "a move captures what stands on its target: `to enemy`"),
    ("what follows", "without", No, "a move that does not capture goes `to empty`"),
    ("what follows", "not", No, "say where it may go: `to empty`, `to enemy except King`"),
    ("what follows", "max maximum most", Write("up to"), ""),
    ("what follows", "when where provided", Write("if"), ""),
    ("what follows", "first", No, "whether a piece has moved is asked by `if this is unmoved`"),
    ("what follows", "reaches reach", Write("on"), "write who has it there: `mover has Pawn on rank 8`"),
    ("what follows", "isn't ain't aren't", Write("is not"), ""),
    ("what follows", "at", Write("on"), ""),
    ("what follows", "left remaining", Write(""), ""),
    ("what follows", "< > <= >= =", No, "to compare how many there are write `count of …`, as in `count of friends > 2`"),
    ("what follows", "cylinder cylindrical", Write("wrap files"), ""),
    ("what follows", "torus toroidal", Write("wrap both"), ""),
    ("what follows", "value points", Write("worth"), ""),
    ("what follows", "king", Guess("royal"), ""),
    // Words in the place of one word of the language.
    ("when", "after", No, "write `draw when turn number = 50`, or `draw when 50 turns pass without captured piece`"),
    ("when", "if on upon by because where once whenever", Write("when"), ""),
    ("if", "when where", Write("if"), ""),
    ("is", "are", Write("is"), ""),
    ("occurs", "repeats repeated recurs repeat occured occurred", Write("occurs"), ""),
    ("stuck", "blocked trapped immobile stalemated", Write("stuck"), ""),
    ("stuck", "checkmated mated checkmate", No, "write the condition alone: `mover wins when checkmate`"),
    ("stuck", "checked", Write("in check"), ""),
    ("line", "a", No, "write `4 in line`"),
    ("line", "row", Write("line"), ""),
    ("as", "like with to into", Write("as"), ""),
    ("on", "at in onto upon =", Write("on"), ""),
    ("on", "to", No, "the cells come first, behind `on`: `promote on rank 8 to Queen`, `setup Pawn on rank 2`"),
    ("to", "into onto =", Write("to"), ""),
    ("turn", "moves plies ply rounds", Guess("turns"), "a turn is that of one player, so 50 moves of both are 100 `turns`"),
    ("direction", "directions", Write("direction"), ""),
    ("pass", "without", Write("pass without"), ""),
    ("number", "=", Write("number ="), ""),
    ("over", "across", Write("over"), ""),
    ("and", "but also plus & &&", Write("and"), ""),
    ("cannot", "can't cant couldn't", Write("cannot"), ""),
    ("cannot", "doesn't don't hasn't", No, "write `next has no King`, or `not` before the condition"),
    ("play", "move", Write("play"), ""),
    ("becomes", "turns promotes changes transforms", No, "a piece is changed by `… becomes Queen`"),
    ("clockwise", "right", Guess("clockwise"), ""),
    ("clockwise", "left", Guess("counterclockwise"), ""),
    ("most", "longest maximum more best many", Guess("most"), "write what is counted, as in `prefer most captured pieces`"),
    ("with", "kingside queenside short long", No, "write `castle with Rook`: it may go to either side"),
    ("files", "left right horizontal horizontally sides edges columns", Write("files"), "joined are `files` (left and right), `ranks` or `both`"),
    ("fixed", "is are of :", Guess("="), ""),
    ("hex", "hexagonal hexagon hexagons", Write("hex"), ""),
    ("comparison", "is are equals equal", Write("="), ""),
    ("comparison", "at least most more less over under", No, "numbers are compared with `=`, `<`, `<=`, `>` and `>=`"),
    ("<", "> , <= >=", No, "a ladder goes from low to high, with `<` between the rungs"),
    ("and", ",", No, "conditions are joined with `and` or `or`"),
    ("each", "for per", No, "`each` alone keeps a number for each player: `counter lives = 3 each`"),
    ("extends", "based from of like :", No, "the game it begins with stands behind `extends`: `game \"Name\" extends \"chess\"`"),
    ("=", "starts begins starting", No, "the number it starts with stands behind `=`: `counter lives = 3`"),
    ("=", "from", Guess("of"), ""),
    ("=", ": is are to := being", Write("="), ""),
    ("(", "knight horse", No, "a knight's move is `leap (1,2)`"),
    // Words that say nothing here.
    ("anywhere", "a an the", Write(""), "articles are left out"),
    ("anywhere", "square squares cell cells tile tiles field fields space spaces", Write(""), "cells are meant without saying so"),
    ("anywhere", "direction directions only just please fen every", Write(""), ""),
    ("anywhere", "are", Guess("is"), ""),
    ("anywhere", "piece pieces than", Guess(""), ""),
];

/// What takes the place of a word that is not understood where one of these is expected, and how it is said.
pub fn find<'a>(places: impl IntoIterator<Item = &'a str>, word: &str) -> Option<(String, Cure)> {
    let word = word.to_lowercase();
    places.into_iter().find_map(|place| {
        let (_, _, cure, help) =
            TABLE.iter().find(|(at, words, ..)| *at == place && words.split(' ').any(|w| w == word))?;
        let help = match cure {
            _ if !help.is_empty() => (*help).to_owned(),
            Write("") | Guess("") => format!("leave out `{word}`"),
            Write(text) | Guess(text) => format!("write `{text}`"),
            No => return None,
        };
        Some((help, *cure))
    })
}

impl Cure {
    /// Adds the cure of what stands at `span`.
    pub fn add(self, error: Diagnostic, span: Span) -> Diagnostic {
        match self {
            No => error,
            Write(text) => error.fix(span, text),
            Guess(text) => error.suggest(span, text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cure, TABLE, find};
    use std::collections::BTreeSet;

    #[test]
    fn each_word_has_one_row_for_a_place_and_each_row_says_what_to_write() {
        let mut known = BTreeSet::new();
        for (place, words, cure, help) in TABLE {
            for word in words.split(' ') {
                assert!(known.insert((place, word)), "`{word}` stands twice for {place}");
                assert_eq!(word, word.to_lowercase());
                let (said, found) = find([*place], word).expect("a row has a cure or a help");
                assert!(found == *cure && !said.contains("``"), "{place} {word}: {said}");
            }
            assert!(*cure != Cure::No || !help.is_empty(), "{place} {words}");
        }
    }
}
