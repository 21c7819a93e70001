//! What the rules of the grammar are called in errors. Every rule has a name here (a test sees to it), so that no error
//! ever shows a name of the implementation.

use super::parser::Rule;

/// Whether a rule is a word of the language.
pub fn is_keyword(rule: Rule) -> bool {
    (Rule::k_about..=Rule::k_zone).contains(&rule)
}

/// The word that a keyword rule takes.
pub fn keyword(rule: Rule) -> String {
    match rule {
        Rule::k_opponents => "opponent's".to_owned(),
        _ => format!("{rule:?}").trim_start_matches("k_").replace('_', "-"),
    }
}

/// The sign that a punctuation rule takes.
pub fn punctuation(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::p_comma => ",",
        Rule::p_colon => ":",
        Rule::p_open => "(",
        Rule::p_close => ")",
        Rule::p_dots => "..",
        Rule::p_arrow => "->",
        Rule::p_equals => "=",
        Rule::p_at_most => "<=",
        Rule::p_at_least => ">=",
        Rule::p_less => "<",
        Rule::p_greater => ">",
        Rule::p_add => "+=",
        Rule::p_subtract => "-=",
        Rule::p_plus => "+",
        Rule::p_minus => "-",
        Rule::p_times => "*",
        _ => return None,
    })
}

/// Words that may stand for a rule, for `did you mean`.
pub fn examples(rule: Rule) -> Vec<String> {
    if is_keyword(rule) {
        return vec![keyword(rule)];
    }
    let words = match rule {
        Rule::dir | Rule::dirs | Rule::dir_word => {
            "any orthogonal diagonal sideways forward forward-diagonal forward-left forward-right backward \
             backward-diagonal backward-left backward-right left right north south east west"
        }
        Rule::set | Rule::plain_set | Rule::noun | Rule::drop_set => {
            "piece pieces enemy enemies friend friends empty nothing this here nearest adjacent surrounded captured"
        }
        Rule::cond | Rule::conj | Rule::neg => "checkmate stalemate not position mover next",
        Rule::number => "worth count turn score",
        Rule::trait_word | Rule::traits => "royal uncapturable neutral worth",
        Rule::selector => "to toward away from within",
        Rule::tail => "if unless then once",
        Rule::relation => "in on between of except attacking defending adjacent",
        Rule::cells => "rank file dark light corner edge",
        _ => "",
    };
    words.split_whitespace().map(str::to_owned).collect()
}

/// What a rule is called in an error.
pub fn name(rule: Rule) -> Option<String> {
    if is_keyword(rule) {
        return Some(format!("`{}`", keyword(rule)));
    }
    if let Some(sign) = punctuation(rule) {
        return Some(format!("`{sign}`"));
    }
    phrase(rule).map(str::to_owned)
}

