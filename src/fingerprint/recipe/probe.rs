//! The probe: a hash of how the linked crates read fixed texts.
//!
//! Fingerprints depend on the tables and rules of other crates: Unicode, language profiles, stop lists, stemmers. The
//! probe reads one sentence in every supported language and hashes what comes out. A version of a crate that reads them
//! alike has the same probe and stays compatible; one that reads any of them differently has another, and so another
//! recipe. How a file becomes a text is no part of it.
//!
//! The recipe has a hash of the stop lists themselves, so sentences are read without them: making the sets of all
//! languages would take longer than the rest.
//!
//! Cost: 4 ms, once a process, when the first recipe is made.

use std::sync::LazyLock;

use crate::text::one_script::OneScript;
use crate::text::words::WordReader;
use crate::text::{Analyser, Language, Options, StopWords, detect};

/// A line for each language: its code, a tab, and a sentence in it.
const SENTENCES: &str = include_str!("probe.txt");

/// The probe of this program, 16 hexadecimal digits.
pub(super) fn probe() -> &'static str {
    static PROBE: LazyLock<String> = LazyLock::new(compute);
    &PROBE
}

fn compute() -> String {
    let mut hasher = blake3::Hasher::new();
    let mut note = |what: &str| {
        hasher.update(what.as_bytes());
        hasher.update(b"\n");
    };
    let words = WordReader::default();
    let options = Options { stop_words: StopWords::None, ..Options::default() };
    for (language, sentence) in sentences() {
        note(detect::detect(sentence).language.code());
        let read = OneScript::of(sentence).map(|script| script.read(sentence));
        words.forms(read.as_deref().unwrap_or(sentence), |_, form| note(form));
        for token in Analyser::new(language, &options).tokens(sentence) {
            note(&token.form);
            note(token.term.as_deref().unwrap_or_default());
        }
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

/// The sentences with their languages.
fn sentences() -> impl Iterator<Item = (Language, &'static str)> {
    SENTENCES.lines().filter_map(|line| {
        let (code, sentence) = line.split_once('\t')?;
        Some((code.parse().ok()?, sentence))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::text::languages::Stemming;

    #[test]
    fn every_language_has_a_sentence() {
        let found: BTreeSet<&str> = sentences().map(|(language, _)| language.code()).collect();
        assert_eq!(found, Language::all().map(Language::code).chain(["und"]).collect());
        assert_eq!(found.len(), SENTENCES.lines().count());
    }

    /// A stemmer that did nothing would not be noticed.
    #[test]
    fn every_stemmer_changes_a_word_of_its_sentence() {
        for (language, sentence) in
            sentences().filter(|(language, _)| !matches!(language.stemming(), Stemming::Nothing))
        {
            let tokens = Analyser::new(language, &Options::default()).tokens(sentence);
            let is_stemmed = tokens.iter().any(|token| token.term.as_ref().is_some_and(|term| *term != token.form));
            assert!(is_stemmed, "{language}: {sentence}");
        }
    }

    /// Another value means that fingerprints of this version and of earlier ones cannot be compared. If that is meant,
    /// put the new value here and say so in CHANGELOG.md.
    #[test]
    fn the_probe_is_that_of_the_locked_crates() {
        assert_eq!(probe(), "13e078161e2405bb");
    }
}
