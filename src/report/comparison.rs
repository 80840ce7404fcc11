//! A comparison of two documents.

use std::io::{self, Write};
use std::time::Duration;

use crate::corpus::Document;
use crate::pipeline::{Analysis, Comparison, Times};
use crate::similarity::{Figures, Rule, Rules};
use crate::sketch::minhash;
use crate::sketch::recipe::Recipe;

use super::{LanguageJson, hex, language, write_json};

/// All that is known about two documents and their likeness.
#[derive(Debug)]
pub struct Report<'a> {
    /// The two documents.
    pub documents: [&'a Document<'a>; 2],
    /// What was found in each.
    pub analyses: [&'a Analysis; 2],
    /// How alike they are.
    pub comparison: &'a Comparison,
    /// The thresholds.
    pub rules: Rules,
    /// How the fingerprints were made.
    pub recipe: &'a Recipe,
}

/// Which rule a comparison is decided by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Any rule is enough.
    Either,
    /// The Hamming distance alone decides, as Charikar's document has it; the
    /// Jaccard rule is only held against it.
    Hamming,
}

/// The time of the steps outside the pipeline.
#[derive(Debug, Clone, Copy)]
pub struct OuterTimes {
    /// Reading and decoding both files.
    pub read: Duration,
    /// Comparing the two fingerprints and feature sets.
    pub compare: Duration,
}

