//! The kind of a difference between two texts, for readers who sort by it.

use serde::{Deserialize, Serialize};

/// The kind of a difference, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A word that denies: `not`, `ohne`, `никогда`.
    Negation,
    /// A number, or a word with digits.
    Number,
    /// A sign that carries meaning: `<`, `%`.
    Sign,
    /// A word with a capital that does not begin a sentence.
    Name,
    /// Words that differ in a letter or two: other spellings, and other words (`form` / `from`).
    Spelling,
    /// Any other words.
    Word,
    /// Many words, such as a sentence more.
    Passage,
}

impl Kind {
    /// The name of the kind, as in lists.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Negation => "negation",
            Self::Number => "number",
            Self::Sign => "sign",
            Self::Name => "name",
            Self::Spelling => "spelling",
            Self::Word => "word",
            Self::Passage => "passage",
        }
    }
}

/// Words that deny, in lower case, of the languages that write spaces.
const NEGATIONS: [&str; 148] = [
    // English
    "not",
    "no",
    "none",
    "nor",
    "never",
    "neither",
    "nobody",
    "nothing",
    "nowhere",
    "without",
    "cannot",
    // German, Dutch
    "nicht",
    "kein",
    "keine",
    "keinen",
    "keinem",
    "keiner",
    "keines",
    "nie",
    "niemals",
    "niemand",
    "nichts",
    "ohne",
    "weder",
    "noch",
    "niet",
    "geen",
    "nooit",
    "zonder",
    "niets",
    // Danish, Norwegian, Swedish, Finnish, Hungarian
    "ikke",
    "aldrig",
    "aldri",
    "uden",
    "uten",
    "ingen",
    "intet",
    "inte",
    "ej",
    "utan",
    "inget",
    "inga",
    "ei",
    "eivät",
    "ilman",
    "nem",
    "ne",
    "nincs",
    "soha",
    "nélkül",
    // French, Spanish, Catalan, Portuguese, Italian, Romanian
    "pas",
    "non",
    "jamais",
    "sans",
    "aucun",
    "aucune",
    "ni",
    "rien",
    "personne",
    "nunca",
    "sin",
    "ningún",
    "ninguno",
    "ninguna",
    "nada",
    "nadie",
    "jamás",
    "sense",
    "mai",
    "não",
    "sem",
    "nenhum",
    "nenhuma",
    "senza",
    "nessuno",
    "nessuna",
    "né",
    "nulla",
    "niente",
    "nu",
    "fără",
    "niciodată",
    // Russian, Ukrainian, Polish, Czech, Slovak
    "не",
    "нет",
    "ни",
    "никогда",
    "без",
    "никто",
    "ничего",
    "нельзя",
    "ні",
    "ніколи",
    "nigdy",
    "bez",
    "żaden",
    "ani",
    "není",
    "nikdy",
    "žádný",
    "nie",
    "nikto",
    // Serbian, Croatian, Slovenian, Bulgarian
    "није",
    "нису",
    "нисам",
    "нема",
    "nije",
    "nisu",
    "nisam",
    "nema",
    "няма",
    // Greek, Turkish, Indonesian
    "δεν",
    "μη",
    "μην",
    "χωρίς",
    "değil",
    "yok",
    "hayır",
    "tidak",
    "bukan",
    "tanpa",
    "belum",
    "jangan",
    // Arabic, Hebrew, Persian
    "لا",
    "ليس",
    "لم",
    "لن",
    "غير",
    "بدون",
    "לא",
    "אין",
    "בלי",
    "نه",
    "نیست",
    "نیستند",
    "هیچ",
    // Hindi, Urdu, Bengali
    "नहीं",
    "मत",
    "न",
    "बिना",
    "نہیں",
    "না",
    "নেই",
    // Vietnamese, Korean
    "không",
    "chưa",
    "chẳng",
    "đừng",
    "안",
    "아니",
];

/// Parts of words that deny, of the scripts that write no spaces, and of Korean and English.
const DENYING_PARTS: [&str; 15] =
    ["不", "没", "沒", "未", "无", "無", "非", "勿", "ない", "ませ", "ไม่", "않", "못", "없", "n't"];

/// Number of words from which a difference is a passage.
const PASSAGE: usize = 8;

/// Greatest number of letters in which two spellings of a word differ.
const MOST_LETTERS: usize = 2;

/// The kind of a difference between the words of two texts. `begins_sentence`: the words begin a sentence in one of them.
pub(super) fn of(removed: &str, survivor: &str, begins_sentence: bool) -> Kind {
    let both = [removed, survivor];
    let any = |is: &dyn Fn(&str) -> bool| both.iter().any(|side| side.split_whitespace().any(is));
    let every = |is: &dyn Fn(&str) -> bool| both.iter().all(|side| side.split_whitespace().all(is));
    if both.iter().any(|side| side.split_whitespace().count() >= PASSAGE) {
        Kind::Passage
    } else if have_equal_words(both) || every(&|word| !word.contains(char::is_alphanumeric)) {
        Kind::Sign
    } else if any(&denies) {
        Kind::Negation
    } else if any(&|word| word.contains(char::is_numeric)) {
        Kind::Number
    } else if !begins_sentence && any(&|word| word.starts_with(char::is_uppercase)) {
        Kind::Name
    } else if is_spelling(removed, survivor) {
        Kind::Spelling
    } else {
        Kind::Word
    }
}

/// True if two texts have the same words but for the signs around each.
pub(super) fn have_equal_words(texts: [&str; 2]) -> bool {
    let [a, b] = texts
        .map(|text| text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase));
    a.eq(b)
}

fn denies(word: &str) -> bool {
    let plain = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase().replace('’', "'");
    NEGATIONS.contains(&plain.as_str()) || DENYING_PARTS.iter().any(|part| plain.contains(part))
}

/// True if the letters of both are the same but for a few.
fn is_spelling(removed: &str, survivor: &str) -> bool {
    let [a, b] = [removed, survivor]
        .map(|side| side.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>());
    let shorter = a.chars().count().min(b.chars().count());
    // Long runs differ in more than letters, and are slow to compare.
    (1..=100).contains(&shorter) && strsim::osa_distance(&a, &b) <= MOST_LETTERS.min(shorter / 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_words() {
        for (removed, survivor, expected) in [
            ("", "not", Kind::Negation),
            ("hat", "hat nicht", Kind::Negation),
            ("can't", "can", Kind::Negation),
            ("不同意", "同意", Kind::Negation),
            ("20", "30", Kind::Number),
            ("v1", "v2", Kind::Number),
            ("<", ">", Kind::Sign),
            ("accepted ✓", "accepted ✗", Kind::Sign),
            ("tide.", "tide?", Kind::Sign),
            ("not ✓", "not ✗", Kind::Sign),
            ("नहीं", "", Kind::Negation),
            ("chưa", "đã", Kind::Negation),
            ("Anna", "Berta", Kind::Name),
            ("colour", "color", Kind::Spelling),
            ("data base", "database", Kind::Spelling),
            ("granted", "refused", Kind::Word),
            ("define", "undef", Kind::Word),
            ("", "very", Kind::Word),
            ("", "it is not so in 20 of all the cases", Kind::Passage),
        ] {
            assert_eq!(of(removed, survivor, false), expected, "{removed} / {survivor}");
        }
        assert_eq!(of("The", "A", true), Kind::Word);
    }
}
