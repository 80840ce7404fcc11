//! The items of test sets, read from files.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use nearcopy::decontaminate::{Items, Piece, rewritten};
use nearcopy::error::{Problem, Reason};
use nearcopy::observer::{Observer, Read, go_on};
use nearcopy_corpus::error::MISSING_FIELD;
use nearcopy_corpus::inputs::{Inputs, Selection};
use nearcopy_corpus::records::{Fields, Purpose, Reader, Reading};
use nearcopy_corpus::source;
use serde_json::{Map, Value};

use super::super::reading::expect_field;
use super::{Job, Seen, Tally};
use crate::error::{Error, Result};

/// Bytes of memory for a word of an item, while the table of n-grams is made.
const OF_A_WORD: u64 = 48;

/// The parts of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// The fields, in order; dots lead into nested objects, and into those of lists.
    pub fields: Vec<String>,
    /// The fields that decide; if empty, all do.
    pub need: Vec<String>,
    /// The field of the id; by default an item's id is its file and its number.
    pub id: Option<String>,
}

/// The items of all test sets.
#[derive(Debug, Default)]
pub struct Benchmark {
    /// The items.
    pub items: Arc<Items>,
    /// The name of each set, as given.
    pub sets: Vec<String>,
    /// The id of each item.
    pub ids: Vec<String>,
    /// The place of each item: the number of the file in its set, and of the record.
    pub places: Vec<(u32, u64)>,
    /// The files of each set.
    pub(super) seen: Vec<Seen>,
}

/// The inputs of one test set, and how they are read.
pub(super) fn inputs(job: &Job, set: &Path) -> Result<(Inputs, Reading)> {
    let selection = Selection { expect_files: true, ..Selection::default() };
    let fields = Fields { id: None, key: None, origin: None, ..job.reading.fields.clone() };
    let reading = Reading { kind: None, encoding: None, stdin: None, fields, ..job.reading.clone() };
    Ok((
        Inputs::new(vec![set.to_owned()], selection)?,
        Reading { all_columns: true, purpose: Purpose::Objects, ..reading },
    ))
}

/// Reads all items.
pub(super) fn read(job: &Job, tally: &mut Tally, observer: &dyn Observer) -> Result<Benchmark> {
    let mut benchmark = Benchmark::default();
    let mut items = if job.rewritten.is_some() { Items::with_texts() } else { Items::default() };
    observer.begin("reading the test sets", None);
    let (mut without, mut nowhere, mut twice) = (0, job.parts.nowhere(), None);
    for (set, path) in job.against.iter().enumerate() {
        let (inputs, reading) = inputs(job, path)?;
        benchmark.sets.push(source::name(path));
        benchmark.seen.push(Seen::default());
        for batch in Reader::new(inputs, reading) {
            go_on(observer)?;
            let Some(batch) = tally.note(job.strict, observer, batch)? else { continue };
            benchmark.seen[set].first(batch.file_number, &batch.file);
            let wanted = job.parts.fields.iter().chain(&job.parts.id);
            let two_columns = batch.two_columns(wanted);
            if let Some(problem) = batch.problem().or(two_columns.as_ref()) {
                benchmark.seen[set].problem(batch.file_number, problem);
            }
            if let Some(problem) = two_columns {
                // One batch stands for the file.
                if twice.replace((set, batch.file_number)) != Some((set, batch.file_number)) {
                    tally.note(job.strict, observer, Err::<(), _>(problem))?;
                }
                continue;
            }
            observer.advance_reading(Read { bytes_on_disk: batch.bytes_read, ..Read::default() });
            let mut found = Vec::new();
            batch.each_object(|object| found.push(object));
            for object in found {
                let Some((number, fields)) = tally.note(job.strict, observer, object)? else { continue };
                nowhere.note(&fields);
                if let Err(missing) = job.parts.push(&mut items, set as u32, &fields) {
                    without += 1;
                    let sentence = format!("{missing}: name its parts with --field");
                    let reason = Reason::Reader { kind: MISSING_FIELD, sentence };
                    let (file, place) = (batch.file.name.clone(), batch.place(number));
                    let problem = Problem::of(file, place, reason);
                    expect_field(&problem, without, benchmark.ids.len() as u64, observer)?;
                    tally.note(job.strict, observer, Err::<(), _>(problem))?;
                    continue;
                }
                benchmark.ids.push(job.parts.id(&fields).unwrap_or_else(|| batch.file.id_of(number)));
                benchmark.places.push((batch.file_number, number));
            }
            let words = items.words() as u64;
            let for_texts = job.rewritten.map_or(0, |_| rewritten::size(u64::from(items.len()), words));
            let needed = words * OF_A_WORD + for_texts;
            if needed > job.reading.max_memory {
                return Err(Error::TestSets { words, bytes: needed });
            }
        }
    }
    if benchmark.ids.is_empty() {
        return Err(Error::NoItems { fields: job.parts.fields.join(", ") });
    }
    if let Some(field) = nowhere.first() {
        return Err(Error::FieldOfNone { field: field.to_owned() });
    }
    benchmark.items = Arc::new(items.ready());
    Ok(benchmark)
}

