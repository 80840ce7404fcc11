//! What people call a document: its author, and its file where the author has several.

use std::collections::HashMap;

use nearcopy::screen::{Screening, Text};
use nearcopy::text::fold::folded;

use crate::report::shown;

/// Likeness (Jaro and Winkler) from which on one name may be meant by another.
const LIKE: f64 = 0.85;

/// The names of all texts, in their order: the author; of several by one author, author and file; else the id.
pub fn names(screening: &Screening) -> Vec<String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for author in screening.texts.iter().filter_map(|text| text.author.as_deref()) {
        *counts.entry(author).or_default() += 1;
    }
    let mut files: HashMap<(&str, &str), usize> = HashMap::new();
    for text in &screening.texts {
        *files.entry((text.author.as_deref().unwrap_or_default(), file_of(text))).or_default() += 1;
    }
    let name = |text: &Text| match text.author.as_deref() {
        None => text.id.clone(),
        Some(author) if counts[author] == 1 => author.to_owned(),
        Some(author) if files[&(author, file_of(text))] == 1 => format!("{author}: {}", file_of(text)),
        Some(author) => format!("{author}: {}", text.id),
    };
    screening.texts.iter().map(name).collect()
}

/// A name and the path behind it, in a line for people.
pub(super) fn with_path(name: &str, id: &str) -> String {
    if name == id || name.ends_with(id) { shown(name) } else { format!("{} ({})", shown(name), shown(id)) }
}

/// The name of a text's file, without folders.
fn file_of(text: &Text) -> &str {
    text.id.rsplit('/').next().unwrap_or_default()
}

/// True if a person may call a text so: its id, the end of its id, its author with or without the login, or author and file
/// as in [`names`]; in whatever case.
pub fn is_called(text: &Text, name: &str) -> bool {
    let wanted = plain(name);
    let author = plain(text.author.as_deref().unwrap_or_default());
    let with_file = || format!("{author}: {}", plain(file_of(text)));
    let without_login = author.strip_suffix(')').and_then(|author| author.rsplit_once(" ("));
    !wanted.is_empty()
        && (text.id.ends_with(&format!("/{name}"))
            || author == wanted
            || !author.is_empty() && with_file() == wanted
            || without_login.is_some_and(|(author, _)| author == wanted))
}

/// A name as it may be typed: without capitals and accents.
fn plain(name: &str) -> String {
    folded(&name.to_lowercase()).into_owned()
}

/// The names of the hand-ins that a name is most like, whole or in one word, such as a first name; none if it is like none.
pub fn most_like(screening: &Screening, name: &str) -> Vec<String> {
    let name = plain(name);
    let likeness = |other: &str| {
        let other = plain(other);
        let parts = other.split(|sign: char| !sign.is_alphanumeric()).chain([&*other]);
        parts.map(|part| strsim::jaro_winkler(part, &name)).fold(0.0, f64::max)
    };
    let mut found: Vec<(f64, String)> = names(screening)
        .into_iter()
        .take(screening.suspicious)
        .zip(&screening.texts)
        .map(|(other, text)| (likeness(text.author.as_deref().unwrap_or(&other)), other))
        .filter(|(likeness, _)| *likeness >= LIKE)
        .collect();
    let best = found.iter().map(|(likeness, _)| *likeness).fold(0.0, f64::max);
    found.retain(|(likeness, _)| *likeness >= best);
    found.into_iter().map(|(_, other)| other).collect()
}
