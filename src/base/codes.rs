//! The kinds of findings: their numbers, names and explanations.
//!
//! A number and a name mean one kind for ever: neither is given to another kind, also not when its own is gone. A new kind
//! gets the next number of its hundred, a file `docs/errors/NUMBER.md` and a line in `docs/errors/README.md`.

use super::words::nearest;

/// A kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Such as `E0103`.
    pub number: &'static str,
    /// Such as `unknown-name`.
    pub name: &'static str,
    /// What it is, in a line.
    pub meaning: &'static str,
    /// Why it is a fault, with a wrong and a right example: a page of Markdown.
    pub page: &'static str,
}

impl Kind {
    /// The paragraph of its page, on one line.
    pub fn text(&self) -> String {
        let lines = self.page.lines().skip(2).take_while(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join(" ")
    }
}

macro_rules! kinds {
    ($($number:literal $name:literal $meaning:literal)*) => {
        /// All kinds, by number. The first two digits say what they are about: 00 reading, 01 names, 02 board and start,
        /// 03 pieces, 04 phrases, 05 turns and results, 06 tests, 07 limits, 08 random games.
        pub const KINDS: &[Kind] = &[$(Kind {
            number: $number,
            name: $name,
            meaning: $meaning,
            page: include_str!(concat!("../../docs/errors/", $number, ".md")),
        }),*];
    };
}

kinds! {
    "E0001" "syntax" "a line is not a sentence of the language"
    "E0002" "unknown-statement" "no line of this place begins with this word"
    "E0003" "unclosed" "a brace, a text in quotes or a row of a diagram has no end"
    "E0004" "reserved-word" "a word of the language cannot be a name"
    "E0005" "control-character" "a definition is plain text"
    "E0006" "too-long" "a text or a line is longer than anyone writes"
    "E0007" "too-deep" "braces, brackets, sums or `extends` nest too deep"
    "E0101" "duplicate" "what can be there once is there twice; to replace an inherited one write `override`"
    "E0102" "circular" "a name, a file or a piece is explained by itself"
    "E0103" "unknown-name" "there is nothing of this name"
    "E0104" "arguments" "a definition or a counter is given players it does not take, or misses one it needs"
    "E0105" "wrong-type" "a set, a condition or a number stands where another of them is expected"
    "E0106" "unused" "something is defined and never used"
    "E0107" "nothing-to-change" "`override` or `without` names a statement that is not there"
    "E0108" "ambiguous-header" "`override` or `without` could mean more than one statement"
    "E0109" "unknown-game" "there is no game of this name to extend"
    "E0110" "unknown-variant" "there is no variant of this name"
    "E0111" "variant-conflict" "two variants change the same statement, or one does not fit the game that inherits it"
    "E0112" "unknown-option" "there is no option of this name"
    "E0113" "option-value" "an option has one of the values it lists"
    "E0114" "option-type" "an option is used as what it is not"
    "E0115" "option-in-when" "which options there are cannot depend on options"
    "E0116" "not-an-option" "which statements stand is decided before the game, by options"
    "E0117" "without-option" "options stay; a heir may give them one value"
    "E0118" "no-effect" "a variant, an option or a change of a counter that changes nothing"
    "E0201" "no-board" "every game needs a board"
    "E0202" "no-players" "every game needs players"
    "E0203" "players" "games for other than two players can be checked, not played"
    "E0204" "unknown-player" "there is no player of this name"
    "E0205" "board-size" "a board has 1 to 704 cells, and only opposite edges that are far enough apart can be joined"
    "E0206" "symmetry" "a board is turned between two players"
    "E0207" "off-board" "the board has no such rank, file or cell"
    "E0208" "unknown-zone" "there is no zone of this name"
    "E0209" "zone-empty" "a zone without cells"
    "E0210" "unknown-direction" "there is no direction of this name on this board"
    "E0211" "setup" "one piece stands on a cell"
    "E0212" "fill" "the cells of a setup that players fill must differ, and the budget must reach for them"
    "E0213" "diagram" "a diagram draws every rank, the last one first, with a sign for each cell"
    "E0214" "position" "a position text does not fit the board"
    "E0215" "no-hand" "hands exist only in games with a `hand` statement"
    "E0301" "unknown-piece" "there is no piece of this name"
    "E0302" "glyph" "each piece is drawn by signs of its own, which position texts do not use otherwise"
    "E0303" "traits" "these traits exclude one another"
    "E0304" "clash" "two lines of a piece lead to one cell and do different things there"
    "E0305" "never-moves" "a piece without a move that is not on a ladder either"
    "E0306" "betza" "a letter of Betza's notation means nothing there, or must be said in words"
    "E0307" "leap" "a leap is two numbers, not both 0, that stay on a board of squares"
    "E0308" "castle" "where a castling goes follows from its partner and its length"
    "E0309" "promotion" "a piece is promoted to another flat piece"
    "E0310" "once-here" "`once per game` belongs to a move or to one piece of a promotion"
    "E0311" "except-here" "there is nothing to leave out here"
    "E0312" "nothing-to-lend" "a piece has no plain move that another could borrow"
    "E0313" "no-ladder" "`rotate` and `roll` move along the ladder"
    "E0314" "ladder-cube" "cubes turn with `spin` and `tip` and stand on no ladder"
    "E0315" "not-a-cube" "only cubes spin, tip and lie in several ways"
    "E0316" "not-flat" "a piece can become only one that lies in a single way"
    "E0317" "cube-edge" "a mark of a cube stands at an edge that its face shares with a neighbouring face"
    "E0318" "hand-item" "a hand gets and loses pieces, one at a time"
    "E0319" "unknown-mark" "there is no mark of this name"
    "E0320" "marker" "`marker` is the piece that set the mark to which the move goes"
    "E0321" "too-many-marks" "only so many turns of marks can be kept"
    "E0322" "never-enters" "a piece that can never be on the board"
    "E0323" "dead-line" "a line of a piece that no position lets it use"
    "E0401" "role" "`this`, `here`, `origin`, `attacker` and `victim` exist only in sentences about a step"
    "E0402" "viewer" "who looks is not clear, as in tests, where nobody does"
    "E0403" "any-player" "`any player` tries a whole condition for each player; inside a phrase one player must be named"
    "E0404" "opponent" "`opponent` needs exactly two players"
    "E0405" "count-here" "a number of pieces is a condition; where pieces or cells are meant, no number stands before them"
    "E0406" "choice" "only an act of the turn can choose a piece, one at a time"
    "E0407" "captured" "captured pieces have left the board: they can be counted by owner and kind, but have no cells"
    "E0408" "direction-missing" "`nearest` and `between` look along directions, which must be said"
    "E0409" "direction-here" "directions belong to `nearest`, `adjacent` and `between`"
    "E0410" "direction-changes" "directions that depend on how a cube lies can stand only behind `tip`"
    "E0411" "one-direction" "a piece is displaced in one direction"
    "E0412" "nothing-here" "`nothing` can stand only behind `toward` and `away from`"
    "E0413" "number-range" "a number is too small or too large for what it is"
    "E0501" "unknown-act" "there is no act or label of this name"
    "E0502" "again" "`again` repeats the act before it, so it needs one"
    "E0503" "turn-empty" "a turn in which nothing can ever be done"
    "E0504" "swap" "sides are swapped between two players"
    "E0505" "event" "this is not something after which effects can happen here"
    "E0506" "forbid" "what is forbidden does not fit"
    "E0507" "result-subject" "a result says who wins: `mover`, `next`, `any player` or a name"
    "E0508" "no-result" "a game without results never ends"
    "E0509" "never" "a condition that can never hold, or a set that is always empty"
    "E0510" "unbounded" "a game that may go on for ever"
    "E0511" "always" "a condition that always holds"
    "E0512" "shadowed" "a result before which another always comes"
    "E0513" "idle-act" "an act that nobody can do"
    "E0514" "unreachable" "an alternative or an act that is never reached, or adds nothing"
    "E0515" "two-writes" "two sentences of a block write the same thing"
    "E0516" "equal-numbers" "a number that is the same for all players, by which somebody shall win"
    "E0517" "not-yet" "a block asks how often something happened before it is counted"
    "E0601" "no-tests" "a test shows that the rules say what is meant"
    "E0602" "not-in-hand" "the piece can never be in hand"
    "E0603" "not-kept" "a test asks for something that the game does not keep count of"
    "E0604" "failed-test" "a test found something else than it says"
    "E0605" "move-text" "a test names a move that could be none of this game"
    "E0606" "nothing-played" "a test draws what shall come about and plays nothing"
    "E0607" "asks-nothing" "a test that cannot fail"
    "E0701" "too-large" "something expands to more than can be handled"
    "E0702" "too-many" "there is more of something than is possible"
    "E0703" "unplayable" "the engine has no room for a game like this"
    "E0801" "never-seen" "a piece that was never on the board in random games"
    "E0802" "never-acted" "a piece that never moved in random games"
    "E0803" "never-used" "a rule that did nothing in random games"
    "E0804" "endless" "random games that were not over in time"
    "E0805" "at-once" "random games that were all over after their first turn"
}

/// The kind of this number or name, in small or capital letters.
pub fn find(word: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|k| k.number.eq_ignore_ascii_case(word) || k.name.eq_ignore_ascii_case(word))
}

/// The kind whose number or name is nearest to a word, if one is near enough.
pub fn near(word: &str) -> Option<&'static Kind> {
    nearest(word, KINDS.iter().flat_map(|k| [k.number, k.name])).and_then(find)
}
