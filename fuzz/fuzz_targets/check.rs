//! Any text: it is read and checked with every variant, and what is found lies in the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rulebook::base::Severity;
use rulebook_fuzz::{change_texts, load, selections};

change_texts!();

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let (Some(definition), found) = load(&text) else { return };
    let wrong = found.iter().any(|d| d.severity == Severity::Error);
    for selection in selections(&definition) {
        let compiled = definition.compile(&selection);
        assert!(wrong || compiled.is_ok(), "no error is told, but {selection:?} does not compile: {compiled:?}");
    }
});
