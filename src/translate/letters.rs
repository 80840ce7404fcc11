//! The letters by which words of two languages are told to be alike: cognates and names.
//!
//! A word is written in few Latin letters, so that spellings of one sound meet: `Prozess`, `process` and `процесс` are
//! `proses`. The first letters of that are the key of a cognate; its consonants, between two scripts, that of a name:
//! `Shakespeare` and `Шекспир` have `skspr`.
//!
//! Cost: linear in the word.

use crate::text::characters::digit;

/// Maximum number of letters that are written.
const MOST: usize = 24;

/// The word in few Latin letters; it is in its normal form, without accents. Empty if its script has no letters here.
pub(super) fn skeleton(word: &str) -> String {
    let mut letters = String::with_capacity(word.len());
    for c in word.chars().take(MOST) {
        match c {
            'a'..='z' => letters.push(c),
            _ => letters.push_str(transliterated(c)),
        }
    }
    let mut plain = String::with_capacity(letters.len());
    let mut rest = letters.as_str();
    while let Some(first) = rest.chars().next() {
        let (sound, length) = sound(rest, first);
        // Double letters are one.
        if !plain.ends_with(sound) || sound.len() > 1 {
            plain.push_str(sound);
        }
        rest = &rest[length..];
    }
    plain
}

/// The letters of the first sound, and how many letters it is spelt with.
fn sound(rest: &str, first: char) -> (&'static str, usize) {
    const SPELLINGS: [(&str, &str); 17] = [
        ("sch", "s"),
        ("shch", "s"),
        ("tsch", "s"),
        ("ch", "k"),
        ("ck", "k"),
        ("sh", "s"),
        ("ph", "f"),
        ("th", "t"),
        ("rh", "r"),
        ("qu", "k"),
        ("x", "ks"),
        ("ce", "se"),
        ("ci", "si"),
        ("cy", "si"),
        ("tz", "s"),
        ("ts", "s"),
        ("zh", "j"),
    ];
    if let Some((spelt, sound)) = SPELLINGS.iter().find(|(spelt, _)| rest.starts_with(spelt)) {
        return (sound, spelt.len());
    }
    let sound = match first {
        'c' | 'q' => "k",
        'z' => "s",
        'w' => "v",
        'y' => "i",
        _ => LETTERS[usize::from(first as u8 - b'a')],
    };
    (sound, 1)
}

const LETTERS: [&str; 26] = [
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w",
    "x", "y", "z",
];

/// The consonants of a skeleton, at most five; `None` if they are fewer than three.
pub(super) fn consonants(skeleton: &str) -> Option<String> {
    let consonants: String =
        skeleton.chars().filter(|c| !matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'h' | 'j')).collect();
    (consonants.len() >= 3).then(|| consonants.chars().take(5).collect())
}

/// The digits of a number; `None` for a word with letters, or of one digit.
pub(super) fn digits(word: &str) -> Option<String> {
    let digits: String = word.chars().filter_map(digit).collect();
    let is_number = word.chars().all(|c| c.is_numeric() || !c.is_alphabetic());
    (is_number && digits.len() > 1).then_some(digits)
}

/// The Latin letters of a Cyrillic, Greek or Arabic one.
fn transliterated(c: char) -> &'static str {
    match c {
        'а' | 'α' | 'ا' | 'أ' | 'إ' | 'آ' => "a",
        'б' | 'ب' => "b",
        'в' | 'β' => "v",
        'г' | 'ґ' | 'γ' | 'غ' => "g",
        'д' | 'δ' | 'د' | 'ض' => "d",
        'е' | 'э' | 'є' | 'ε' => "e",
        'ж' | 'ج' => "j",
        'з' | 'ц' | 'ч' | 'ш' | 'щ' | 'с' | 'σ' | 'ς' | 'ζ' | 'س' | 'ش' | 'ص' | 'ز' => "s",
        'и' | 'й' | 'і' | 'ї' | 'ы' | 'ι' | 'η' | 'υ' | 'ي' | 'ى' => "i",
        'к' | 'κ' | 'ك' | 'ق' | 'х' | 'χ' | 'خ' => "k",
        'л' | 'λ' | 'ل' => "l",
        'м' | 'μ' | 'م' => "m",
        'н' | 'ν' | 'ن' => "n",
        'о' | 'ο' | 'ω' => "o",
        'п' | 'π' => "p",
        'р' | 'ρ' | 'ر' => "r",
        'т' | 'θ' | 'τ' | 'ت' | 'ط' | 'ث' => "t",
        'у' | 'و' => "u",
        'ф' | 'φ' | 'ف' => "f",
        'ю' => "iu",
        'я' => "ia",
        'ξ' => "ks",
        'ψ' => "ps",
        'ه' | 'ح' => "h",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cognates_begin_alike() {
        for words in
            [["prozess", "process", "процесс"], ["zentrum", "centrum", "центрум"], ["kultur", "cultur", "културъ"]]
        {
            let [first, others @ ..] = words.map(skeleton);
            assert!(others.iter().all(|other| *other == first), "{words:?}: {first} {others:?}");
        }
    }

    #[test]
    fn names_have_their_consonants_in_any_script() {
        for names in
            [["shakespeare", "шекспир"], ["schumann", "шуман"], ["washington", "вашингтон"], ["muhammad", "محمد"]]
        {
            let [a, b] = names.map(|name| consonants(&skeleton(name)));
            assert!(a.is_some() && a == b, "{names:?}: {a:?} {b:?}");
        }
        assert_eq!(consonants("ana"), None);
    }

    #[test]
    fn numbers_are_their_digits() {
        assert_eq!(digits("1,234.5"), Some("12345".into()));
        assert_eq!(digits("١٩٤٥"), Some("1945".into()));
        assert_eq!([digits("7"), digits("b52"), digits("x")], [None, None, None]);
    }
}
