//! Imports point down: a module imports its parts, never its users.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::folder::project;

/// A module, and those that it may import.
type Module = (&'static str, &'static [&'static str]);

/// The folders of sources of each package, with its modules, highest first, and what each may import. The compiler
/// keeps the walls between packages. All may import `clock`, `error`, `observer` and `parallel`, and stages with a limit `memory`.
const PACKAGES: &[(&str, &[Module])] = &[
    (
        "crates/dedup/src",
        &[("main", &["cli"]), ("cli", &["report", "jobs"]), ("report", &["jobs"]), ("jobs", &[]), ("error", &[])],
    ),
    (
        "src",
        &[
            (
                "texts",
                &["fingerprint", "screen", "align", "search", "store", "text", "similarity", "sketch", "durable"],
            ),
            ("decontaminate", &["screen", "align", "text", "durable", "runs"]),
            ("repeats", &["cutting", "text", "sorter", "durable"]),
            ("lines", &["cutting", "text", "sorter", "durable", "runs"]),
            ("cutting", &[]),
            ("screen", &["fingerprint", "translate", "align", "store", "text", "runs"]),
            ("translate", &["fingerprint", "align", "text", "durable"]),
            ("align", &["store", "runs"]),
            ("search", &["store", "similarity", "sketch", "sorter"]),
            ("store", &["similarity", "sketch", "durable"]),
            ("fingerprint", &["text", "similarity", "sketch"]),
            ("text", &[]),
            ("similarity", &["sketch"]),
            ("sketch", &[]),
            ("durable", &[]),
            ("sorter", &[]),
            ("runs", &[]),
            ("clock", &[]),
            ("memory", &[]),
            ("parallel", &[]),
            ("observer", &[]),
            ("error", &[]),
        ],
    ),
];

/// Every import of one top-level module of a package by another.
fn imports(sources: &str) -> BTreeMap<String, Vec<(String, String)>> {
    let mut imports: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for path in walk(&project().join(sources)) {
        let module = module_of(&path, sources);
        let found = imports.entry(module.clone()).or_default();
        for imported in imported(&fs::read_to_string(&path).unwrap(), &["crate::"]) {
            if imported != module {
                found.push((imported, path.display().to_string()));
            }
        }
    }
    imports
}

fn module_of(path: &Path, sources: &str) -> String {
    let inside = path.strip_prefix(project().join(sources)).unwrap();
    let first = inside.components().next().unwrap().as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

/// The modules that a file names after one of these paths, outside comments.
fn imported(source: &str, roots: &[&str]) -> Vec<String> {
    let code: String =
        source.lines().filter(|line| !line.trim_start().starts_with("//")).flat_map(|line| [line, "\n"]).collect();
    let mut imported = Vec::new();
    for root in roots {
        for (place, _) in code.match_indices(root) {
            let rest = &code[place + root.len()..];
            let names = match rest.strip_prefix('{') {
                Some(list) => list.split('}').next().unwrap().split(',').map(str::trim).collect(),
                None => vec![rest],
            };
            for name in names {
                let name: String = name.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                // Capitalised names are types of `lib.rs`, re-exported from `error`.
                if name.starts_with(char::is_lowercase) {
                    imported.push(name);
                }
            }
        }
    }
    imported
}

#[test]
fn imports_point_down() {
    let core = imports("src");
    assert!(core["fingerprint"].iter().any(|(module, _)| module == "sketch"), "imports are found at all");
    for (sources, modules) in PACKAGES {
        for (module, imported) in imports(sources).iter().filter(|(module, _)| *module != "lib") {
            let (_, allowed) = modules
                .iter()
                .find(|(name, _)| name == module)
                .unwrap_or_else(|| panic!("{module} is new: where does it stand?"));
            for (other, path) in imported {
                assert!(
                    ["clock", "error", "memory", "observer", "parallel"].contains(&other.as_str())
                        || allowed.contains(&other.as_str()),
                    "{path} imports {other}"
                );
            }
        }
    }
}

#[test]
fn imports_have_no_cycle() {
    for (sources, _) in PACKAGES {
        let imports = imports(sources);
        for start in imports.keys().filter(|module| *module != "lib") {
            let mut reached = vec![start.clone()];
            let mut at = 0;
            while at < reached.len() {
                for (other, path) in imports.get(&reached[at]).into_iter().flatten() {
                    assert_ne!(other, start, "{path} closes a circle");
                    if !reached.contains(other) {
                        reached.push(other.clone());
                    }
                }
                at += 1;
            }
        }
    }
}

/// The folders of sources of all packages.
const SOURCES: [&str; 7] = [
    "src",
    "crates/corpus/src",
    "crates/dedup/src",
    "crates/detect/src",
    "crates/extract/src",
    "python/src",
    "web/src",
];

/// The modules of one room and those beside them that they import; tests and their helpers left out. `path` is that
/// of the room in its crate.
fn imports_inside(room: &str, path: &str) -> BTreeMap<String, Vec<String>> {
    let folder = project().join(room);
    let mut imports: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in walk(&folder) {
        let inside: Vec<String> = file
            .strip_prefix(&folder)
            .unwrap()
            .components()
            .map(|part| part.as_os_str().to_string_lossy().trim_end_matches(".rs").to_owned())
            .filter(|part| part != "mod")
            .collect();
        // A crate's own page gathers its modules.
        let is_left_out = |part: &String| ["tests", "made", "lib"].contains(&&**part);
        let Some(module) = inside.first().filter(|_| !inside.iter().any(is_left_out)) else {
            continue;
        };
        let source = fs::read_to_string(&file).unwrap();
        let source = source.split("#[cfg(test)]\nmod ").next().unwrap();
        let roots = [path.to_owned(), "super::".repeat(inside.len())];
        let is_beside = |name: &String| folder.join(format!("{name}.rs")).is_file() || folder.join(name).is_dir();
        let found = imported(source, &roots.each_ref().map(String::as_str)).into_iter();
        imports.entry(module.clone()).or_default().extend(found.filter(is_beside).filter(|other| other != module));
    }
    imports
}

#[test]
fn no_circle_of_imports_inside_a_room() {
    let rooms = PACKAGES.iter().flat_map(|(sources, _)| {
        let rooms = fs::read_dir(project().join(sources)).unwrap().flatten().filter(|entry| entry.path().is_dir());
        let rooms = rooms.map(|entry| entry.file_name().to_string_lossy().into_owned());
        rooms.map(move |room| (format!("{sources}/{room}"), format!("crate::{room}::")))
    });
    let in_jobs = imports_inside("crates/dedup/src/jobs", "crate::jobs::");
    assert!(in_jobs["find"].contains(&"fingerprint".to_owned()), "imports are found at all");
    let whole = ["crates/corpus/src", "crates/detect/src", "crates/extract/src"]
        .map(|sources| (sources.to_owned(), "crate::".to_owned()));
    for (room, root) in rooms.chain(whole) {
        let imports = imports_inside(&room, &root);
        for start in imports.keys() {
            let mut reached = vec![start.clone()];
            let mut at = 0;
            while at < reached.len() {
                for other in imports.get(&reached[at]).into_iter().flatten() {
                    assert_ne!(other, start, "{room}: {} closes a circle", reached[at]);
                    if !reached.contains(other) {
                        reached.push(other.clone());
                    }
                }
                at += 1;
            }
        }
    }
}

#[test]
fn files_stay_small() {
    for entry in SOURCES.into_iter().flat_map(|folder| walk(&project().join(folder))) {
        let lines = fs::read_to_string(&entry).unwrap().lines().count();
        assert!(lines <= 450, "{} has {lines} lines: it is two rooms", entry.display());
    }
}

/// The files that hold `unsafe`. `CONTRIBUTING.md` lists them with their reasons.
const UNSAFE: [&str; 17] = [
    "crates/corpus/src/source.rs",
    "crates/dedup/src/cli/signals.rs",
    "python/src/arrow.rs",
    "src/fingerprint/memo/table.rs",
    "src/memory/maps.rs",
    "src/search/hamming/buckets.rs",
    "src/similarity/merge.rs",
    "src/similarity/signature.rs",
    "src/sketch/minhash.rs",
    "src/sketch/rabin/clmul.rs",
    "src/sketch/scan.rs",
    "src/store/file/lookup/blocks.rs",
    "src/store/file/map/open.rs",
    "src/store/file/write/spool.rs",
    "src/text/chunks/classes.rs",
    "src/translate/lexicon.rs",
    "web/src/calls.rs",
];

#[test]
fn unsafe_code_has_few_addresses() {
    let mut found: Vec<String> = SOURCES
        .into_iter()
        .flat_map(|folder| walk(&project().join(folder)))
        .filter(|path| fs::read_to_string(path).unwrap().contains("unsafe_code"))
        .map(|path| path.strip_prefix(project()).unwrap().display().to_string())
        .collect();
    found.sort();
    assert_eq!(found, UNSAFE);
    let contributing = fs::read_to_string(project().join("CONTRIBUTING.md")).unwrap();
    for file in UNSAFE.map(|file| file.strip_prefix("src/").unwrap_or(file)) {
        assert!(contributing.contains(&format!("`{file}`")), "CONTRIBUTING.md does not name {file}");
    }
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] })
        .collect()
}
