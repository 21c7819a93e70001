//! Lines of move texts: turns separated by blanks, where a comma continues a turn.

use crate::engine::{Decider, Deed, Game, Refusal, State, Step};

/// A move text of a line that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stray {
    /// Which turn of the line, from 0.
    pub index: usize,
    /// The text.
    pub text: String,
    /// Why.
    pub refusal: Refusal,
}

impl std::fmt::Display for Stray {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "move {} `{}`: {}", self.index + 1, self.text, self.refusal.reason)?;
        if let Some(nearest) = &self.refusal.nearest {
            write!(f, "; did you mean `{nearest}`?")?;
        }
        Ok(())
    }
}

/// The turns of a line: `"b2b4, c1+ b7b5"` is two.
pub fn split_line(line: &str) -> Vec<String> {
    let mut turns: Vec<String> = Vec::new();
    let mut goes_on = false;
    for word in line.split_whitespace() {
        let continues = goes_on || word.starts_with(',');
        goes_on = word.ends_with(',');
        let parts: Vec<&str> = word.split(',').filter(|part| !part.is_empty()).collect();
        let word = parts.join(", ");
        match turns.last_mut() {
            Some(turn) if continues => {
                if !turn.is_empty() && !word.is_empty() {
                    turn.push_str(", ");
                }
                turn.push_str(&word);
            }
            _ => turns.push(word),
        }
    }
    turns.retain(|turn| !turn.is_empty());
    turns
}

/// Whether no turn is under way: the next decision opens one, or the game is over.
pub fn turn_is_over(game: &Game, state: &State) -> bool {
    game.outcome(state).is_some() || (!game.within_turn(state) && game.decider(state) != Decider::Chance)
}

/// Plays the turns in order. Each must be whole; the last may be the beginning of one. Gives the steps of the turn that is
/// under way at the end, if there is one.
pub fn play_line<S: AsRef<str>>(game: &Game, state: &mut State, turns: &[S]) -> Result<Vec<Step>, Stray> {
    let mut open: Vec<Step> = Vec::new();
    for (index, text) in turns.iter().enumerate() {
        let text = text.as_ref();
        let stray = |refusal| Stray { index, text: text.to_owned(), refusal };
        if let Some(outcome) = game.outcome(state) {
            let reason = format!("the game is over: {}", super::describe::result(game, &outcome));
            return Err(stray(Refusal { reason, grounds: Vec::new(), nearest: None }));
        }
        if !open.is_empty() {
            let reason = format!(
                "the turn before it, `{}`, is not complete; a comma joins the steps of a turn",
                game.turn_text(&open)
            );
            return Err(stray(Refusal { reason, grounds: Vec::new(), nearest: None }));
        }
        let steps = game.read(state, text).map_err(stray)?;
        for &step in &steps {
            let _ = game.play(state, step);
        }
        // a turn that may end here does: its text is whole
        if let Some(done) = game.steps(state).into_iter().find(|s| s.deed == Deed::Done) {
            let _ = game.play(state, done);
        }
        if !turn_is_over(game, state) {
            open = steps;
        }
    }
    Ok(open)
}

#[cfg(test)]
mod tests {
    use super::split_line;

    #[test]
    fn commas_continue_a_turn() {
        assert_eq!(split_line("e2e4 e7e5"), ["e2e4", "e7e5"]);
        assert_eq!(split_line("b2b4, c1+ b7b5,c8+"), ["b2b4, c1+", "b7b5, c8+"]);
        assert_eq!(split_line("  a1 , b1\n c1"), ["a1, b1", "c1"]);
        assert_eq!(split_line(" , "), Vec::<String>::new());
    }
}
