//! Dictionaries of the server dictd, such as those of `FreeDict`: `NAME.index` lists headwords with the places of their
//! entries in `NAME.dict` or `NAME.dict.dz`.
//!
//! Source: `dictfmt(1)`, `dictzip(1)`: a dictzip file is a gzip file.

use std::path::{Path, PathBuf};

use nearcopy::observer::{Observer, go_on};

use super::entries::Entries;
use super::{file_name, not_known, read};
use crate::error::Result;

/// Beginning of the headwords that are about the dictionary.
const ABOUT: [&str; 2] = ["00database", "00-database"];

/// Maximum length of a licence in characters.
const LICENCE: usize = 400;

/// Number of entries between two checks for interruption.
const PIECE: usize = 1 << 12;

/// The index of a dictionary, if the path is that of its entries; else the path itself.
pub(super) fn index_of(path: &Path) -> PathBuf {
    let name = file_name(path);
    match name.strip_suffix(".dict.dz").or_else(|| name.strip_suffix(".dict")) {
        Some(base) => path.with_file_name(format!("{base}.index")),
        None => path.to_owned(),
    }
}

/// Adds the entries of a dictionary.
pub(super) fn add(path: &Path, index: &str, entries: &mut Entries<'_>, observer: &dyn Observer) -> Result<()> {
    let base = path.with_extension("");
    let beside = ["dict.dz", "dict"].map(|ending| PathBuf::from(format!("{}.{ending}", base.display())));
    let Some(bodies) = beside.iter().find(|path| path.is_file()) else {
        return Err(not_known(path, "its entries, a file .dict.dz or .dict of the same name, are not beside it"));
    };
    let content = read(bodies)?;
    entries.note_source(file_name(bodies), &content);
    let [mut name, mut licence] = [String::new(), String::new()];
    let (mut last, mut damaged) = (None, 0u64);
    for (number, line) in index.lines().enumerate() {
        if number % PIECE == 0 {
            go_on(observer)?;
        }
        let mut fields = line.split('\t');
        let (headword, start, length) =
            (fields.next(), fields.next().and_then(decoded), fields.next().and_then(decoded));
        let entry = headword.zip(start).zip(length).and_then(|((headword, start), length)| {
            let bytes = content.get(start..start.checked_add(length)?)?;
            Some((headword, String::from_utf8_lossy(bytes)))
        });
        let Some((headword, entry)) = entry else {
            damaged += 1;
            continue;
        };
        if ABOUT.iter().any(|about| headword.starts_with(about)) {
            let about = headword.replace('-', "");
            if about.ends_with("short") {
                let title = entry.lines().map(str::trim).rfind(|line| !line.is_empty());
                title.unwrap_or_default().clone_into(&mut name);
            } else if about.ends_with("info") {
                licence = licence_in(&entry);
            }
            continue;
        }
        // A headword is listed once more for each of its spellings.
        if last.replace((start, length)) == Some((start, length)) {
            continue;
        }
        let (first, body) = entry.split_once('\n').unwrap_or((&entry, ""));
        let written = first.split(['/', '<', '[']).next().unwrap_or_default().trim();
        let headword = if written.is_empty() { headword } else { written };
        entries.add(headword, body);
    }
    if damaged > 0 {
        return Err(not_known(path, &format!("{damaged} of its lines do not point into {}", file_name(bodies))));
    }
    entries.note_origin(&name, &licence);
    Ok(())
}

/// A number in the digits of base 64.
fn decoded(digits: &str) -> Option<usize> {
    digits.bytes().try_fold(0usize, |number, digit| {
        let digit = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        number.checked_mul(64)?.checked_add(usize::from(digit))
    })
}

/// The paragraphs of the description that name a licence.
fn licence_in(about: &str) -> String {
    let is_licence = |paragraph: &&str| {
        let lower = paragraph.to_lowercase();
        ["licen", "copyright", "(c)", "gpl", "public domain"].iter().any(|word| lower.contains(word))
    };
    let paragraphs = about.split("\n\n").filter(is_licence).flat_map(str::split_whitespace);
    let licence = paragraphs.collect::<Vec<_>>().join(" ");
    match licence.char_indices().nth(LICENCE) {
        Some((end, _)) => format!("{} …", &licence[..end]),
        None => licence,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_in_base_64() {
        assert_eq!([decoded("A"), decoded("B0"), decoded("/"), decoded("a b")], [Some(0), Some(116), Some(63), None]);
    }
}
