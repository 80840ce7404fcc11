//! Feet and inches that are written with quotation marks: `12"` is not `12'`.
//!
//! A mark right behind a number closes a quotation if the last mark of its kind before opens one; else it is a prime. Marks
//! within words are apostrophes.
//!
//! Cost: linear in what stands between a mark and the last one before it.

/// The prime that a gap begins with, in the signs of Unicode, given the text before it and behind it.
pub(super) fn prime(before: &str, gap: &str, behind: &str) -> Option<char> {
    let mark = gap.chars().next().and_then(plain_mark)?;
    let next = gap.chars().nth(1).or(behind.chars().next());
    let is_behind_number = before.ends_with(char::is_numeric);
    // Two marks of one stroke are one of two, which LaTeX closes quotations with; letters follow in `1990's`.
    if !is_behind_number || next.is_some_and(|next| next.is_alphabetic() || plain_mark(next) == Some(mark)) {
        return None;
    }
    (!is_open(before, mark)).then_some(if mark == '"' { '″' } else { '′' })
}

/// True if a quotation by marks of a kind is open at the end of a text.
fn is_open(text: &str, mark: char) -> bool {
    let marks = text.char_indices().rev().filter(|&(_, c)| plain_mark(c) == Some(mark) || opens(c) == Some(mark));
    for (at, c) in marks {
        if opens(c) == Some(mark) {
            return true;
        }
        let outside =
            text[..at].chars().next_back().is_none_or(|c| !(c.is_alphanumeric() || matches!(c, '.' | '!' | '?')));
        let inside = text[at + c.len_utf8()..].chars().next();
        let is_apostrophe = !outside && inside.is_some_and(char::is_alphabetic);
        if !is_apostrophe {
            return outside && inside.is_none_or(|c| !c.is_whitespace());
        }
    }
    false
}

/// The mark of ASCII for one that may close a quotation.
fn plain_mark(c: char) -> Option<char> {
    match c {
        '"' | '”' => Some('"'),
        '\'' | '’' => Some('\''),
        _ => None,
    }
}

/// The mark of ASCII for one that only opens a quotation, in languages where another one closes it.
fn opens(c: char) -> Option<char> {
    match c {
        '“' | '„' | '«' => Some('"'),
        '‘' | '‚' | '‹' => Some('\''),
        _ => None,
    }
}
