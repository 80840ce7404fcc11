//! Abbreviations behind whose full stop a sentence goes on, also before a capital.

/// Abbreviations with a vowel, in order: in small letters if they may have a capital, with a capital if they are other words
/// without.
#[rustfmt::skip]
const ABBREVIATIONS: [&str; 178] = [
    "Mass", "Wash", "abs", "abt", "adj", "adv", "al", "allg", "approx", "apr", "assn", "assoc",
    "asst", "atty", "aufl", "aug", "avda", "ave", "avg", "avv", "beil", "bes", "betr", "bibl",
    "bijv", "boul", "brig", "bros", "ca", "calif", "capt", "chap", "co", "col", "comm", "corp",
    "dept", "dipl", "dist", "dott", "dpto", "déc", "ecc", "ed", "eds", "einschl", "ej",
    "entspr", "env", "enz", "eq", "erg", "esp", "esq", "etc", "evtl", "excmo", "exkl", "fam",
    "feat", "fig", "figs", "févr", "geb", "gebr", "gest", "gez", "ggü", "godz", "gov", "govt",
    "hon", "hwy", "inc", "incl", "ing", "inkl", "insp", "inż", "itd", "itp", "jan", "janv",
    "juil", "kap", "lic", "lieut", "maj", "max", "messrs", "mevr", "mill", "min", "mio",
    "misc", "mlle", "mme", "nachf", "no", "nos", "nov", "núm", "núms", "oct", "op", "orig",
    "oz", "pag", "pagg", "poz", "pres", "prof", "prop", "prov", "pág", "págs", "rel", "resp",
    "rev", "rozp", "réf", "sec", "sect", "sen", "sept", "sic", "sig", "sigg", "sog", "spett",
    "stat", "suppl", "supt", "tab", "tel", "trad", "trans", "transl", "treas", "tél", "uds",
    "ul", "univ", "ust", "usw", "var", "verf", "vers", "viz", "vol", "vols", "vorm", "woj",
    "yd", "ziff", "zit", "zob", "zool", "éd", "ét", "акад", "гос", "доц", "зам", "изд", "им",
    "коп", "напр", "обл", "проф", "ред", "рис", "руб", "тел", "тов", "тыс", "ул", "чел",
];

/// Least length in letters of a word with a capital that is no abbreviation.
const LEAST_LETTERS: usize = 4;

/// True if a text ends with what counts as an abbreviation.
pub(super) fn is_abbreviated(before: &str) -> bool {
    // Abbreviations have at most six letters.
    if before.as_bytes().last_chunk::<7>().is_some_and(|last| last.iter().all(u8::is_ascii_alphabetic)) {
        return false;
    }
    let start = before.char_indices().rev().take(7).take_while(|(_, c)| c.is_alphanumeric()).last();
    let word = start.map_or("", |(start, _)| &before[start..]);
    let letters = word.chars().count();
    let is_short_name = letters < LEAST_LETTERS && word.starts_with(char::is_uppercase);
    letters < 2
        || word.starts_with(char::is_numeric)
        || word.ends_with(char::is_numeric)
        || is_short_name
        || word.chars().all(is_consonant)
        || word.chars().all(|c| "IVXLCDM".contains(c))
        || is_known_abbreviation(word)
}

/// True for a consonant of Latin or Cyrillic; a word of them alone is an abbreviation.
fn is_consonant(c: char) -> bool {
    let small = c.to_lowercase().next().unwrap_or(c);
    "bcdfghjklmnpqrstvwxzбвгджзклмнпрстфхцчшщ".contains(small)
}

/// True for an abbreviation behind which a name, a number or a capital may stand.
fn is_known_abbreviation(word: &str) -> bool {
    let is_listed = |word: &str| ABBREVIATIONS.binary_search(&word).is_ok();
    is_listed(word) || word.starts_with(char::is_uppercase) && is_listed(&word.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_in_order() {
        assert!(ABBREVIATIONS.is_sorted());
    }
}
