//! Dictionaries with an entry a line: tables of words and glosses separated by tabs, CC-CEDICT, and the bilingual
//! dictionaries of Apertium.
//!
//! Source: the page *CC-CEDICT format*; the document type `dix.dtd` of Apertium.

use nearcopy::observer::{Observer, go_on};

use super::entries::Entries;
use crate::error::Result;

/// Number of lines between two checks for interruption.
const PIECE: usize = 1 << 12;

/// True for the beginning of CC-CEDICT: comments, then `traditional simplified [reading] /gloss/gloss/`.
pub(super) fn is_cedict(content: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&content[..content.len().min(1 << 16)]).into_owned();
    head.lines()
        .find(|line| !line.starts_with('#') && !line.trim().is_empty())
        .is_some_and(|line| cedict(line).is_some())
}

/// Adds the entries of a text.
pub(super) fn add(text: &str, entries: &mut Entries<'_>, observer: &dyn Observer) -> Result<()> {
    let (is_cedict, is_apertium) = (is_cedict(text.as_bytes()), text.contains("<dictionary"));
    for (number, line) in text.lines().enumerate() {
        if number % PIECE == 0 {
            go_on(observer)?;
        }
        if let Some(comment) = line.strip_prefix('#').filter(|_| !is_apertium) {
            note(comment, entries);
        } else if is_apertium {
            apertium(line, |left, right| entries.add_pair(&left, &right));
        } else if is_cedict {
            let Some((words, listed)) = cedict(line) else { continue };
            let listed = listed.replace('/', "; ");
            for word in words {
                entries.add(word, &listed);
            }
        } else if let Some((word, listed)) = line.split_once('\t') {
            entries.add(word, &listed.replace('\t', "; "));
        }
    }
    Ok(())
}

/// Notes a comment that names the dictionary or its licence: `# name: …`, or `#! license=…` of CC-CEDICT.
fn note(comment: &str, entries: &mut Entries<'_>) {
    let Some((key, value)) = comment.trim_start_matches('!').split_once([':', '=']) else { return };
    match key.trim().to_lowercase().as_str() {
        "name" | "publisher" => entries.note_origin(value.trim(), ""),
        "licence" | "license" => entries.note_origin("", value.trim()),
        _ => {}
    }
}

/// The words of a line of CC-CEDICT, and its glosses with slashes between them.
fn cedict(line: &str) -> Option<(impl Iterator<Item = &str>, &str)> {
    let (words, rest) = line.split_once(" [")?;
    let (_, listed) = rest.split_once("] /")?;
    let (traditional, simplified) = words.split_once(' ')?;
    let traditional = (traditional != simplified).then_some(traditional);
    Some((traditional.into_iter().chain([simplified]), listed.trim_end().trim_end_matches('/')))
}

/// The pairs of words in a line of a dictionary of Apertium.
fn apertium(line: &str, mut pair: impl FnMut(String, String)) {
    let mut rest = line;
    while let Some((left, after)) = between(rest, "<l>", "</l>") {
        let Some((right, after)) = between(after, "<r>", "</r>") else { return };
        pair(without_tags(left), without_tags(right));
        rest = after;
    }
}

/// The text between two marks, and what follows.
fn between<'t>(text: &'t str, open: &str, close: &str) -> Option<(&'t str, &'t str)> {
    text.split_once(open)?.1.split_once(close)
}

/// The text outside of tags; `<b/>` is a space.
fn without_tags(text: &str) -> String {
    let mut plain = String::new();
    for (number, part) in text.split('<').enumerate() {
        let shown = if number == 0 { part } else { part.split_once('>').map_or("", |(_, shown)| shown) };
        if part.starts_with("b/>") {
            plain.push(' ');
        }
        plain.push_str(shown);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_cedict() {
        let (words, listed) = cedict("風車 风车 [feng1 che1] /pinwheel/windmill/").unwrap();
        assert_eq!((words.collect::<Vec<_>>(), listed), (vec!["風車", "风车"], "pinwheel/windmill"));
        assert!(is_cedict("# comment\n風車 风车 [feng1 che1] /pinwheel/\n".as_bytes()));
        assert!(!is_cedict(b"word\tgloss [x] /y\n"));
    }

    #[test]
    fn a_line_of_apertium() {
        let mut pairs = Vec::new();
        let line = r#"<e><p><l>molino<b/>de<b/>viento<s n="n"/></l><r>windmill<s n="n"/></r></p></e>"#;
        apertium(line, |left, right| pairs.push((left, right)));
        assert_eq!(pairs, [("molino de viento".to_owned(), "windmill".to_owned())]);
        apertium("<l>open", |_, _| panic!("no pair"));
    }
}
