//! A text without its layout, by which short texts are compared.

use super::Language;
use super::ambiguity::ambiguity;
use super::disguises::is_override;
use super::normalise::Normaliser;

/// A text without layout: in NFKC and lower case, without white space, invisible characters, hyphens between letters
/// and closing punctuation.
///
/// Two texts with equal results say the same. All other signs are kept, because any of them can be the subject
/// of a short text (`[` or `(`, `Saved?` or `Saved.`), and so is white space between digits and before a sign of a number
/// (`1 23` and `12 3`, `3 -1` and `3-1`).
pub fn without_layout(text: &str) -> String {
    let normaliser = Normaliser::new(Language::UNDETERMINED);
    let (mut plain, mut form) = (String::with_capacity(text.len()), String::new());
    let mut is_open = false;
    for piece in text.split_whitespace() {
        normaliser.normalise(piece, &mut form);
        match ambiguity(piece) {
            0 => {}
            // It ends with a sign, so that what follows is not joined.
            ambiguity => form.extend(format!("^{ambiguity:x}^").chars()),
        }
        // `500` is shown as `005` behind an override.
        form.extend(piece.chars().filter(|&c| is_override(c)));
        // `1, 5` is not `1,5`. A number ends what is trimmed, so that it is trimmed once.
        let is_behind_number = || plain.trim_end_matches([',', '.', ':', ';', '\'']).ends_with(char::is_numeric);
        if begins_as_number(&form) && is_behind_number()
            || plain.ends_with('-') && !form.starts_with(char::is_alphabetic)
        {
            plain.push(' ');
        }
        // A hyphen at the end of a line is followed by the rest of its word.
        if is_open && form.starts_with(char::is_alphabetic) {
            plain.pop();
        }
        is_open = is_hyphenated(&form) && !piece.chars().all(|c| c.is_uppercase() || is_hyphen(c));
        for (at, c) in form.char_indices() {
            if !(is_hyphen(c) && is_joint(&form[..at], &form[at + c.len_utf8()..])) {
                plain.push(c);
            }
        }
    }
    let kept = plain.trim_end_matches(CLOSING).len();
    // `5!` and `n!` are products.
    let is_product = plain[kept..].starts_with('!') && ends_as_factor(text.trim_end().trim_end_matches(CLOSING));
    plain.truncate(kept + usize::from(is_product));
    plain
}

/// The lines of a text without the white space at their ends, by which code is compared.
pub fn without_line_ends(text: &str) -> String {
    text.lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
}

/// Punctuation that makes no difference at the end of a text, and the spaces between.
const CLOSING: &[char] = &[' ', '.', ',', ';', ':', '!', '。', '、', '।', '۔', '።'];

/// True if a text ends with a digit or a single letter.
fn ends_as_factor(text: &str) -> bool {
    text.ends_with(char::is_numeric) || text.chars().rev().take_while(|c| c.is_alphabetic()).take(2).count() == 1
}

/// True if a text begins with a digit or a sign of a number: `5`, `-1`, `.5`, `:30`.
fn begins_as_number(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|c| match c {
        '.' | ',' | ':' => characters.next().is_some_and(char::is_numeric),
        _ => c.is_numeric() || matches!(c, '+' | '-'),
    })
}

/// True for a hyphen that joins the parts of a word: it stands between letters, and more than two, as `x-y` is a difference.
fn is_joint(before: &str, behind: &str) -> bool {
    let before = before.chars().rev().take_while(|c| c.is_alphabetic()).take(2).count();
    let behind = behind.chars().take_while(|c| c.is_alphabetic()).take(2).count();
    before > 0 && behind > 0 && before + behind > 2
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}')
}

/// True if a text ends with a letter and a hyphen. No word is divided behind its only letter: `A-` is a grade.
fn is_hyphenated(text: &str) -> bool {
    text.strip_suffix(is_hyphen)
        .is_some_and(|word| word.ends_with(char::is_alphabetic) && word.chars().nth(1).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_one_form_are_told_apart() {
        let ambiguity = |word: &str| super::ambiguity(word);
        for (a, b) in
            [("10⁶", "106"), ("2¹⁰", "21⁰"), ("x²ⁿ", "x²n"), ("DİŞ", "dış"), ("log₂8", "log28"), ("1½", "11⁄2")]
        {
            assert_ne!(ambiguity(a), ambiguity(b), "{a} {b}");
            assert_ne!(without_layout(a), without_layout(b));
        }
        for word in ["word", "H₂O", "Straße", "DIŞ", "ﬁ"] {
            assert_eq!(ambiguity(word), 0, "{word}");
        }
    }

    #[test]
    fn a_hyphen_behind_capitals_is_no_divided_word() {
        assert_ne!(without_layout("is HIV- and has"), without_layout("is HIV and has"));
        assert_eq!(without_layout("the har-\nbour"), without_layout("the harbour"));
    }

    #[test]
    fn texts_are_equal_but_for_layout() {
        for (a, b, is_equal) in [
            ("The  File\nis saved.", "the file is saved!", true),
            ("ＦＵＬＬ width", "full\u{200b} width…", true),
            ("未匹配的 [、[^ 或 [=", "未匹配的 ( 或 \\(", false),
            ("Saved?", "Saved.", false),
            ("\"Quoted\"", "Quoted", false),
            ("+1", "-1", false),
            ("A data base, e-mail and a hyphen-\nated word", "a database, email and a hyphenated word", true),
            ("3 -1", "3-1", false),
            ("1 23", "12 3", false),
            ("1,5", "1, 5", false),
            ("sınır", "sinir", false),
            ("海 は 青い", "海は青い", true),
            ("a-1", "a1", false),
            ("rock - paper", "rock paper", false),
            ("abc \u{202e}500", "abc 500", false),
            ("Solve -x = 5.", "Solve x = 5.", false),
            ("Simplify 2x-y.", "Simplify 2xy.", false),
            ("rm -rf x", "rm rf x", false),
            ("Give 5 .3 ml.", "Give 5.3 ml.", false),
            ("At 12 :30", "At 12:30", false),
            ("Compute 5!", "Compute 5", false),
            ("Compute n!", "Compute n.", false),
            ("Hello you!", "Hello you.", true),
        ] {
            assert_eq!(without_layout(a) == without_layout(b), is_equal, "{a} / {b}");
        }
    }
}
