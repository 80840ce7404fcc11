//! Made-up texts in many languages, and edits of them, the same for the same seed.
//!
//! A sentence is made of two parts. Runs of the sample texts of its language (`data/texts`) in their real order
//! let its language be detected. Words drawn by Zipf's law, most of them invented, keep the shared 3-grams of
//! unrelated texts few.

#![allow(dead_code, reason = "each example uses a part")]
#![expect(clippy::cast_sign_loss, reason = "lengths and ranks are positive")]

pub(crate) mod edit;

use std::fs;

use nearcopy::text::{Analyser, Language, Options};

#[path = "../../../benches/support/mod.rs"]
mod support;

pub(crate) use support::Random;

/// Languages of every kind of script and grammar that the stages distinguish.
pub(crate) const LANGUAGES: [&str; 14] =
    ["eng", "deu", "rus", "spa", "fra", "cat", "cmn", "jpn", "ara", "hin", "ell", "fin", "tur", "tha"];

/// Size of the table from which ranks of words are drawn, which is faster than a power.
const RANKS: usize = 1 << 16;

/// The signs of a language.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Signs {
    /// Between two words.
    pub(crate) space: &'static str,
    /// Between two words where a clause ends.
    pub(crate) comma: &'static str,
    /// At the end of a sentence.
    pub(crate) stop: &'static str,
    /// Between two sentences.
    pub(crate) between: &'static str,
}

impl Signs {
    fn of(language: &str) -> Self {
        let (space, comma, stop, between) = match language {
            "cmn" => ("", "，", "。", ""),
            "jpn" => ("", "、", "。", ""),
            "tha" => ("", " ", "", " "),
            "hin" => (" ", ", ", "।", " "),
            "ara" => (" ", "، ", ".", " "),
            _ => (" ", ", ", ".", " "),
        };
        Self { space, comma, stop, between }
    }
}

/// Writes texts in one language.
pub(crate) struct Writer {
    pub(crate) language: Language,
    pub(crate) signs: Signs,
    /// The words, the commonest first, most of them invented.
    words: Vec<String>,
    ranks: Vec<u32>,
    /// The words of the sample texts in their order.
    real: Vec<String>,
    /// Longest run of them, in words.
    longest: usize,
}

impl Writer {
    /// A writer in the language of this code, which has a folder in `data/texts`.
    pub(crate) fn new(code: &str) -> Self {
        let words = support::vocabulary(code, &mut Random(1));
        // Zipf's law: the rank of a word is exponential in a uniform number.
        let rank = |slot: usize| (words.len() as f64).powf((slot as f64 + 0.5) / RANKS as f64) as u32 - 1;
        Self {
            language: code.parse().expect("a known language"),
            signs: Signs::of(code),
            ranks: (0..RANKS).map(rank).collect(),
            real: samples(code),
            longest: 5,
            words,
        }
    }

    /// The same writer with runs of at most `longest` real words, three or more. The sample texts are short, so
    /// with runs of five all texts share some.
    pub(crate) fn with_runs_up_to(self, longest: usize) -> Self {
        Self { longest, ..self }
    }

    /// A random word, common ones more often.
    pub(crate) fn word(&self, random: &mut Random) -> &str {
        &self.words[self.ranks[random.below(RANKS)] as usize]
    }

    /// Appends a sentence of `words` words to a text.
    pub(crate) fn sentence(&self, words: usize, random: &mut Random, text: &mut String) {
        let (mut run, mut place) = (0, 0);
        for i in 0..words {
            if i > 0 {
                text.push_str(if random.below(9) == 0 { self.signs.comma } else { self.signs.space });
            }
            // Two words of five come in runs, if these are two to five long.
            if run == 0 && random.below(5) == 0 {
                run = 2 + random.below(self.longest - 1);
                place = random.below(self.real.len() - run);
            }
            let word = if run > 0 {
                run -= 1;
                place += 1;
                &*self.real[place - 1]
            } else {
                self.word(random)
            };
            if i == 0 { capitalise(word, text) } else { text.push_str(word) }
        }
        text.push_str(self.signs.stop);
    }

    /// Sentences of about `words` words in all.
    pub(crate) fn paragraph(&self, words: usize, random: &mut Random) -> Vec<String> {
        let mut sentences = Vec::new();
        let mut left = words;
        while left > 0 {
            let length = (6 + random.below(20)).min(left);
            let mut sentence = String::new();
            self.sentence(length, random, &mut sentence);
            sentences.push(sentence);
            left -= length;
        }
        sentences
    }

    /// Paragraphs of 20 to 120 words, `words` words in all.
    pub(crate) fn text(&self, words: usize, random: &mut Random) -> Text {
        let mut paragraphs = Vec::new();
        let mut left = words;
        while left > 0 {
            let length = (20 + random.below(100)).min(left);
            paragraphs.push(self.paragraph(length, random));
            left -= length;
        }
        Text { paragraphs, signs: self.signs }
    }
}

/// A text by paragraphs and sentences.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    pub(crate) paragraphs: Vec<Vec<String>>,
    pub(crate) signs: Signs,
}

impl Text {
    /// The text as it is written: an empty line between paragraphs.
    pub(crate) fn written(&self) -> String {
        let paragraphs: Vec<String> =
            self.paragraphs.iter().map(|sentences| sentences.join(self.signs.between)).collect();
        paragraphs.join("\n\n")
    }
}

/// A share of a number of things, as a number.
pub(crate) fn part(share: f64, of: usize) -> usize {
    (share * of as f64).round() as usize
}

fn capitalise(word: &str, text: &mut String) {
    let mut letters = word.chars();
    text.extend(letters.next().into_iter().flat_map(char::to_uppercase));
    text.push_str(letters.as_str());
}

/// The words of a language's sample texts as they are written.
fn samples(code: &str) -> Vec<String> {
    let folder = format!("{}/../../data/texts/{code}", env!("CARGO_MANIFEST_DIR"));
    let files = fs::read_dir(folder).expect("data/texts has the language");
    let mut files: Vec<_> = files.map(|entry| entry.expect("a readable folder").path()).collect();
    files.retain(|file| !file.to_string_lossy().contains(".edited."));
    files.sort();
    let analyser = Analyser::new(Language::UNDETERMINED, &Options::default());
    let mut words = Vec::new();
    for file in files {
        let text = fs::read_to_string(file).expect("a readable text");
        analyser.words(&text, |span| words.push(text[span].to_owned()));
    }
    words
}
