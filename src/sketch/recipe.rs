//! The recipe: everything that decides a fingerprint, in words and numbers.
//!
//! Fingerprints are comparable only if they were made by the same recipe. It is kept as plain values, so that
//! it can be stored beside fingerprints, shown, and compared years later by a program whose options have
//! changed.

/// Everything that decides a fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Recipe {
    /// The version of the pipeline, raised by every change of `dedup` that gives the same text another
    /// fingerprint.
    pub version: u32,
    /// The ISO 639-3 code of the language of all texts, or `auto`.
    pub language: String,
    /// `none`, or the origin of the list and a digest of its words.
    pub stop_words: String,
    /// True if terms are stemmed.
    pub stem: bool,
    /// True if simhashes are made.
    pub simhash: bool,
    /// The units of a shingle: `words` or `terms`.
    pub shingles: String,
    /// The smallest n-gram, in words or terms.
    pub min_ngram: usize,
    /// The greatest n-gram, in words or terms.
    pub max_ngram: usize,
    /// The low 64 coefficients of the Rabin polynomial, in hex.
    pub polynomial: String,
    /// The number of MinHash sketches.
    pub sketches: usize,
    /// The seed of the sketches' coefficients, in hex.
    pub sketch_seed: String,
    /// A hash of how the crates that the program was built with read fixed texts, in hex.
    pub probe: String,
}

impl Recipe {
    /// A 64-bit identifier: equal for equal recipes, and different for different ones but for a chance of
    /// 2^-64.
    ///
    /// # Panics
    ///
    /// Never: a recipe is plain strings and numbers, which JSON can hold.
    pub fn id(&self) -> u64 {
        let text = serde_json::to_string(self).expect("plain strings and numbers");
        u64::from_be_bytes(*blake3::hash(text.as_bytes()).as_bytes().first_chunk().expect("32 bytes"))
    }

    /// The first difference between this recipe and another, with both values, this one's first:
    /// `sketches: 25 and 128`. `None` if the recipes are equal.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let [a, b] = [self, other].map(Self::in_words);
        let differs = |(a, b): &((&'static str, String), (_, String))| a.1 != b.1;
        let ((name, a), (_, b)) = a.into_iter().zip(b).find(differs)?;
        Some(format!("{name}: {a} and {b}"))
    }

    /// The name and value of everything; values that options set come first.
    fn in_words(&self) -> [(&'static str, String); 12] {
        [
            ("language", self.language.clone()),
            ("stop words", self.stop_words.clone()),
            ("stems", yes_or_no(self.stem)),
            ("simhashes", yes_or_no(self.simhash)),
            ("shingles", self.shingles.clone()),
            ("smallest n-gram", self.min_ngram.to_string()),
            ("greatest n-gram", self.max_ngram.to_string()),
            ("sketches", self.sketches.to_string()),
            ("version", self.version.to_string()),
            ("polynomial", self.polynomial.clone()),
            ("seed of the sketches", self.sketch_seed.clone()),
            ("probe of the crates that read texts", self.probe.clone()),
        ]
    }
}

fn yes_or_no(is: bool) -> String {
    if is { "yes" } else { "no" }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe() -> Recipe {
        Recipe {
            version: 1,
            language: "auto".into(),
            stop_words: "none".into(),
            stem: true,
            simhash: true,
            shingles: "words".into(),
            min_ngram: 3,
            max_ngram: 3,
            polynomial: "1b".into(),
            sketches: 25,
            sketch_seed: "7".into(),
            probe: "0c".into(),
        }
    }

    #[test]
    fn what_differs_is_named() {
        let differs = |change: fn(&mut Recipe)| {
            let mut other = recipe();
            change(&mut other);
            assert_eq!(recipe().id() == other.id(), recipe().difference(&other).is_none());
            recipe().difference(&other).unwrap_or_default()
        };
        assert_eq!(differs(|_| {}), "");
        assert_eq!(differs(|other| other.language = "eng".into()), "language: auto and eng");
        assert_eq!(differs(|other| other.stop_words = "auto:1".into()), "stop words: none and auto:1");
        assert_eq!(differs(|other| other.stem = false), "stems: yes and no");
        assert_eq!(differs(|other| other.simhash = false), "simhashes: yes and no");
        assert_eq!(differs(|other| other.shingles = "terms".into()), "shingles: words and terms");
        assert_eq!(differs(|other| other.min_ngram = 1), "smallest n-gram: 3 and 1");
        assert_eq!(differs(|other| other.max_ngram = 4), "greatest n-gram: 3 and 4");
        assert_eq!(differs(|other| other.sketches = 128), "sketches: 25 and 128");
        assert_eq!(differs(|other| other.version = 2), "version: 1 and 2");
        assert_eq!(differs(|other| other.polynomial = "2b".into()), "polynomial: 1b and 2b");
        assert_eq!(differs(|other| other.sketch_seed = "8".into()), "seed of the sketches: 7 and 8");
        let other = differs(|other| other.probe = "1c".into());
        assert_eq!(other, "probe of the crates that read texts: 0c and 1c");
    }
}
