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
    nearest_of(word, candidates).into_iter().next()
}

/// The candidates that are near enough to be what was meant, the nearest first.
pub fn nearest_of<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let length = word.chars().take(MAX_WORD + 1).count();
    if length > MAX_WORD {
        return Vec::new();
    }
    let lower = word.to_lowercase();
    let limit = (length / 3).max(1);
    let alike = |c: &&str| c.chars().take(length + limit + 1).count().abs_diff(length) <= limit;
    let distance = |c: &'a str| (strsim::osa_distance(&lower, &c.to_lowercase()), c);
    let mut near: Vec<_> = candidates.into_iter().filter(alike).map(distance).filter(|&(d, _)| d <= limit).collect();
    near.sort_unstable();
    near.into_iter().map(|(_, c)| c).collect()
}