/// The texts of the parts of some items, read once more, and whether each decides.
///
/// # Errors
///
/// [`Error::Changed`]; those of reading; [`nearcopy::Error::Interrupted`].
pub(super) fn texts(
    job: &Job,
    benchmark: &Benchmark,
    wanted: &[u32],
    observer: &dyn Observer,
) -> Result<HashMap<u32, Vec<(String, bool)>>> {
    observer.begin("reading the test sets again", None);
    let mut texts = HashMap::new();
    let places: HashMap<(u32, u32, u64), u32> = wanted
        .iter()
        .map(|&item| {
            let (file, record) = benchmark.places[item as usize];
            ((benchmark.items.set(item), file, record), item)
        })
        .collect();
    for ((set, path), seen) in (0..).zip(&job.against).zip(&benchmark.seen) {
        let (inputs, reading) = inputs(job, path)?;
        for batch in Reader::new(inputs, reading).flatten() {
            go_on(observer)?;
            seen.again(batch.file_number, &batch.file)?;
            let mut found = Vec::new();
            batch.each_object(|object| found.push(object));
            for (number, fields) in found.into_iter().flatten() {
                if let Some(&item) = places.get(&(set, batch.file_number, number)) {
                    texts.insert(item, job.parts.pieces(&fields).unwrap_or_default());
                }
            }
        }
    }
    Ok(texts)
}

impl Benchmark {
    /// The name of an item's set.
    pub fn set(&self, item: u32) -> &str {
        &self.sets[self.items.set(item) as usize]
    }

    /// Number of items that have the id of an earlier one of their set.
    pub fn repeated_ids(&self) -> u64 {
        let mut ids = HashSet::new();
        (0..).zip(&self.ids).filter(|&(item, id)| !ids.insert((self.items.set(item), id))).count() as u64
    }

    /// The id of an item.
    pub fn id(&self, item: u32) -> &str {
        &self.ids[item as usize]
    }
}

impl Parts {
    /// The value of the field of an item's id.
    pub fn id(&self, item: &Map<String, Value>) -> Option<String> {
        let mut found = None;
        follow(item, self.id.as_ref()?, &mut |value| found = found.take().or_else(|| plain(value)));
        found
    }

    /// All fields, that of the id included, before the first item.
    pub fn nowhere(&self) -> Nowhere<'_> {
        Nowhere(self.fields.iter().chain(&self.id).map(|field| (&**field, false)).collect())
    }

    /// Adds an item to those of a set.
    ///
    /// # Errors
    ///
    /// What is missing, in words.
    pub fn push(&self, items: &mut Items, set: u32, item: &Map<String, Value>) -> std::result::Result<(), String> {
        let pieces = self.pieces(item)?;
        let pieces: Vec<Piece<'_>> = pieces.iter().map(|(text, decides)| Piece { text, decides: *decides }).collect();
        items.push(set, &pieces);
        Ok(())
    }

    /// The texts of an item's parts, and whether they decide; `Err` says what is missing.
    fn pieces(&self, item: &Map<String, Value>) -> std::result::Result<Vec<(String, bool)>, String> {
        let mut pieces = Vec::new();
        let mut missing = Vec::new();
        for field in &self.fields {
            let is_needed = self.need.contains(field);
            let before = pieces.len();
            let (mut texts, mut within) = (Vec::new(), None);
            let exists = follow(item, field, &mut |value| within = within.take().or(gather(value, &mut texts)));
            if let Some(within) = within {
                let names: Vec<String> = within.keys().take(8).map(|name| format!("{field}.{name}")).collect();
                return Err(format!("has an object in the field '{field}', not a text; it has {}", names.join(", ")));
            }
            let decides = is_needed || self.need.is_empty();
            pieces.extend(texts.into_iter().filter(|text| !text.trim().is_empty()).map(|text| (text, decides)));
            if !exists || is_needed && pieces.len() == before {
                missing.push((field, is_needed, exists));
            }
        }
        let is_missing = missing.iter().any(|(_, is_needed, _)| *is_needed) || missing.len() == self.fields.len();
        if !is_missing {
            return Ok(pieces);
        }
        let (wanted, _, exists) = missing.iter().find(|(_, is_needed, _)| *is_needed).unwrap_or(&missing[0]);
        let without = if *exists { ", which is empty" } else { "" };
        let has: Vec<&str> = item.keys().take(8).map(String::as_str).collect();
        Err(format!("has no text in the field '{wanted}'{without}; it has {}", has.join(", ")))
    }
}

