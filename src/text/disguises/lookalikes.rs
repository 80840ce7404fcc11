//! Letters of one script that pass for those of another: `соpy` with Cyrillic `с` and `о`.
//!
//! Words that mix Latin with Cyrillic or Greek letters are changed. A word takes the script of those of its letters that
//! pass for no others; if all do, that of the text.
//!
//! A Russian word is not a disguise because Latin letters could draw it, as one in 60 to 230 can be drawn (`его`, `хорошо`). So
//! words wholly of look-alikes (`реасе`) are changed only among Latin ones, and only if a text has [`LEAST_PLACES`] different
//! disguised places and more of them than places that are surely Cyrillic or Greek. A word that stands beside letters without
//! a Latin twin, as in a quotation or a name, is one of that language wherever it stands.
//!
//! Small capitals and turned letters pass for Latin ones in any word (`ᴡᴀᴛᴇʀ`, `watǝr`). Those that transcriptions of speech
//! are written with (`ɪ`, `ɴ`) do only beside others: `[hɪl]` is no disguise.
//!
//! Cost: one pass over the text, two if it has Latin letters and others, then one over the word; words of a single script,
//! nearly all, are left alone after it.
//!
//! Source: confusable characters are those of Unicode Technical Standard #39.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use unicode_security::skeleton;

use crate::text::characters::is_greek;

/// Small capitals and turned letters, and the letters that they pass for.
const SMALL: [&str; 2] = ["ᴀᴄᴅᴇꜰᴊᴋᴍᴏᴘꜱᴛᴜᴠᴡᴢǝ", "acdefjkmopstuvwze"];

/// The same of those that also transcribe speech.
const OF_SPEECH: [&str; 2] = ["ʙɢʜɪʟɴʀʏ", "bghilnry"];

/// Minimum number of letters of a word wholly of look-alikes that shows a disguise: shorter ones are symbols and small words.
const LEAST_LETTERS: usize = 3;

/// Minimum number of different disguised places in a text in which words wholly of look-alikes are changed. Of 872 texts in Latin
/// letters with Cyrillic or Greek ones, manuals and documentation for the most part, ten have such a word, none of them three.
const LEAST_PLACES: usize = 3;

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

/// The look-alikes of a text.
#[derive(Debug)]
pub struct LookAlikes {
    among_latin: bool,
    /// The words wholly of Cyrillic or Greek letters that stand for Latin ones.
    whole: HashSet<String>,
}

impl LookAlikes {
    /// Those of a text. If at least half of its Latin, Cyrillic and Greek letters are Latin, words that could be either are
    /// read as Latin.
    pub fn of(text: &str) -> Self {
        let count = |wanted| text.chars().filter(|&c| script(c) == Some(wanted)).count();
        let others = if text.is_ascii() { 0 } else { count(Script::Other) };
        let among_latin = others == 0 || count(Script::Latin) >= others;
        let whole = if among_latin && others > 0 { whole_words(text) } else { HashSet::new() };
        Self { among_latin, whole }
    }

    /// A word of the text with its look-alike letters replaced; `None` if it has none.
    pub fn unmask(&self, word: &str) -> Option<String> {
        let as_whole = || self.whole.get(word).and_then(|word| as_latin(word));
        unmask(word, self.among_latin).or_else(as_whole)
    }
}

/// The words of a text wholly of Cyrillic or Greek letters that stand for Latin ones.
fn whole_words(text: &str) -> HashSet<String> {
    let mut found = Found::default();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.contains(char::is_alphabetic)) {
        let has = |wanted| word.chars().any(|c| script(c) == Some(wanted));
        if has(Script::Latin) {
            found.end_run();
            if !word.is_ascii() && as_latin(word).is_some() && unmask(word, true).is_some() {
                found.disguised.insert(word);
            }
        } else if has(Script::Other) {
            found.run.push(word);
        }
    }
    found.end_run();
    let whole: HashSet<String> = found.whole.difference(&found.of_others).map(|&word| word.to_owned()).collect();
    let disguised = found.disguised.difference(&found.of_others).count();
    if disguised >= LEAST_PLACES && disguised > found.of_language.len() { whole } else { HashSet::new() }
}

/// The different words of a text with Cyrillic or Greek letters.
#[derive(Debug, Default)]
struct Found<'t> {
    /// Those of the current run, between words with Latin letters.
    run: Vec<&'t str>,
    /// Those that may be wholly of look-alikes.
    whole: HashSet<&'t str>,
    /// Those of runs in which a letter has no Latin twin.
    of_others: HashSet<&'t str>,
    /// The places that are surely Cyrillic or Greek: the first word with such a letter of each such run.
    of_language: HashSet<&'t str>,
    /// The places that may be disguised: words that mix look-alikes with Latin letters, and the first long word of each other run.
    disguised: HashSet<&'t str>,
}

impl Found<'_> {
    fn end_run(&mut self) {
        if let Some(word) = self.run.iter().copied().find(|word| as_latin(word).is_none()) {
            self.of_language.insert(word);
            self.of_others.extend(self.run.drain(..));
        } else {
            let may_be_long = |word: &&str| is_long(word) && may_be_whole(word);
            self.disguised.extend(self.run.iter().copied().find(may_be_long));
            self.whole.extend(self.run.drain(..).filter(|word| may_be_whole(word)));
        }
    }
}

/// True if a word of look-alikes may stand for a Latin one in a text that has disguised words: no abbreviation such as `СССР`, and
/// no symbol such as `α`.
fn may_be_whole(word: &str) -> bool {
    let is_single = word.chars().nth(1).is_none();
    word.chars().all(|c| script(c) == Some(Script::Other))
        && (is_single || word.contains(char::is_lowercase))
        && (is_long(word) || !word.contains(is_greek))
}

fn is_long(word: &str) -> bool {
    word.chars().nth(LEAST_LETTERS - 1).is_some()
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
            let of_word = LookAlikes::of(word);
            assert_eq!(of_word.unmask(masked).as_deref(), Some(word), "{masked}");
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
    fn words_wholly_of_look_alikes_are_read_in_latin_letters_if_a_text_has_several() {
        let read = |text: &str| {
            let of_text = LookAlikes::of(text);
            let words = text.split(|c: char| !c.is_alphanumeric());
            words.filter_map(|word| of_text.unmask(word)).collect::<Vec<_>>().join(" ")
        };
        for (text, expected) in [
            ("They drank сосоа in реасе, said the роре.", "cocoa peace pope"),
            ("They drank сосоа in pеace, said the роре.", "cocoa peace pope"),
            (
                "Here А роре drank а сосоа in реасе, as is told by many of the old historians: со-α, СССР.",
                "A pope a cocoa peace co",
            ),
            ("No реасе for the роре, she sаid, and read «Войну и мир».", "peace pope said"),
            ("They drank сосоа in реасе.", ""),
            ("Say его, хорошо, рог, and гора at the вор, in the лес, by море, with лодка.", ""),
            ("They said «его горе» and «хорошо», in «Война и мир».", ""),
            ("The СССР, the ТАСС, the РОСТ, an α, ρν and νο.", ""),
            ("Хорошо: его горе, грех и рог.", ""),
        ] {
            assert_eq!(read(text), expected, "{text}");
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
