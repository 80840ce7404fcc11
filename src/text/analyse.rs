//! Turns words into terms, in one language, without a cache.
//!
//! [`Analyser`] applies a language's steps to one word: normal form, stop list, stem. [`Analyser::tokens`] does
//! so for every word of a text and keeps each step's result, for display and as the specification of the cached
//! path in `fingerprint::memo`.

use std::borrow::Cow;
use std::ops::Range;

use super::breaks::unwrapped;
use super::normalise::{Normaliser, split_at_apostrophes};
use super::stem::Stemmer;
use super::stopwords::StopSet;
use super::tokenise::Tokeniser;
use super::{Language, Options, StopWords};

/// One word of a text, its normal form and its term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Its byte range in the text as read.
    pub span: Range<usize>,
    /// Its normal form.
    pub form: String,
    /// Its term; `None` for a stop word.
    pub term: Option<String>,
}

/// The result of analysing one word.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome<'a> {
    /// The word has no visible character, and is no token.
    Invisible,
    /// The word is on the stop list.
    Stop,
    /// The word has this term.
    Term(Cow<'a, str>),
}

/// Turns words of one language into terms.
#[derive(Debug)]
pub struct Analyser {
    tokeniser: Tokeniser,
    has_elision: bool,
    normaliser: Normaliser,
    stop_words: StopSet,
    stemmer: Option<Stemmer>,
}

impl Analyser {
    /// The analyser of a language under these options.
    pub fn new(language: Language, options: &Options) -> Self {
        let stop_words = match &options.stop_words {
            StopWords::None => StopSet::default(),
            StopWords::Auto => StopSet::of_language(language),
            StopWords::List(list) => StopSet::of_list(list, language),
        };
        Self {
            tokeniser: Tokeniser::default(),
            has_elision: language.has_elision(),
            normaliser: Normaliser::new(language),
            stop_words,
            stemmer: if options.stem { Stemmer::new(language) } else { None },
        }
    }

    /// Calls `word` with the byte range of every word in `text`, in order.
    pub fn words(&self, text: &str, mut word: impl FnMut(Range<usize>)) {
        self.tokeniser.words(text, |token| self.parts(text, token, &mut word));
    }

    /// Calls `part` with each word of a token. In languages with elision (French, Catalan, Italian) an
    /// apostrophe ends a word, so `l'école` is `l` and `école`; elsewhere the token is one word.
    pub fn parts(&self, text: &str, token: Range<usize>, part: &mut impl FnMut(Range<usize>)) {
        if self.has_elision {
            split_at_apostrophes(text, token, part);
        } else {
            part(token);
        }
    }

    /// Analyses one word; its normal form is left in `form`.
    pub fn outcome<'a>(&self, word: &str, form: &'a mut String) -> Outcome<'a> {
        self.normaliser.normalise(&unwrapped(word), form);
        if form.is_empty() {
            Outcome::Invisible
        } else if self.stop_words.contains(form) {
            Outcome::Stop
        } else {
            Outcome::Term(self.stemmer.as_ref().map_or(Cow::Borrowed(form), |stemmer| stemmer.stem(form)))
        }
    }

    /// Every token of a text, in order.
    pub fn tokens(&self, text: &str) -> Vec<Token> {
        let mut tokens = Vec::new();
        self.words(text, |span| {
            let mut form = String::new();
            let term = match self.outcome(&text[span.clone()], &mut form) {
                Outcome::Invisible => return,
                Outcome::Stop => None,
                Outcome::Term(term) => Some(term.into_owned()),
            };
            tokens.push(Token { span, form, term });
        });
        tokens
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::text::StopList;

    fn terms(language: &str, options: &Options, text: &str) -> Vec<String> {
        let tokens = Analyser::new(language.parse().unwrap(), options).tokens(text);
        tokens.into_iter().filter_map(|token| token.term).collect()
    }

    #[test]
    fn words_pass_stop_list_and_stemmer() {
        let text = "The Tides were rising; the boats rise.";
        assert_eq!(terms("eng", &Options::default(), text), ["tide", "rise", "boat", "rise"]);
        assert_eq!(terms("und", &Options::default(), text), ["the", "tides", "were", "rising", "the", "boats", "rise"]);
        let plain = Options { stop_words: StopWords::None, stem: false, ..Options::default() };
        assert_eq!(terms("eng", &plain, text), terms("und", &plain, text));
    }

    #[test]
    fn a_users_list_counts_in_every_language() {
        let list = StopWords::List(Arc::new(StopList::parse("tides море")));
        let options = Options { stop_words: list, stem: false, ..Options::default() };
        assert_eq!(terms("eng", &options, "The tides"), ["the"]);
        assert_eq!(terms("und", &options, "море и луна"), ["и", "луна"]);
    }

    #[test]
    fn elision_ends_a_word() {
        let plain = Options { stop_words: StopWords::None, stem: false, ..Options::default() };
        let text = "L’école d'art, aujourd'hui";
        assert_eq!(terms("fra", &plain, text), ["l", "école", "d", "art", "aujourd", "hui"]);
        assert_eq!(terms("eng", &plain, text), ["l'école", "d'art", "aujourd'hui"]);
    }

    #[test]
    fn spans_point_into_the_text_as_read() {
        let text = "ＦＵＬＬ wi\u{ad}dth \u{3164} café";
        let tokens = Analyser::new(Language::UNDETERMINED, &Options::default()).tokens(text);
        let seen: Vec<(&str, &str)> = tokens.iter().map(|token| (&text[token.span.clone()], &*token.form)).collect();
        assert_eq!(seen, [("ＦＵＬＬ", "full"), ("wi\u{ad}dth", "width"), ("café", "café")]);
    }
}