impl Report<'_> {
    /// The rules that hold.
    pub fn held(&self) -> Vec<Rule> {
        self.rules.judge(&self.comparison.figures, self.comparison.identical)
    }

    /// Whether the documents are near-duplicates.
    pub fn is_near_duplicate(&self, verdict: Verdict) -> bool {
        self.held().iter().any(|rule| verdict == Verdict::Either || *rule != Rule::Jaccard)
    }

    /// Writes the report for a person.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        for (name, document, analysis) in self.sides() {
            let fingerprint = &analysis.fingerprint;
            writeln!(out, "{name}  {}", document.id)?;
            writeln!(out, "   language      {}", language(&analysis.detection))?;
            writeln!(out, "   read as       {}", origin(document))?;
            writeln!(
                out,
                "   counts        {} tokens, {} terms, {} n-grams ({} distinct)",
                fingerprint.tokens,
                fingerprint.terms,
                fingerprint.ngrams,
                analysis.features.len()
            )?;
            writeln!(out, "   simhash       {}", fingerprint.simhash.map_or("none: no terms".into(), hex))?;
        }
        writeln!(out)?;
        let figures = &self.comparison.figures;
        let overlap = self.comparison.overlap;
        line(out, "Hamming distance", &distance(figures), &self.distance_rule())?;
        line(out, "Jaccard, exact", &percent(figures.jaccard), &self.similarity_rule())?;
        line(out, "Jaccard, estimated", &percent(figures.jaccard_estimate), &self.estimate_error())?;
        line(out, "containment", &percent(figures.containment_a), "of A's n-grams are in B")?;
        line(out, "", &percent(figures.containment_b), "of B's n-grams are in A")?;
        let union = overlap.a + overlap.b - overlap.shared;
        line(out, "shared n-grams", &overlap.shared.to_string(), &format!("of {union} distinct ones"))?;
        writeln!(out)?;
        self.write_verdict(out, Verdict::Either)?;
        self.write_notes(out)
    }

    /// Writes the report of the two-file form.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_bare(&self, out: &mut impl Write, times: &Times, outer: &OuterTimes) -> io::Result<()> {
        let figures = &self.comparison.figures;
        for (name, document, analysis) in self.sides() {
            line(out, &format!("file {name}"), &document.id, "")?;
            line(out, "language", &language(&analysis.detection), "")?;
        }
        let (min, max) = (self.recipe.min_ngram, self.recipe.max_ngram);
        line(out, "n-grams", &format!("min {min}, max {max} terms"), "")?;
        writeln!(out)?;
        for (step, time) in [
            ("reading and decoding", outer.read),
            ("detecting languages", times.language),
            ("words, stop words and stems", times.words),
            ("n-grams and Rabin fingerprints", times.ngrams),
            ("simhashes", times.simhash),
            ("MinHash sketches", times.minhash),
            ("feature sets", times.features),
            ("comparing", outer.compare),
        ] {
            writeln!(out, "time  {step:<31} {:>10.3} ms", 1e3 * time.as_secs_f64())?;
        }
        writeln!(out)?;
        line(out, "Hamming distance", &distance(figures), &self.distance_rule())?;
        line(out, "Jaccard, exact", &percent(figures.jaccard), &self.similarity_rule())?;
        line(out, "Jaccard, estimated", &percent(figures.jaccard_estimate), &self.estimate_error())?;
        writeln!(out)?;
        self.write_verdict(out, Verdict::Hamming)?;
        if let (Some(d), Some(j), Some(max), Some(min)) =
            (figures.distance, figures.jaccard, self.rules.max_distance, self.rules.min_similarity)
            && (d <= max) != (j >= min)
        {
            let (is, sign) = if j >= min { ("near-duplicates", "≥") } else { ("not near-duplicates", "<") };
            writeln!(out, "The Jaccard rule disagrees: {is}, as {} {sign} {}.", percent(Some(j)), percent(Some(min)))?;
        }
        self.write_notes(out)
    }

    /// Writes the report for a program.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_json(&self, out: &mut impl Write, verdict: Verdict) -> io::Result<()> {
        #[derive(serde::Serialize)]
        struct Json<'a> {
            a: &'a str,
            b: &'a str,
            #[serde(flatten)]
            figures: &'a Figures,
            rules: Vec<Rule>,
            near_duplicate: bool,
            shared_ngrams: usize,
            max_distance: Option<u32>,
            min_similarity: Option<f64>,
            documents: [DocumentJson<'a>; 2],
            recipe_id: String,
            recipe: &'a Recipe,
        }
        #[derive(serde::Serialize)]
        struct DocumentJson<'a> {
            id: &'a str,
            simhash: Option<String>,
            sketch: &'a [u32],
            #[serde(flatten)]
            language: LanguageJson,
            tokens: usize,
            terms: usize,
            ngrams: usize,
            distinct_ngrams: usize,
            format: crate::corpus::Format,
            encoding: &'a str,
            replaced: usize,
        }
        let documents = self.sides().map(|(_, document, analysis)| DocumentJson {
            id: &document.id,
            simhash: analysis.fingerprint.simhash.map(hex),
            sketch: &analysis.fingerprint.sketch,
            language: (&analysis.detection).into(),
            tokens: analysis.fingerprint.tokens,
            terms: analysis.fingerprint.terms,
            ngrams: analysis.fingerprint.ngrams,
            distinct_ngrams: analysis.features.len(),
            format: document.format,
            encoding: document.encoding,
            replaced: document.replaced,
        });
        let json = Json {
            a: &self.documents[0].id,
            b: &self.documents[1].id,
            figures: &self.comparison.figures,
            rules: self.held(),
            near_duplicate: self.is_near_duplicate(verdict),
            shared_ngrams: self.comparison.overlap.shared,
            max_distance: self.rules.max_distance,
            min_similarity: self.rules.min_similarity,
            documents,
            recipe_id: hex(self.recipe.id()),
            recipe: self.recipe,
        };
        write_json(out, &json)
    }

    fn sides(&self) -> [(char, &Document<'_>, &Analysis); 2] {
        let [a, b] = self.documents;
        let [x, y] = self.analyses;
        [('A', a, x), ('B', b, y)]
    }

    fn write_verdict(&self, out: &mut impl Write, verdict: Verdict) -> io::Result<()> {
        let held: Vec<&str> = self
            .held()
            .into_iter()
            .filter(|rule| verdict == Verdict::Either || *rule != Rule::Jaccard)
            .map(|rule| match rule {
                Rule::Hamming => "the Hamming rule",
                Rule::Jaccard => "the Jaccard rule",
                Rule::Identical => "identical texts",
            })
            .collect();
        let bold = "\u{1b}[1m";
        let plain = "\u{1b}[0m";
        if held.is_empty() {
            let asked = if verdict == Verdict::Hamming { "by the Hamming rule" } else { "by any rule" };
            writeln!(out, "{bold}not near-duplicates{plain} {asked}")
        } else {
            writeln!(out, "{bold}near-duplicates{plain} by {}", held.join(" and "))
        }
    }

    /// What may make the figures other than the reader expects.
    fn write_notes(&self, out: &mut impl Write) -> io::Result<()> {
        let [a, b] = self.analyses;
        if a.fingerprint.language != b.fingerprint.language {
            writeln!(
                out,
                "note: the texts were read as different languages, so that equal words may have different stems; --language names one for both"
            )?;
        }
        for (_, document, analysis) in self.sides() {
            if analysis.fingerprint.simhash.is_none() {
                writeln!(out, "note: {} has no terms; it is like no other text", document.id)?;
            }
            if document.replaced > 0 {
                writeln!(
                    out,
                    "note: {}: {} replaced; --encoding names another encoding than {}",
                    document.id,
                    malformed(document.replaced),
                    document.encoding
                )?;
            }
        }
        Ok(())
    }

    fn distance_rule(&self) -> String {
        self.rules.max_distance.map_or("not asked".into(), |max| format!("rule: at most {max}"))
    }

    fn similarity_rule(&self) -> String {
        self.rules.min_similarity.map_or("not asked".into(), |min| format!("rule: at least {}", percent(Some(min))))
    }

    fn estimate_error(&self) -> String {
        let sketches = self.recipe.sketches;
        let error = self.comparison.figures.jaccard.map_or(String::new(), |jaccard| {
            format!(", standard error {}", percent(Some(minhash::standard_error(jaccard, sketches))))
        });
        format!("{sketches} MinHash sketches{error}")
    }
}

fn line(out: &mut impl Write, name: &str, value: &str, remark: &str) -> io::Result<()> {
    let line = if remark.is_empty() { value.to_owned() } else { format!("{value:<14} ({remark})") };
    writeln!(out, "{name:<20} {line}")
}

fn distance(figures: &Figures) -> String {
    figures.distance.map_or("none".into(), |distance| format!("{distance} of 64 bits"))
}

fn percent(share: Option<f64>) -> String {
    share.map_or("none".into(), |share| format!("{:.2} %", 100.0 * share))
}

fn malformed(count: usize) -> String {
    if count == 1 {
        "1 malformed sequence of bytes was".into()
    } else {
        format!("{count} malformed sequences of bytes were")
    }
}

/// `UTF-8 text` or `windows-1252 web page, its main content`.
pub(super) fn origin(document: &Document) -> String {
    let kind = match document.format {
        crate::corpus::Format::Text => "text",
        crate::corpus::Format::Html => "web page, its main content",
    };
    format!("{} {kind}", document.encoding)
}
