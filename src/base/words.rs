//! Words for messages: lists, plurals, and the nearest name to a misspelt one.

/// `a`, `a or b`, `a, b or c`.
pub fn one_of<S: AsRef<str>>(words: &[S]) -> String {
    join(words, "or")
}

/// `a`, `a and b`, `a, b and c`.
pub fn all_of<S: AsRef<str>>(words: &[S]) -> String {
    join(words, "and")
}

fn join<S: AsRef<str>>(words: &[S], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [init @ .., end] => {
            let init: Vec<&str> = init.iter().map(AsRef::as_ref).collect();
            format!("{} {last} {}", init.join(", "), end.as_ref())
        }
    }
}

/// `1 piece`, `2 pieces`.
pub fn count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// The longest word, in characters, for which a near one is looked for.
const MAX_WORD: usize = 64;

/// The candidate nearest to `word`, if one is near enough to be what was meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().take(MAX_WORD + 1).count();
    if length > MAX_WORD {
        return None;
    }
    let lower = word.to_lowercase();
    let limit = (length / 3).max(1);
    candidates
        .into_iter()
        .filter(|c| c.chars().take(length + limit + 1).count().abs_diff(length) <= limit)
        .map(|c| (strsim::osa_distance(&lower, &c.to_lowercase()), c))
        .filter(|&(d, _)| d <= limit)
        .min_by(|a, b| a.0.cmp(&b.0).then(a.1.cmp(b.1)))
        .map(|(_, c)| c)
}
