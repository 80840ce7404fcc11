//! The recipe of a set of options.

use crate::sketch::minhash::SEED;
use crate::sketch::rabin::POLYNOMIAL;
use crate::sketch::recipe::Recipe;
use crate::text::{Language, StopWords};

use super::Options;

/// The version of the stages. Every change that gives the same text another fingerprint raises it.
const VERSION: u32 = 1;

/// The crates that affect fingerprints; Cargo.toml pins their versions.
const LIBRARIES: &[(&str, &str)] = &[
    ("chardetng", "1.0.0"),
    ("dom_query", "0.29.0"),
    ("dom_smoothie", "0.19.0"),
    ("encoding_rs", "0.8.44"),
    ("frostem", "2.20261016.1"),
    ("html5ever", "0.40.1"),
    ("icu_casemap", "2.4.0"),
    ("icu_casemap_data", "2.4.0"),
    ("icu_collections", "2.4.0"),
    ("icu_locale_core", "2.4.0"),
    ("icu_normalizer", "2.4.0"),
    ("icu_normalizer_data", "2.4.0"),
    ("icu_properties", "2.4.0"),
    ("icu_properties_data", "2.4.0"),
    ("icu_provider", "2.4.0"),
    ("icu_segmenter", "2.4.0"),
    ("icu_segmenter_data", "2.4.0"),
    ("lopdf", "0.47.0"),
    ("quick-xml", "0.42.0"),
    ("rust-stemmers", "1.2.0"),
    ("stop-words", "0.10.1"),
    ("whatlang", "0.18.0"),
];

/// The recipe of a fingerprinter with these options.
pub(super) fn of(options: &Options) -> Recipe {
    let stop_words = match &options.text.stop_words {
        StopWords::None => "none".to_owned(),
        StopWords::Auto => {
            let lists = Language::all()
                .flat_map(|language| [language.code()].into_iter().chain(language.stop_words().iter().copied()));
            format!("auto:{}", digest(lists))
        }
        StopWords::List(list) => format!("list:{}", digest(list.entries())),
    };
    Recipe {
        version: VERSION,
        language: options.text.language.map_or("auto", Language::code).to_owned(),
        stop_words,
        stem: options.text.stem,
        simhash: options.has_terms(),
        shingles: options.shingles.name().to_owned(),
        min_ngram: options.ngrams.min(),
        max_ngram: options.ngrams.max(),
        polynomial: format!("{POLYNOMIAL:016x}"),
        sketches: options.sketches,
        sketch_seed: format!("{SEED:016x}"),
        libraries: LIBRARIES.iter().map(|(name, version)| ((*name).to_owned(), (*version).to_owned())).collect(),
    }
}

/// The first 64 bits of a hash of words, in hex.
fn digest<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let mut hasher = blake3::Hasher::new();
    for word in words {
        hasher.update(word.as_bytes());
        hasher.update(b"\n");
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::text::{NgramRange, StopList};

    #[test]
    fn versions_are_those_that_are_built() {
        let lock = include_str!("../../Cargo.lock");
        for (name, version) in LIBRARIES {
            let entry = format!("name = \"{name}\"\nversion = \"{version}\"\n");
            assert!(lock.contains(&entry), "{name} {version}");
        }
    }

    #[test]
    fn every_pinned_crate_is_named() {
        let manifest = include_str!("../../Cargo.toml");
        let pinned = manifest.lines().filter_map(|line| {
            let (name, value) = line.split_once(" = ")?;
            value.contains("\"=").then_some(name)
        });
        assert!(pinned.eq(LIBRARIES.iter().map(|(name, _)| *name)));
    }

    #[test]
    fn whatever_changes_a_fingerprint_changes_the_recipe() {
        let base = Options::default();
        let mut ids = vec![of(&base).id()];
        let mut changed = |change: fn(&mut Options)| {
            let mut options = base.clone();
            change(&mut options);
            ids.push(of(&options).id());
        };
        changed(|options| options.sketches = 26);
        changed(|options| options.ngrams = NgramRange::new(2, 3).unwrap());
        changed(|options| options.text.stem = false);
        changed(|options| options.text.language = Some(Language::UNDETERMINED));
        changed(|options| options.text.stop_words = StopWords::None);
        changed(|options| options.text.stop_words = StopWords::List(Arc::new(StopList::parse("a b"))));
        changed(|options| options.text.stop_words = StopWords::List(Arc::new(StopList::parse("a c"))));
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
        assert_eq!(of(&base), of(&base.clone()));
    }
}
