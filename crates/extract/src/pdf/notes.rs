//! What is typed onto a page: the values of its form fields, and texts without a frame.
//!
//! They are no part of the page's drawing. Comments, passwords and buttons are left out, as are notes that are not shown.
//!
//! Source: ISO 32000-1, 12.5 (annotations), 12.7 (interactive forms).

use lopdf::{Dictionary, Document, Object, decode_text_string};

use super::{Allowance, NODE, array, dictionary, entry, name};
use crate::Refusal;

/// Maximum number of fields around one: real forms have a few levels.
const MAX_LEVELS: usize = 16;

/// Flags of annotations: hidden, and not shown on a screen.
const UNSEEN: i64 = 1 << 1 | 1 << 5;

/// Flags of fields: a password, and a button that only starts something.
const PASSWORD: i64 = 1 << 13;
const PUSH_BUTTON: i64 = 1 << 16;

/// Maximum number of values of one field: of a list several may be chosen.
const MAX_VALUES: usize = 1000;

/// Calls `found` with each text typed onto a page, in the order of the file.
pub(super) fn each(
    document: &Document,
    page: &Dictionary,
    allowance: &mut Allowance,
    mut found: impl FnMut(&str) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let Some(notes) = array(document, page, b"Annots") else { return Ok(()) };
    allowance.take(NODE.saturating_mul(notes.len()))?;
    for note in notes.iter().filter_map(|note| super::followed(document, note)?.as_dict().ok()) {
        if number(entry(document, note, b"F")) & UNSEEN != 0 {
            continue;
        }
        match name(document, note, b"Subtype") {
            b"FreeText" => texts(document, entry(document, note, b"Contents"), &mut found)?,
            b"Widget" => {
                allowance.take(NODE * MAX_LEVELS)?;
                field(document, note, &mut found)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// The value of a field: text, a choice, or whether it is ticked.
fn field(
    document: &Document,
    note: &Dictionary,
    found: &mut impl FnMut(&str) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let levels = || std::iter::successors(Some(note), |field| dictionary(document, field, b"Parent")).take(MAX_LEVELS);
    let inherited = |key: &[u8]| levels().find_map(|field| entry(document, field, key));
    let flags = number(inherited(b"Ff"));
    match inherited(b"FT").and_then(|kind| kind.as_name().ok()) {
        Some(b"Tx") if flags & PASSWORD != 0 => Ok(()),
        Some(b"Tx" | b"Ch") => texts(document, inherited(b"V"), found),
        Some(b"Btn") if flags & PUSH_BUTTON == 0 => {
            found(if matches!(name(document, note, b"AS"), b"" | b"Off") { "☐" } else { "☑" })
        }
        _ => Ok(()),
    }
}

/// The texts of a value: one, or those of a list.
fn texts(
    document: &Document,
    value: Option<&Object>,
    found: &mut impl FnMut(&str) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let all = match value {
        Some(Object::Array(values)) => values.as_slice(),
        Some(one) => std::slice::from_ref(one),
        None => &[],
    };
    for value in all.iter().take(MAX_VALUES).filter_map(|value| super::followed(document, value)) {
        if let Ok(text) = decode_text_string(value) {
            found(&text)?;
        }
    }
    Ok(())
}

/// The number that is a value; 0 if there is none.
fn number(value: Option<&Object>) -> i64 {
    value.and_then(|number| number.as_i64().ok()).unwrap_or(0)
}
