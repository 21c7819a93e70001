//! What the repository holds itself to: the layers of ARCHITECTURE.md.

use std::fs;
use std::path::{Path, PathBuf};

/// Which layers a layer may use.
const LAYERS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("ir", &["base"]),
    ("syntax", &["base"]),
    ("games", &[]),
    ("check", &["base", "ir", "syntax", "games"]),
    ("engine", &["base", "ir"]),
    ("twin", &["base", "ir"]),
    ("search", &["base", "ir", "engine"]),
    ("session", &["base", "ir", "engine", "search"]),
    ("testing", &["base", "ir", "syntax", "check", "engine", "session"]),
    ("front", &["base", "ir", "syntax", "check", "games", "engine", "search", "session", "testing"]),
];

fn files(folder: &Path, list: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, list);
        } else if path.extension().is_some_and(|e| e == "rs") {
            list.push(path);
        }
    }
}

#[test]
fn layers_use_only_what_lies_below_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut list = Vec::new();
    files(&src, &mut list);
    let mut faults = Vec::new();
    for path in list {
        let inner = path.strip_prefix(&src).expect("within src");
        let layer = inner.iter().next().and_then(|p| p.to_str()).unwrap_or("").trim_end_matches(".rs").to_owned();
        let Some((_, allowed)) = LAYERS.iter().find(|(l, _)| *l == layer) else {
            assert!(["lib", "main"].contains(&layer.as_str()), "the layer `{layer}` is not in the table");
            continue;
        };
        let text = fs::read_to_string(&path).expect("a source file");
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or("");
            for used in code.split("crate::").skip(1) {
                let used: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if LAYERS.iter().any(|(l, _)| *l == used) && used != layer && !allowed.contains(&used.as_str()) {
                    faults.push(format!("{}:{}: {layer} uses {used}", inner.display(), number + 1));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn engine_and_below_need_no_clock_and_no_system_randomness() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for layer in ["base", "ir", "syntax", "check", "engine", "twin", "search", "session", "testing"] {
        let mut list = Vec::new();
        files(&src.join(layer), &mut list);
        for path in list {
            let text = fs::read_to_string(&path).expect("a source file");
            for word in ["std::time", "SystemTime", "Instant::now", "thread_rng", "std::fs", "std::thread", "println!"]
            {
                assert!(!text.contains(word), "{} uses {word}", path.display());
            }
        }
    }
}
