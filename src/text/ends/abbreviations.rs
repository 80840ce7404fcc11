//! Abbreviations behind whose full stop a sentence goes on, also before a capital.

/// Abbreviations, in order: in small letters if they may have a capital, with a capital if they are other words without.
#[rustfmt::skip]
const ABBREVIATIONS: [&str; 132] = [
    "Mass", "Wash", "adj", "adv", "al", "approx", "apr", "assn", "aug", "ave", "avg", "bbl",
    "blvd", "bros", "bzgl", "bzw", "ca", "calif", "capt", "cf", "ch", "chap", "cmdr", "co",
    "col", "comm", "corp", "dept", "dipl", "dist", "ecc", "ed", "eds", "ej", "env", "eq",
    "esp", "etc", "evtl", "exkl", "fam", "feat", "ff", "fig", "figs", "geb", "gebr", "gest",
    "ggf", "hon", "hrsg", "inc", "incl", "inkl", "jan", "jhdt", "kap", "lieut", "ltd", "maj",
    "max", "messrs", "mill", "min", "misc", "mlle", "mme", "mrd", "mt", "no", "nos", "nov",
    "nr", "núm", "oct", "op", "orig", "pag", "pl", "pp", "pres", "prof", "prop", "prov",
    "pt", "pág", "rel", "resp", "rev", "sec", "sect", "sen", "sept", "sgt", "sic", "sog",
    "sp", "spp", "sq", "sr", "st", "stat", "str", "suppl", "tab", "tel", "trans", "transl",
    "univ", "usw", "var", "verf", "vers", "vgl", "vol", "vols", "vs", "zit", "zool", "гг",
    "гл", "им", "млн", "млрд", "обл", "проф", "рис", "см", "ст", "стр", "тыс", "ул",
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
        || is_known_abbreviation(word)
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
