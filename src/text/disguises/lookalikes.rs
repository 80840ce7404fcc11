//! Letters of one script that pass for those of another: `соpy` with Cyrillic `с` and `о`.
//!
//! Only words that mix Latin with Cyrillic or Greek letters are changed: a Russian word is not a disguise
//! because Latin letters could draw it. A word takes the script of those of its letters that pass for no
//! others; if all do, that of the text.
//!
//! Small capitals and turned letters pass for Latin ones in any word (`ᴡᴀᴛᴇʀ`, `watǝr`). Those that transcriptions of speech
//! are written with (`ɪ`, `ɴ`) do only beside others: `[hɪl]` is no disguise.
//!
//! Cost: one pass over the word; words of a single script, nearly all, are left alone after it.
//!
//! Source: confusable characters are those of Unicode Technical Standard #39.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_security::skeleton;

use crate::text::characters::is_greek;

/// Small capitals and turned letters, and the letters that they pass for.
const SMALL: [&str; 2] = ["ᴀᴄᴅᴇꜰᴊᴋᴍᴏᴘꜱᴛᴜᴠᴡᴢǝ", "acdefjkmopstuvwze"];

/// The same of those that also transcribe speech.
const OF_SPEECH: [&str; 2] = ["ʙɢʜɪʟɴʀʏ", "bghilnry"];

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

/// Latin letters that pass for Greek ones.
static GREEK: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    // `σ` passes for `o` only where `ο` is not meant.
    let greek = ('Α'..='ω').filter(|&c| c != 'σ');
    greek.filter_map(|c| Some((*LATIN.get(&c)?, c))).collect()
});

/// Latin letters that pass for Cyrillic ones.
static CYRILLIC: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    // The letters of Russian come last, so that they win where several letters look alike.
    let cyrillic = ('\u{450}'..='\u{52F}').chain('\u{400}'..='\u{44F}');
    cyrillic.filter_map(|c| Some((*LATIN.get(&c)?, c))).collect()
});

fn passes_for(c: char) -> Option<char> {
    let mut letters = skeleton(c.encode_utf8(&mut [0; 4])).collect::<Vec<char>>().into_iter();
    match (letters.next(), letters.next()) {
        // The standard merges `l`, `I` and `|`; they are not treated as look-alikes here.
        (Some(letter), None) if letter != c && letter != 'l' => Some(letter),
        _ => None,
    }
}

/// True if at least half of the Latin, Cyrillic and Greek letters of a text are Latin; then words that could be
/// either are read as Latin.
pub fn is_latin(text: &str) -> bool {
    let count = |wanted| text.chars().filter(|&c| script(c) == Some(wanted)).count();
    text.is_ascii() || count(Script::Latin) >= count(Script::Other)
}

/// The word with its look-alike letters replaced; `None` if it has none. If all letters pass for others,
/// `among_latin` decides the script.
pub fn unmask(word: &str, among_latin: bool) -> Option<String> {
    if word.is_ascii() {
        return None;
    }
    if let Some(letters) = without_small(word) {
        let seen = unmask(&letters, among_latin);
        return Some(seen.unwrap_or(letters));
    }
    let has = |wanted| word.chars().any(|c| script(c) == Some(wanted));
    if !has(Script::Latin) || !has(Script::Other) {
        return None;
    }
    if is_symbol_of_name(word) {
        return None;
    }
    let others = if word.contains(is_greek) { &GREEK } else { &CYRILLIC };
    let to_latin = || replaced(word, Script::Other, &LATIN);
    let to_other = || replaced(word, Script::Latin, others);
    if among_latin { to_latin().or_else(to_other) } else { to_other().or_else(to_latin) }
}

/// The word without small capitals and turned letters; `None` if it has none but those of transcriptions.
fn without_small(word: &str) -> Option<String> {
    let letter = |c, [from, to]: [&str; 2]| from.chars().zip(to.chars()).find_map(|(x, y)| (x == c).then_some(y));
    let seen = |c| letter(c, SMALL).or_else(|| letter(c, OF_SPEECH)).unwrap_or(c);
    word.contains(|c| letter(c, SMALL).is_some()).then(|| word.chars().map(seen).collect())
}

/// True for names such as `TNFα`, `NFκB` and `αSyn`: each Greek letter is a small one between Latin capitals, or between one and
/// an end of the word. A disguised word has small letters beside it.
fn is_symbol_of_name(word: &str) -> bool {
    let letters: Vec<char> = word.chars().collect();
    let is_capital = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_none_or(char::is_ascii_uppercase);
    let mut others = (0..letters.len()).filter(|&at| script(letters[at]) == Some(Script::Other));
    others.all(|at| {
        is_greek(letters[at]) && letters[at].is_lowercase() && is_capital(at.checked_sub(1)) && is_capital(Some(at + 1))
    })
}

/// A word of Cyrillic or Greek letters that all pass for Latin ones, in those: the only form in which it can be compared
/// with a disguised one. `None` for any other word.
pub fn as_latin(word: &str) -> Option<String> {
    let is_other = |c| script(c) == Some(Script::Other);
    if word.is_ascii() || !word.chars().any(is_other) { None } else { replaced(word, Script::Other, &LATIN) }
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
            ("Cοpy", "Copy"),
            ("Tοday", "Today"),
            ("νόμoς", "νόμος"),
            ("κuριακη", "κυριακη"),
            ("tеxts", "texts"),
            ("мoре", "море"),
            ("Книгa", "Книга"),
            ("ᴡᴀᴛᴇʀ", "water"),
            ("tᴏʟd", "told"),
            ("watǝr", "water"),
            ("ᴡᴀtеr", "water"),
        ] {
            assert_eq!(unmask(masked, is_latin(word)).as_deref(), Some(word), "{masked}");
        }
    }

    #[test]
    fn a_word_of_look_alikes_alone_is_read_in_latin_letters() {
        for (word, latin) in [("а", Some("a")), ("соус", Some("coyc")), ("море", None), ("copy", None), ("é", None)]
        {
            assert_eq!(as_latin(word).as_deref(), latin, "{word}");
        }
    }

    #[test]
    fn words_of_one_script_and_honest_mixtures_are_left_alone() {
        for word in [
            "copy",
            "море",
            "соус",
            "βιβλίο",
            "café",
            "Windowsский",
            "µm",
            "日本",
            "x²",
            "hɪl",
            "ɪɴ",
            "",
            "TNFα",
            "IFNγ",
            "NFκB",
            "αSyn",
        ] {
            assert_eq!(unmask(word, true), None, "{word}");
        }
    }
}
