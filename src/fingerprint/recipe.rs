//! The recipe of a set of options.

mod probe;

use super::Options;
use crate::sketch::minhash::SEED;
use crate::sketch::rabin::POLYNOMIAL;
use crate::sketch::recipe::Recipe;
use crate::text::{Language, StopWords};

/// The version of the stages. Every change that gives the same text another fingerprint raises it.
const VERSION: u32 = 4;

/// The recipe of a fingerprinter with these options.
pub(crate) fn of(options: &Options) -> Recipe {
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
        probe: probe::probe().to_owned(),
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
