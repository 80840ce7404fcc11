//! Edits of texts, of stated kinds and strengths.

use std::ops::Range;

use nearcopy::text::{Analyser, Language, Options};

use super::{Random, Text, Writer, part};

/// One way to edit a text. Shares are of the original's words.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Edit {
    /// No change.
    Exact,
    /// A share of words replaced by others of the language.
    Word(f64),
    /// This many sentences moved elsewhere.
    SentenceMoved(usize),
    /// A share of words added, in paragraphs.
    ParagraphAdded(f64),
    /// A site's header and footer added, a share of words long.
    Boilerplate(f64),
    /// A share of words cut off at the end.
    Truncated(f64),
    /// All letters upper case, all lower case, or each word capitalised.
    Case(Case),
    /// Signs removed (true) or replaced by others.
    Punctuation(bool),
    /// Lines wrapped at 60 characters, spaces doubled, or all on one line.
    Whitespace(Whitespace),
    /// Paragraphs in another order.
    ParagraphsReordered,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Case {
    Upper,
    Lower,
    Title,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Whitespace {
    Wrapped,
    Doubled,
    Joined,
}

impl Edit {
    /// Every edit, in every strength.
    pub(crate) fn all() -> Vec<Self> {
        let mut edits = vec![Self::Exact, Self::ParagraphsReordered, Self::Punctuation(false), Self::Punctuation(true)];
        edits.extend([0.005, 0.01, 0.02, 0.05, 0.1].map(Self::Word));
        edits.extend([1, 2, 3].map(Self::SentenceMoved));
        edits.extend([0.1, 0.3, 0.5].map(Self::ParagraphAdded));
        edits.extend([0.1, 0.3, 0.6].map(Self::Boilerplate));
        edits.extend([0.1, 0.2, 0.4].map(Self::Truncated));
        edits.extend([Case::Upper, Case::Lower, Case::Title].map(Self::Case));
        edits.extend([Whitespace::Wrapped, Whitespace::Doubled, Whitespace::Joined].map(Self::Whitespace));
        edits
    }

    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Word(_) => "word",
            Self::SentenceMoved(_) => "sentence-moved",
            Self::ParagraphAdded(_) => "paragraph-added",
            Self::Boilerplate(_) => "boilerplate",
            Self::Truncated(_) => "truncated",
            Self::Case(_) => "case",
            Self::Punctuation(_) => "punctuation",
            Self::Whitespace(_) => "whitespace",
            Self::ParagraphsReordered => "paragraphs-reordered",
        }
    }

    pub(crate) fn strength(self) -> String {
        match self {
            Self::Exact | Self::ParagraphsReordered => String::new(),
            Self::Word(share) | Self::ParagraphAdded(share) | Self::Boilerplate(share) | Self::Truncated(share) => {
                share.to_string()
            }
            Self::SentenceMoved(sentences) => sentences.to_string(),
            Self::Case(case) => format!("{case:?}").to_lowercase(),
            Self::Punctuation(removed) => if removed { "removed" } else { "changed" }.to_owned(),
            Self::Whitespace(how) => format!("{how:?}").to_lowercase(),
        }
    }

    /// The edited text; `None` if it would be the same (except by [`Edit::Exact`]).
    pub(crate) fn apply(self, text: &Text, writer: &Writer, site: &[String], random: &mut Random) -> Option<String> {
        let written = text.written();
        let edited = match self {
            Self::Exact => return Some(written),
            Self::Word(share) => replace_words(&written, share, random, |random| writer.word(random)),
            Self::SentenceMoved(sentences) => move_sentences(text, sentences, random).written(),
            Self::ParagraphAdded(share) => {
                let length = part(share, words(&written).len());
                let mut text = text.clone();
                for paragraph in writer.text(length, random).paragraphs {
                    let place = random.below(text.paragraphs.len() + 1);
                    text.paragraphs.insert(place, paragraph);
                }
                text.written()
            }
            Self::Boilerplate(share) => framed(text, site, share),
            Self::Truncated(share) => {
                let spans = words(&written);
                let kept = part(1.0 - share, spans.len());
                written[..kept.checked_sub(1).map_or(0, |last| spans[last].end)].to_owned()
            }
            Self::Case(case) => change_case(&written, case, writer.language),
            Self::Punctuation(removed) => change_signs(&written, removed),
            Self::Whitespace(how) => change_spaces(&written, how),
            Self::ParagraphsReordered => {
                let mut text = text.clone();
                random.shuffle(&mut text.paragraphs);
                text.written()
            }
        };
        (edited != written).then_some(edited)
    }
}

