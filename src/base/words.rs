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

/// The candidate nearest to `word`, if one is near enough to be what was meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_of(word, candidates).into_iter().next()
}

/// The candidates that are near enough to be what was meant, the nearest first.
pub fn nearest_of<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let lower = word.to_lowercase();
    let limit = (lower.chars().count() / 3).max(1);
    let distance = |c: &'a str| (strsim::osa_distance(&lower, &c.to_lowercase()), c);
    let mut near: Vec<_> = candidates.into_iter().map(distance).filter(|&(d, _)| d <= limit).collect();
    near.sort_unstable();
    near.into_iter().map(|(_, c)| c).collect()
}