/// The fields that no item has so far, and whether an item lacks them for certain: not for an empty list or null on the way.
#[derive(Debug)]
pub struct Nowhere<'p>(Vec<(&'p str, bool)>);

impl Nowhere<'_> {
    /// Looks at the fields of an item.
    pub fn note(&mut self, item: &Map<String, Value>) {
        self.0.retain_mut(|(field, is_lacking)| {
            *is_lacking |= !may_have(item, field);
            !follow(item, field, &mut |_| ())
        });
    }

    /// The first field that is lacking.
    pub fn first(&self) -> Option<&str> {
        self.0.iter().find(|(_, is_lacking)| *is_lacking).map(|(field, _)| *field)
    }
}

/// Calls `found` with the values of a field; dots lead into objects, and those of lists. Returns false if there is none.
fn follow<'v>(object: &'v Map<String, Value>, path: &str, found: &mut dyn FnMut(&'v Value)) -> bool {
    if let Some(value) = object.get(path) {
        found(value);
        return true;
    }
    path.match_indices('.').any(|(dot, _)| match object.get(&path[..dot]) {
        Some(Value::Object(inner)) => follow(inner, &path[dot + 1..], found),
        Some(Value::Array(list)) => list.iter().fold(false, |any, element| match element {
            Value::Object(inner) => follow(inner, &path[dot + 1..], found) || any,
            _ => any,
        }),
        _ => false,
    })
}

/// True if an item has a field, or nothing where it would be: an empty list, or null.
fn may_have(object: &Map<String, Value>, path: &str) -> bool {
    object.contains_key(path)
        || path.match_indices('.').any(|(dot, _)| match object.get(&path[..dot]) {
            Some(Value::Null) => true,
            Some(Value::Object(inner)) => may_have(inner, &path[dot + 1..]),
            Some(Value::Array(list)) => {
                let may = |element: &Value| match element {
                    Value::Object(inner) => may_have(inner, &path[dot + 1..]),
                    other => other.is_null(),
                };
                list.is_empty() || list.iter().any(may)
            }
            _ => false,
        })
}

/// The texts of a value, of a list those of all its elements in order. Returns an object if there is one: which of its fields
/// are texts, and which labels, only their names tell.
fn gather<'v>(value: &'v Value, texts: &mut Vec<String>) -> Option<&'v Map<String, Value>> {
    match value {
        Value::Array(list) => return list.iter().fold(None, |within, value| within.or(gather(value, texts))),
        Value::Object(fields) => return Some(fields),
        other => texts.extend(plain(other)),
    }
    None
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(fields: &[&str], need: &[&str], item: &str) -> std::result::Result<Vec<(String, bool)>, String> {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Parts { fields: owned(fields), need: owned(need), id: None }.pieces(&serde_json::from_str(item).unwrap())
    }

    #[test]
    fn parts_are_fields_elements_and_what_is_nested() {
        let item = r#"{"q":{"stem":"How far?","n":3},"choices":[{"text":"near","label":"A"},{"text":"far","label":"B"}],
            "x.y":"dotted","answer":null,"tags":["a",["b",true]]}"#;
        let texts = |fields: &[&str]| -> Vec<String> {
            pieces(fields, &[], item).unwrap().into_iter().map(|(text, _)| text).collect()
        };
        assert_eq!(texts(&["q.stem", "choices.text", "x.y", "answer"]), ["How far?", "near", "far", "dotted"]);
        assert_eq!(texts(&["q.n", "tags"]), ["3", "a", "b"]);
        for (field, has) in [("q", "q.n, q.stem"), ("choices", "choices.label, choices.text")] {
            let said = format!("has an object in the field '{field}', not a text; it has {has}");
            assert_eq!(pieces(&["q.stem", field], &[], item), Err(said));
        }
        let needed = pieces(&["q.stem", "tags"], &["q.stem"], item).unwrap();
        assert_eq!(needed.iter().map(|(_, decides)| *decides).collect::<Vec<_>>(), [true, false, false]);
    }

    #[test]
    fn what_is_missing_is_named() {
        let said = pieces(&["question", "a"], &["question"], r#"{"q":"x","a":"y"}"#).unwrap_err();
        assert_eq!(said, "has no text in the field 'question'; it has a, q");
        assert!(pieces(&["question", "a"], &[], r#"{"q":"x","a":"y"}"#).is_ok(), "one part is enough");
        let said = pieces(&["question", "a"], &["question"], r#"{"question":null,"a":"y"}"#).unwrap_err();
        assert_eq!(said, "has no text in the field 'question', which is empty; it has a, question");
        assert!(pieces(&["question"], &[], r#"{"q":"x"}"#).is_err());
        assert!(pieces(&["a", "b"], &["a"], r#"{"a":null,"b":"x"}"#).is_err(), "a needed part without text");
    }
}
