//! Glosses out of the text of an entry.
//!
//! A dictionary is written for people: `1. _n. (fenced) yard; to work in the yard работать во дворе`. What stands in
//! brackets, abbreviations, numbers, pronunciations and examples are left out; the rest is divided at commas and
//! semicolons.

use nearcopy::text::Language;
use nearcopy::translate::lexicon::GLOSSES;

/// The beginnings of lines that list no translations.
const OTHERS: [&str; 8] = ["synonym", "antonym", "see:", "see also", "note", "example", "\"", "|"];

/// Brackets, and slashes around a pronunciation.
const BRACKETS: [(char, char); 5] = [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>'), ('/', '/')];

/// Reads the glosses of entries between two languages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Glosses {
    /// True if glosses are in Latin letters and headwords are not; `Some(false)` the other way round.
    latin: Option<bool>,
}

impl Glosses {
    pub(super) fn between(from: Language, to: Language) -> Self {
        let is_latin =
            |language: Language| language.stop_words().first().map(|word| word.starts_with(|c: char| c < '\u{250}'));
        let latin = match (is_latin(from), is_latin(to)) {
            (Some(from), Some(to)) if from != to => Some(to),
            _ => None,
        };
        Self { latin }
    }

    /// The first glosses of an entry's text, without its headword.
    pub(super) fn of(self, body: &str) -> Vec<String> {
        let mut glosses = Vec::new();
        for sense in senses(body) {
            for part in without_brackets(&sense).split([';', ',', '|']) {
                let gloss = plain(part);
                if !gloss.is_empty() && self.is_translation(&gloss) {
                    glosses.push(gloss);
                    if glosses.len() == GLOSSES {
                        return glosses;
                    }
                }
            }
        }
        glosses
    }

    /// False for an example, which begins in the language of the headword.
    fn is_translation(self, gloss: &str) -> bool {
        let is_latin = |c: char| c.is_alphabetic() && c < '\u{250}';
        match self.latin {
            Some(false) => !gloss.chars().any(is_latin),
            Some(true) => gloss.chars().filter(|c| c.is_alphabetic()).all(is_latin),
            None => gloss.chars().any(char::is_alphabetic),
        }
    }
}

/// The senses of an entry: its lines, with those that continue another.
fn senses(body: &str) -> Vec<String> {
    let mut senses: Vec<String> = Vec::new();
    for line in body.lines() {
        let text = line.trim();
        let lower = text.to_lowercase();
        if text.is_empty() || OTHERS.iter().any(|other| lower.starts_with(other)) {
            continue;
        }
        let (rest, is_numbered) = unnumbered(text);
        let continues = line.starts_with("   ") && !is_numbered;
        match senses.last_mut() {
            Some(last) if continues => {
                last.push(' ');
                last.push_str(rest);
            }
            _ => senses.push(rest.to_owned()),
        }
    }
    senses
}

/// A line without the numbers and letters of its senses, and whether it had any.
fn unnumbered(line: &str) -> (&str, bool) {
    let mut rest = line;
    loop {
        let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let next = if digits.len() < rest.len() { digits.strip_prefix(['.', ')', '>']) } else { None };
        match next {
            Some(next) => rest = next.trim_start(),
            None => return (rest, rest.len() < line.len()),
        }
    }
}

/// The text without what stands in brackets; an unclosed bracket is a character.
fn without_brackets(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let close = BRACKETS.iter().find(|(open, _)| *open == c).and_then(|(_, close)| after.find(*close));
        plain.push(if close.is_some() { ' ' } else { c });
        rest = close.map_or(after, |end| &after[end + 1..]);
    }
    plain
}

/// The words of a gloss without abbreviations such as `_n.`
fn plain(part: &str) -> String {
    let words = part.split_whitespace().filter(|word| !word.starts_with('_') && !word.ends_with("-л."));
    words.map(|word| unnumbered(word).0).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(from: &str, to: &str, body: &str) -> Vec<String> {
        Glosses::between(from.parse().unwrap(), to.parse().unwrap()).of(body)
    }

    #[test]
    fn brackets_numbers_and_notes_are_no_glosses() {
        let body =
            "1. waste bin <n> [Br.] , kitchen bin (plastic)\n2. ashcan\n   Synonyms: {Tonne}, {Eimer}\n\n see: {Eimer}";
        assert_eq!(of("deu", "eng", body), ["waste bin", "kitchen bin", "ashcan"]);
        assert_eq!(of("deu", "eng", "a smile :-( again"), ["a smile :-( again"]);
    }

    #[test]
    fn examples_in_the_other_script_are_no_glosses() {
        let body = "   1. _n. [jɑd]\n      1) двор; огород; to stay in the yard остаться\n      во дворе\n      2) склад (лесной)";
        assert_eq!(of("eng", "rus", body), ["двор", "огород", "склад"]);
        assert_eq!(of("rus", "eng", "yard, двор"), ["yard"]);
    }

    #[test]
    fn the_first_eight_count() {
        assert_eq!(of("deu", "eng", "a1,b,c,d,e,f,g,h,i,j").len(), GLOSSES);
    }
}
