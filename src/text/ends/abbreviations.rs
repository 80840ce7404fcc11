//! Abbreviations behind whose full stop a sentence goes on, also before a capital.

/// Abbreviations in small letters, in order.
#[rustfmt::skip]
pub(super) const ABBREVIATIONS: [&str; 140] = [
    "adj", "adv", "al", "approx", "apr", "assn", "aug", "ave", "avg", "bbl", "blvd", "bros",
    "bzgl", "bzw", "ca", "calif", "capt", "cf", "ch", "chap", "cmdr", "co", "col", "comm",
    "corp", "dept", "dipl", "dir", "dist", "ecc", "ed", "eds", "ej", "env", "eq", "esp",
    "etc", "evtl", "exkl", "fam", "feat", "ff", "fig", "figs", "geb", "gebr", "gest", "ggf",
    "hon", "hrsg", "inc", "incl", "inkl", "jan", "jhdt", "kap", "lat", "lieut", "ltd", "maj",
    "mass", "max", "messrs", "mill", "min", "misc", "mlle", "mme", "mrd", "mt", "nat", "no",
    "nos", "nov", "nr", "núm", "oct", "ok", "op", "orig", "pag", "par", "pl", "pp",
    "pres", "prof", "prop", "prov", "pt", "pub", "pág", "rel", "resp", "rev", "sec", "sect",
    "sen", "sept", "sgt", "sic", "sing", "sog", "sp", "spp", "sq", "sr", "st", "stat",
    "str", "suppl", "tab", "tel", "temp", "trans", "transl", "univ", "usw", "var", "verf", "vers",
    "vgl", "vol", "vols", "vs", "wash", "zit", "zool", "гг", "гл", "им", "млн", "млрд",
    "обл", "проф", "рис", "см", "ст", "стр", "тыс", "ул",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_in_order() {
        assert!(ABBREVIATIONS.is_sorted());
    }
}
