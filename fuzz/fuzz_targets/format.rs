//! Texts without syntax errors: laid out, they mean what they meant, and laying them out once more changes nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rulebook::base::FileId;
use rulebook::syntax;
use rulebook_fuzz::change_texts;

change_texts!();

/// The syntax tree without places.
fn tree(text: &str) -> String {
    let (tree, errors) = syntax::parse(FileId(0), text);
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    format!("{tree:-?}")
}

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(formatted) = syntax::format(FileId(0), text) else { return };
    assert_eq!(tree(&formatted), tree(text), "the meaning has changed:\n{formatted}");
    let again = syntax::format(FileId(0), &formatted);
    assert_eq!(again.as_ref(), Ok(&formatted), "the layout does not settle");
    let comments = |text: &str| text.matches('#').count();
    assert_eq!(comments(&formatted), comments(text), "a comment was lost:\n{formatted}");
});
