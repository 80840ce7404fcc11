//! Manifests with a valid checksum and impossible contents.

use std::fs;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::sketch::recipe::Recipe;

/// Writes a manifest after its hash.
fn seal(index: &Path, manifest: &Value) {
    let json = manifest.to_string();
    fs::write(index.join("manifest"), format!("{}\n{json}", blake3::hash(json.as_bytes()).to_hex())).unwrap();
}

fn manifest(index: &Path) -> Value {
    serde_json::from_str(fs::read_to_string(index.join("manifest")).unwrap().split_once('\n').unwrap().1).unwrap()
}

/// An index of two segments, from one of which a document was removed.
fn whole() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut index = Index::create(&folder.path().join("index"), &Options::default(), Contents::default()).unwrap();
    index.extend([("ferry", FERRY), ("bees", "Bees keep the winter out of the hive with wax.")]).unwrap();
    index.add("coal", COAL).unwrap();
    index.remove("bees").unwrap();
    assert_eq!(index.segments().segments().len(), 2);
    folder
}

/// An empty index: only the manifest records its settings.
fn empty() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    Index::create(&folder.path().join("index"), &Options::default(), Contents::default()).unwrap();
    folder
}

/// Collects the JSON pointers of the leaves of a value: numbers, strings, booleans and nulls.
fn leaves(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| leaves(value, &format!("{at}/{name}"), found)),
        Value::Array(items) => (0..).zip(items).for_each(|(i, value)| leaves(value, &format!("{at}/{i}"), found)),
        _ => found.push(at.to_owned()),
    }
}

/// Values that may replace an old one.
fn values(old: &Value) -> Vec<Value> {
    let mut values = vec![Value::Null];
    if let Some(number) = old.as_u64() {
        values.extend(
            [0, 1, 2, 3, 64, 1024, 1025, 1 << 31, 1 << 32, 1 << 52, 1 << 53, u64::MAX - 1, u64::MAX].map(Value::from),
        );
        values.extend([number + 1, number.saturating_sub(1)].map(Value::from));
    }
    values.extend(old.as_bool().map(|old| json!(!old)));
    if old.is_string() {
        values.extend(["", "0", "eng"].map(Value::from));
    }
    values
}

/// Uses a copy of an index with a forged manifest in every way. Either all operations report it as damaged, or all
/// work as usual.
fn try_all(original: &Path, changes: &[(String, Value)], with_recipe: bool) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    fs::create_dir(&path).unwrap();
    for entry in fs::read_dir(original).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), path.join(entry.file_name())).unwrap();
    }
    let mut forged = manifest(original);
    for (place, value) in changes {
        *forged.pointer_mut(place).unwrap() = value.clone();
    }
    // A careful forger adapts the recipe id.
    if with_recipe && let Ok(recipe) = serde_json::from_value::<Recipe>(forged["settings"]["recipe"].clone()) {
        forged["recipe_id"] = json!(format!("{:016x}", recipe.id()));
    }
    seal(&path, &forged);
    let is_damaged = |error: &Error| matches!(error, Error::DamagedIndex { .. } | Error::NewerIndex { .. });
    let (_, faults) = match Segments::check(&path, &()) {
        Ok(checked) => checked,
        Err(error) => {
            assert!(is_damaged(&error), "{changes:?}: {error}");
            assert!(Index::open(&path).is_err_and(|error| is_damaged(&error)), "{changes:?}");
            return;
        }
    };
    if !faults.is_empty() {
        assert!(Index::open(&path).is_err_and(|error| is_damaged(&error)), "{changes:?}: {faults:?}");
        return;
    }
    let mut index = match Index::open(&path) {
        Ok(index) => index,
        // The error may also be a recipe that this program cannot make.
        Err(error) => {
            assert!(!is_damaged(&error), "{changes:?}: {error}");
            return;
        }
    };
    let found = index.find_similar(AGAIN);
    // An empty index may be forged to keep no shingles; the search then fails.
    let found = if index.is_empty() { found.unwrap_or_default() } else { found.unwrap() };
    assert_eq!(found.len(), usize::from(!index.is_empty()), "{changes:?}: {found:?}");
    index.add("again", AGAIN).unwrap_or_else(|error| panic!("{changes:?}: {error}"));
    index.compact(&()).unwrap_or_else(|error| panic!("{changes:?}: {error}"));
    index.remove("coal").unwrap_or_else(|error| panic!("{changes:?}: {error}"));
    let (left, faults) = Segments::check(&path, &()).unwrap_or_else(|error| panic!("{changes:?}: {error}"));
    let ids: Vec<&str> = left.documents().map(|place| left.id(place)).filter(|id| *id != "ferry").collect();
    assert_eq!((&ids[..], faults.len()), (&["again"][..], 0), "{changes:?}");
    assert_eq!(left.len(), 1 + found.len(), "{changes:?}");
}

#[test]
fn whatever_a_manifest_says_nothing_panics() {
    for folder in [whole(), empty()] {
        let index = folder.path().join("index");
        let manifest = manifest(&index);
        let mut places = Vec::new();
        leaves(&manifest, "", &mut places);
        assert!(places.len() > 20, "{places:?}");
        for place in &places {
            for value in values(manifest.pointer(place).unwrap()) {
                let changes = [(place.clone(), value)];
                try_all(&index, &changes, false);
                if place.starts_with("/settings/recipe/") {
                    try_all(&index, &changes, true);
                }
            }
        }
    }
}

proptest! {
    // Few cases, because each makes an index and waits for the disk.
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn nor_if_it_says_several_things(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 2..5),
        is_empty: bool,
    ) {
        let folder = if is_empty { empty() } else { whole() };
        let index = folder.path().join("index");
        let manifest = manifest(&index);
        let mut places = Vec::new();
        leaves(&manifest, "", &mut places);
        let change = |(place, value): &(prop::sample::Index, prop::sample::Index)| {
            let place = place.get(&places);
            let values = values(manifest.pointer(place).unwrap());
            (place.clone(), value.get(&values).clone())
        };
        try_all(&index, &changes.iter().map(change).collect::<Vec<_>>(), true);
    }
}
