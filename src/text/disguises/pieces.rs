//! Joins tokens that are one word: letters set apart, and the halves of a word divided at the end of a line.
//!
//! ```text
//!  w a t e r   c o m e s   i n      ─▶  water, comes, in
//!  the wa-⏎
//!  ter comes                        ─▶  the, water, comes
//! ```
//!
//! A run of [`LEAST`] or more single letters is spaced-out text, not a list of variables, if most letters are
//! one blank apart; a wider gap or a sign then separates words. A hyphen at the end of a line divides a word if
//! lower-case letters stand before and after it. A hyphenated word that breaks at its hyphen is joined by the
//! same rule.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use super::is_letter;
use super::marks::stands_on_another;
use super::plain::is_unspaced;

/// Minimum number of single letters in a run of spaced-out text.
const LEAST: usize = 10;

/// A word of one or more tokens.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece<'t> {
    pub(super) span: Range<usize>,
    pub(super) word: Cow<'t, str>,
    pub(super) is_spaced: bool,
}

/// Calls `piece` with each word, until it breaks.
pub(super) fn each<'t>(
    text: &'t str,
    tokens: &[Range<usize>],
    mut piece: impl FnMut(Piece<'t>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut at = 0;
    while at < tokens.len() {
        let letters = tokens[at..].iter().take_while(|token| is_single(&text[(*token).clone()])).count();
        let run = &tokens[at..at + letters];
        if letters >= LEAST && is_spaced(text, run) {
            for word in run.chunk_by(|x, y| is_blank(between(text, x, y))) {
                let span = word[0].start..word[word.len() - 1].end;
                let letters: String = word.iter().map(|letter| &text[letter.clone()]).collect();
                piece(Piece { span, word: Cow::Owned(letters), is_spaced: word.len() > 1 })?;
            }
            at += letters;
            continue;
        }
        // A run that is too short contains no longer one: its letters are passed on one by one.
        for token in run {
            piece(Piece { span: token.clone(), word: Cow::Borrowed(&text[token.clone()]), is_spaced: false })?;
        }
        at += letters;
        let Some(token) = tokens.get(at) else { break };
        let mut end = at + 1;
        while end < tokens.len() && is_divided(text, &tokens[end - 1], &tokens[end]) {
            end += 1;
        }
        let word = if end - at > 1 {
            tokens[at..end].iter().map(|token| &text[token.clone()]).collect()
        } else {
            Cow::Borrowed(&text[token.clone()])
        };
        piece(Piece { span: token.start..tokens[end - 1].end, word, is_spaced: false })?;
        at = end;
    }
    ControlFlow::Continue(())
}

/// True if a token is a single letter, with its marks, of a script that writes blanks between words.
fn is_single(token: &str) -> bool {
    let mut characters = token.chars();
    characters.next().is_some_and(|c| c.is_alphabetic() && !is_unspaced(c))
        && characters.all(|c| !c.is_alphanumeric() || stands_on_another(c))
}

/// The text between two tokens.
fn between<'t>(text: &'t str, x: &Range<usize>, y: &Range<usize>) -> &'t str {
    text.get(x.end..y.start).unwrap_or_default()
}

fn is_blank(between: &str) -> bool {
    let mut characters = between.chars();
    characters.next().is_some_and(|c| c.is_whitespace() && c != '\n') && characters.next().is_none()
}

/// True if most of these letters are one blank apart, but not all.
fn is_spaced(text: &str, letters: &[Range<usize>]) -> bool {
    let near = letters.windows(2).filter(|pair| is_blank(between(text, &pair[0], &pair[1]))).count();
    // Letters that are all one blank apart are a list: spaced-out text has gaps between words.
    near * 2 > letters.len() && near + 1 < letters.len()
}

/// True if two tokens are the halves of a word divided at the end of a line.
fn is_divided(text: &str, x: &Range<usize>, y: &Range<usize>) -> bool {
    let Some(rest) = between(text, x, y).strip_prefix(['-', '\u{2010}']) else { return false };
    let blanks = rest.trim_matches([' ', '\t']);
    let ends_small = text[x.clone()].ends_with(|c: char| c.is_lowercase() && is_letter(c));
    let begins_small = text[y.clone()].starts_with(|c: char| c.is_lowercase() && is_letter(c));
    matches!(blanks, "\n" | "\r\n") && ends_small && begins_small
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokenise::Tokeniser;

    fn words(text: &str) -> Vec<String> {
        let mut tokens = Vec::new();
        Tokeniser::default().words(text, |span| tokens.push(span));
        let mut words = Vec::new();
        let _ = each(text, &tokens, |piece| {
            words.push(piece.word.into_owned());
            ControlFlow::Continue(())
        });
        words
    }

    #[test]
    fn words_divided_at_the_end_of_a_line_are_one() {
        assert_eq!(words("the wa-\nter and the moon-\r\n  light"), ["the", "water", "and", "the", "moonlight"]);
        assert_eq!(words("an in-\ndi-\nvi-\ndual"), ["an", "individual"]);
        for text in ["well-known", "pages 12-\n14", "Jean-\nPaul", "the end -\nthe start", "the end-\n\nthe start"] {
            let plain: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
            assert_eq!(words(text), plain, "{text}");
        }
    }

    #[test]
    fn letters_are_words_where_they_have_ends() {
        assert_eq!(words("w a t e r  c o m e s\ni n,  a t  n i g h t"), ["water", "comes", "in", "at", "night"]);
        assert_eq!(words("п р и л и в   и   о т л и в"), ["прилив", "и", "отлив"]);
        for text in [
            "a b c d e f g h i j k l m",
            "x, y, z, u, v, w, a, b, c, d, e",
            "a b c  d e",
            "天 地 人 天 地 人 天 地 人 天",
        ] {
            let plain: Vec<&str> = text.split([' ', ',']).filter(|word| !word.is_empty()).collect();
            assert_eq!(words(text), plain, "{text}");
        }
    }
}
