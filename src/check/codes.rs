//! All findings of the checker.

/// The code of each kind of finding, and a sentence that explains it.
pub const CODES: &[(&str, &str)] = &[];