fn phrase(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::EOI => "the end of the line",
        Rule::WHITESPACE | Rule::blank | Rule::new_lines => "a blank",
        Rule::COMMENT => "a comment",
        Rule::idc | Rule::letter => "a letter",
        Rule::name => "a name with a capital letter",
        Rule::names => "names with capital letters",
        Rule::cell => "a cell (`e4`)",
        Rule::word => "a word of your own",
        Rule::new_word => "a name in small letters",
        Rule::any_word => "a word",
        Rule::integer | Rule::literal => "a whole number",
        Rule::string => "a text in quotes",
        Rule::keyword => "a word of the language",
        Rule::game_line => "`game \"Name\"`",
        Rule::item_line | Rule::statement | Rule::own_condition => "a statement",
        Rule::label | Rule::without_label => "a label (`rule name:`)",
        Rule::by => "`by`",
        Rule::about => "`about`",
        Rule::source => "`source`",
        Rule::players => "`players`",
        Rule::option => "`option`",
        Rule::values => "values",
        Rule::value_range => "a range (`10..100`)",
        Rule::value => "a value (`yes`, `no`, a number or a word)",
        Rule::variant_head => "`variant`",
        Rule::when_head => "`when`",
        Rule::otherwise_head => "`otherwise`",
        Rule::without => "`without`",
        Rule::without_named => "a kind and a name (`piece Queen`)",
        Rule::without_word => "the first word of a statement (`turn`, `setup` …)",
        Rule::without_header => "the beginning of a statement (`after capture`, `draw` …)",
        Rule::guard | Rule::guards_line => "`if` or `unless`",
        Rule::board => "`board`",
        Rule::hex_board => "`hex` and a size",
        Rule::grid => "a size (`8x8`)",
        Rule::wrap => "`files`, `ranks` or `both`",
        Rule::symmetry => "`symmetry`",
        Rule::zone => "`zone`",
        Rule::cells | Rule::cells_sum | Rule::cells_part | Rule::cells_atom | Rule::cells_noun => {
            "cells (`rank 1`, `d4..e5`, a zone …)"
        }
        Rule::cells_group => "cells in brackets",
        Rule::ranks => "`rank`",
        Rule::files => "`file`",
        Rule::rectangle => "a rectangle (`d4..e5`)",
        Rule::define => "`define`",
        Rule::params => "names in brackets (`(p)`)",
        Rule::define_body => "a condition, a set, a number or directions",
        Rule::tip_dirs
        | Rule::later_dir
        | Rule::several_dirs
        | Rule::dirs
        | Rule::dir
        | Rule::dir_word
        | Rule::one_dir
        | Rule::noun_dir => "a direction (`forward`, `any`, `diagonal` …)",
        Rule::shown | Rule::shown_set | Rule::shown_noun => "a mark on a piece (`sword on my Samurai`)",
        Rule::end_here => "the end of the line",
        Rule::cond | Rule::cond_line | Rule::conj | Rule::neg | Rule::prim | Rule::cond_group => "a condition",
        Rule::compare => "a comparison (`score = 3`)",
        Rule::comparison => "`=`, `<`, `<=`, `>` or `>=`",
        Rule::line => "a line (`4 in line`)",
        Rule::line_of => "`of`",
        Rule::line_through => "`through`",
        Rule::occurs => "`position occurs 3 times`",
        Rule::times => "`times`",
        Rule::quiet => "`100 turns pass without …`",
        Rule::turns => "`turns`",
        Rule::all_pass => "`all pass`",
        Rule::checkmate => "`checkmate`",
        Rule::stalemate => "`stalemate`",
        Rule::board_full => "`board is full`",
        Rule::hand_cond | Rule::hand_of => "a hand (`my hand`)",
        Rule::hand_empty => "`is empty`",
        Rule::hand_has => "`has` and a piece",
        Rule::who_cond => "what a player does or has",
        Rule::connects => "`connects`",
        Rule::in_check => "`is in check`",
        Rule::stuck => "`is stuck`",
        Rule::can => "`can` or `cannot`",
        Rule::has => "`has`",
        Rule::parity => "`odd(…)` or `even(…)`",
        Rule::call => "a definition with a player in brackets",
        Rule::set_cond
        | Rule::set
        | Rule::plain_set
        | Rule::described
        | Rule::noun
        | Rule::drop_set
        | Rule::tip_set
        | Rule::adjective => "pieces or cells (`enemy`, `my King`, `empty` …)",
        Rule::shows => "`shows`",
        Rule::is => "`is`",
        Rule::what | Rule::what_in | Rule::what_names => "what it is (`empty`, `in …`, a piece …)",
        Rule::who | Rule::winner => "a player (`mover`, `next`, `me`, `opponent` or a name)",
        Rule::any_player => "`any player`",
        Rule::chosen | Rule::chosen_set => "`one` or `another`",
        Rule::set_count => "how many (`no`, `2`, `at least 3` …)",
        Rule::at_least => "`at least`",
        Rule::at_most => "`at most`",
        Rule::up_to => "`up to`",
        Rule::count | Rule::count_before => "a whole number or an option",
        Rule::behind_this => "`behind this`",
        Rule::relation => "a relation (`in any direction`, `on …`, `except …`)",
        Rule::rel_direction => "`in … direction`",
        Rule::rel_cells => "`on` or `in`",
        Rule::rel_between => "`between`",
        Rule::rel_bearing | Rule::bearing => "`attacking` or `defending`",
        Rule::rel_of => "`of`",
        Rule::rel_except => "`except`",
        Rule::rel_adjacent => "`adjacent to`",
        Rule::number | Rule::product | Rule::factor | Rule::number_name | Rule::number_group => "a number",
        Rule::plus_minus => "`+` or `-`",
        Rule::worth_of => "`worth of`",
        Rule::count_of => "`count of`",
        Rule::turn_number => "`turn number`",
        Rule::original_of => "`original of`",
        Rule::piece_head => "`piece`",
        Rule::extend_head => "`extend`",
        Rule::cube_head => "`cube`",
        Rule::trait_word | Rule::traits => "a trait (`royal`, `worth 5` …)",
        Rule::ladder => "`ladder`",
        Rule::rung => "a rung (`Pawn 2`)",
        Rule::clause | Rule::clause_line => "a line of a piece (`step`, `slide`, `leap` …)",
        Rule::cube_line => "a face (`top = …`) or a line of a piece",
        Rule::clause_label => "a label (`name:`)",
        Rule::tail => "`if`, `unless`, `then`, `once per game`",
        Rule::then => "`then`",
        Rule::once => "`once per game`",
        Rule::promote => "`promote`",
        Rule::promotion => "a piece to become",
        Rule::betza => "`betza`",
        Rule::moves_as => "`moves as`",
        Rule::last_moved => "`piece last moved by`",
        Rule::borne => "`pieces attacking this` or `pieces defending this`",
        Rule::move_clause => "a move (`step`, `slide`, `leap`, `jump`, `hop`, `castle` or `drop`)",
        Rule::step => "`step`",
        Rule::slide => "`slide`",
        Rule::leap => "`leap`",
        Rule::hop => "`jump` or `hop`",
        Rule::castle => "`castle`",
        Rule::drop => "`drop`",
        Rule::steps => "`steps`",
        Rule::any_way_up => "`any way up`",
        Rule::all_the_way => "`all the way`",
        Rule::offset => "an offset (`(1,2)`)",
        Rule::selector => "`to`, `toward`, `away from`, `from`, `within`",
        Rule::to => "`to`",
        Rule::toward => "`toward`",
        Rule::away_from => "`away from`",
        Rule::from => "`from`",
        Rule::within => "`within`",
        Rule::face => "a face (`top = …`)",
        Rule::face_mark => "a mark and its edges (`sword front`)",
        Rule::side => "a side (`top`, `front`, `left` …)",
        Rule::effect | Rule::effect_line => "an effect (`capture`, `remove`, `flip` …)",
        Rule::simple => "`capture`, `remove`, `flip` or `roll`",
        Rule::rotate | Rule::rotate_act => "`rotate`",
        Rule::mark | Rule::mark_item => "`mark`",
        Rule::unmark => "`unmark`",
        Rule::end_turn => "`end turn`",
        Rule::assign => "an assignment (`score += 1`)",
        Rule::target => "a counter or a hand",
        Rule::assign_op => "`+=`, `-=` or `=`",
        Rule::acted => "what happens to pieces (`… becomes Queen`)",
        Rule::becomes => "`becomes`",
        Rule::displaced | Rule::slid | Rule::stepped => "`slides` or `steps`",
        Rule::after_head => "`after`",
        Rule::event => "an event (`move`, `drop`, `capture` …)",
        Rule::arrival => "`enemy moves to`",
        Rule::verb | Rule::play_verb => "an act (`move`, `drop`, `capture` …)",
        Rule::forbid => "`forbid`",
        Rule::forbidden => "an act (`capture`, `move`, `drop`, `turn` …)",
        Rule::remember => "`remember`",
        Rule::counter => "`counter`",
        Rule::turn_head => "`turn`",
        Rule::acts_line | Rule::acts | Rule::ors | Rule::thens | Rule::guarded | Rule::act => {
            "an act (`move`, `drop`, `rotate another by 1` …)"
        }
        Rule::acts_group => "acts in brackets",
        Rule::again => "`again`",
        Rule::pass => "`pass`",
        Rule::swap_sides => "`swap sides`",
        Rule::spin_act => "`spin`",
        Rule::tip_act => "`tip`",
        Rule::choose_act => "`remove`, `flip` or `capture one …`",
        Rule::play_act => "a verb of play",
        Rule::with_this => "`with this`",
        Rule::outcome | Rule::verdict => "a result (`mover wins`, `draw` …)",
        Rule::draw => "`draw`",
        Rule::highest => "`highest`",
        Rule::lowest => "`lowest`",
        Rule::wins => "`wins`",
        Rule::loses => "`loses`",
        Rule::as_soon_as => "`as soon as`",
        Rule::prefer => "`prefer`",
        Rule::most => "what is counted",
        Rule::hand => "`hand`",
        Rule::stock | Rule::portion => "how many of what (`12 Stone`)",
        Rule::setup => "`setup`",
        Rule::fill => "`each player fills`",
        Rule::place | Rule::place_line => "a piece and its cells (`Pawn on rank 2`)",
        Rule::diagram | Rule::rows | Rule::row => "a row of a diagram (`| . p . |`)",
        Rule::test_head => "`test`",
        Rule::with => "a variant (`\"Name\"`) or an option (`name = value`)",
        Rule::test_line | Rule::test_kind => "a line of a test",
        Rule::t_board => "a diagram",
        Rule::t_position => "`position`",
        Rule::t_to_play => "`… to play`",
        Rule::t_hands_empty => "`hands empty`",
        Rule::t_hand => "`hand of`",
        Rule::t_set | Rule::t_set_last => "`set`",
        Rule::t_play => "`play`",
        Rule::t_legal => "`legal`",
        Rule::t_illegal => "`illegal`",
        Rule::t_turns => "`turns =`",
        Rule::t_moves_of => "`moves of`",
        Rule::t_moves => "`moves =`",
        Rule::t_perft => "`perft`",
        Rule::t_after => "`after`",
        Rule::t_expect | Rule::t_expect_board | Rule::t_expect_cond => "`expect`",
        Rule::result => "a result (`White wins`, `draw`, `no result`)",
        Rule::turn_text | Rule::move_text => "a move",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::expected::{RESERVED, is_language_word};

    #[test]
    fn every_rule_has_a_human_name() {
        for &rule in Rule::all_rules() {
            let code = format!("{rule:?}");
            assert_eq!(is_keyword(rule), code.starts_with("k_"), "{code}");
            assert_eq!(punctuation(rule).is_some(), code.starts_with("p_"), "{code}");
            let name = name(rule).unwrap_or_else(|| panic!("the rule {code} has no human name"));
            assert!(!name.contains('_'), "{code} is called {name}");
        }
    }

    #[test]
    fn words_of_the_language_are_not_free() {
        for &rule in Rule::all_rules().iter().filter(|&&r| is_keyword(r)) {
            assert!(is_language_word(&keyword(rule)), "{rule:?} is missing in `keyword` of words.pest");
        }
        for word in RESERVED.split(' ') {
            assert!(is_language_word(word), "`{word}` is missing in `keyword` of words.pest");
        }
        for word in ["start", "trade-off", "dark", "stepping", "score", "p"] {
            assert!(!is_language_word(word), "`{word}` should be free");
        }
    }
}
