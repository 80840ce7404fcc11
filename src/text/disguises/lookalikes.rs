//! Letters of one script that pass for those of another: `соpy` with Cyrillic `с` and `о`.
//!
//! Only inside a word that mixes Latin with Cyrillic or Greek letters; a Russian word is
//! not a trick because it could be drawn with Latin letters. The word is read in the
//! script of those of its letters that pass for no others, or of the text.
//!
//! Cost: a look at each character; words of one script, nearly all, are told at once.
//!
//! Source: confusable characters are those of Unicode Technical Standard #39.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_security::skeleton;

/// A script whose letters are mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Other,
}

fn script(c: char) -> Option<Script> {
    match c {
        'a'..='z' | 'A'..='Z' | '\u{C0}'..='\u{24F}' => Some(Script::Latin),
        '\u{370}'..='\u{3FF}' | '\u{400}'..='\u{52F}' => Some(Script::Other),
        _ => None,
    }
}

/// Cyrillic and Greek letters that pass for Latin ones.
static LATIN: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    let others = ('\u{370}'..='\u{52F}').filter_map(|c| Some((c, passes_for(c)?)));
    others.filter(|(_, latin)| latin.is_ascii_alphabetic()).collect()
});

/// Latin letters that pass for Cyrillic ones.
static CYRILLIC: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    // The letters of Russian last: they are kept where several pass for one.
    let cyrillic = ('\u{450}'..='\u{52F}').chain('\u{400}'..='\u{44F}');
    cyrillic.filter_map(|c| Some((*LATIN.get(&c)?, c))).collect()
});

fn passes_for(c: char) -> Option<char> {
    let mut letters = skeleton(c.encode_utf8(&mut [0; 4])).collect::<Vec<char>>().into_iter();
    match (letters.next(), letters.next()) {
        // `l` and `I` and `|` are one in the standard; none of them is meant here.
        (Some(letter), None) if letter != c && letter != 'l' => Some(letter),
        _ => None,
    }
}

/// Whether most letters of a text are Latin, so that words that could be either are.
pub fn is_latin(text: &str) -> bool {
    let count = |wanted| text.chars().filter(|&c| script(c) == Some(wanted)).count();
    text.is_ascii() || count(Script::Latin) >= count(Script::Other)
}

/// A word without its look-alike letters; `None` if it has none. A word all of whose
/// letters pass for others is read as the text around it is.
pub fn unmask(word: &str, among_latin: bool) -> Option<String> {
    if word.is_ascii() {
        return None;
    }
    let has = |wanted| word.chars().any(|c| script(c) == Some(wanted));
    if !has(Script::Latin) || !has(Script::Other) {
        return None;
    }
    let to_latin = || replaced(word, Script::Other, &LATIN);
    let to_cyrillic = || replaced(word, Script::Latin, &CYRILLIC);
    if among_latin { to_latin().or_else(to_cyrillic) } else { to_cyrillic().or_else(to_latin) }
}

/// The word with all letters of a script replaced, if all can be.
fn replaced(word: &str, script_of: Script, by: &HashMap<char, char>) -> Option<String> {
    word.chars().map(|c| if script(c) == Some(script_of) { by.get(&c).copied() } else { Some(c) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alikes_in_mixed_words_are_replaced() {
        for (masked, word) in [
            ("сорy", "copy"),
            ("рlаgiаrism", "plagiarism"),
            ("Βook", "Book"),
            ("tеxts", "texts"),
            ("мoре", "море"),
            ("Книгa", "Книга"),
        ] {
            assert_eq!(unmask(masked, is_latin(word)).as_deref(), Some(word), "{masked}");
        }
    }

    #[test]
    fn words_of_one_script_and_honest_mixtures_are_left_alone() {
        for word in ["copy", "море", "соус", "βιβλίο", "café", "Windowsский", "µm", "日本", "x²", ""]
        {
            assert_eq!(unmask(word, true), None, "{word}");
        }
    }
}