/// The spans of a text's words.
pub(crate) fn words(text: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    Analyser::new(Language::UNDETERMINED, &Options::default()).words(text, |span| spans.push(span));
    spans
}

/// The text with a share of its words, at least one, replaced by words from `other`.
pub(crate) fn replace_words<'a>(
    text: &str,
    share: f64,
    random: &mut Random,
    mut other: impl FnMut(&mut Random) -> &'a str,
) -> String {
    let spans = words(text);
    let mut left = part(share, spans.len()).max(1);
    let mut edited = String::with_capacity(text.len() + 16);
    let mut copied = 0;
    for (i, span) in spans.iter().enumerate() {
        // Selection sampling: every choice of this many words is equally likely.
        if random.below(spans.len() - i) < left {
            left -= 1;
            edited.push_str(&text[copied..span.start]);
            let old = &text[span.clone()];
            let new = (0..8).map(|_| other(random)).find(|new| *new != old);
            edited.push_str(new.unwrap_or(old));
            copied = span.end;
        }
    }
    edited.push_str(&text[copied..]);
    edited
}

/// A text between the header and footer of its site, which together are as long as `share` of its words.
pub(crate) fn framed(text: &Text, site: &[String], share: f64) -> String {
    let half = share * words(&text.written()).len() as f64 / 2.0;
    let until_half = |sentences: &mut dyn Iterator<Item = &String>| {
        let mut left = half;
        let taken = sentences.take_while(|sentence| {
            let goes_on = left > 0.0;
            left -= words(sentence).len() as f64;
            goes_on
        });
        taken.cloned().collect::<Vec<_>>()
    };
    let header = until_half(&mut site.iter());
    let mut footer = until_half(&mut site.iter().rev());
    footer.reverse();
    let paragraphs = [vec![header], text.paragraphs.clone(), vec![footer]].concat();
    Text { paragraphs, signs: text.signs }.written()
}

fn move_sentences(text: &Text, sentences: usize, random: &mut Random) -> Text {
    let mut text = text.clone();
    for _ in 0..sentences {
        let paragraphs = text.paragraphs.len();
        let from = &mut text.paragraphs[random.below(paragraphs)];
        if from.len() < 2 {
            continue;
        }
        let sentence = from.remove(random.below(from.len()));
        let to = &mut text.paragraphs[random.below(paragraphs)];
        to.insert(random.below(to.len() + 1), sentence);
    }
    text
}

fn change_case(text: &str, case: Case, language: Language) -> String {
    // Turkish has two letters i, dotted and dotless, each in both cases.
    let upper = |letter: char| match letter {
        'i' if language.code() == "tur" => "İ".to_owned(),
        _ => letter.to_uppercase().collect(),
    };
    match case {
        Case::Upper => text.chars().map(upper).collect(),
        Case::Lower if language.code() == "tur" => text.replace('I', "ı").replace('İ', "i").to_lowercase(),
        Case::Lower => text.to_lowercase(),
        Case::Title => {
            let mut in_word = false;
            let letter = |letter: char| {
                let first = !std::mem::replace(&mut in_word, !letter.is_whitespace());
                if first { upper(letter) } else { letter.to_string() }
            };
            text.chars().map(letter).collect()
        }
    }
}

/// The text with the signs between words removed, or each replaced by another of its kind.
fn change_signs(text: &str, removed: bool) -> String {
    let change = |sign: char| {
        match sign {
            // A full-width sign also separates words, so a space replaces it.
            ',' | '.' | '،' | '।' if removed => "",
            '，' | '。' | '、' if removed => " ",
            ',' => " –",
            '.' | '।' => "!",
            '،' => "؛",
            '，' | '、' => "；",
            '。' => "！",
            _ => return sign.to_string(),
        }
        .to_owned()
    };
    text.chars().map(change).collect()
}

fn change_spaces(text: &str, how: Whitespace) -> String {
    match how {
        Whitespace::Doubled => text.replace(' ', "  ").replace('\n', "\r\n"),
        Whitespace::Joined => text.split_whitespace().collect::<Vec<_>>().join(" "),
        Whitespace::Wrapped => {
            let mut wrapped = String::with_capacity(text.len() + text.len() / 60);
            let mut column = 0;
            for letter in text.chars() {
                column = if letter == '\n' { 0 } else { column + 1 };
                if column > 60 && letter == ' ' {
                    wrapped.push('\n');
                    column = 0;
                } else {
                    wrapped.push(letter);
                }
            }
            wrapped
        }
    }
}
