//! A comparison of two documents.

use std::io::{self, Write};
use std::time::Duration;

use nearcopy::fingerprint::{Analysis, Comparison, Times};
use nearcopy::similarity::{Equality, Figures, Rule, RuleSet, Rules};
use nearcopy::sketch::minhash;
use nearcopy::sketch::recipe::Recipe;
use nearcopy_corpus::Document;

use super::changes::{self, Marks};
use super::figures::{counted, grouped, percent, threshold, unread_parts};
use super::{LanguageJson, hex, language, origin, shown, write_json};

/// Two documents, their analyses and their comparison.
#[derive(Debug)]
pub struct Report<'a> {
    /// The two documents.
    pub documents: [&'a Document<'a>; 2],
    /// The analysis of each document.
    pub analyses: [&'a Analysis; 2],
    /// The comparison of the two.
    pub comparison: &'a Comparison,
    /// The thresholds.
    pub rules: Rules,
    /// The recipe of the fingerprints.
    pub recipe: &'a Recipe,
    /// The marks of words that differ; `None` if differences are not reported.
    pub diff: Option<Marks>,
}

/// The rules that decide a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Any rule that holds decides.
    Either,
    /// The Hamming distance decides, as in Charikar's document, or identity of the
    /// texts; the Jaccard rule is only shown beside it.
    Hamming,
}

/// Times of the steps outside the pipeline.
#[derive(Debug, Clone, Copy)]
pub struct OuterTimes {
    /// Reading and decoding both files.
    pub read: Duration,
    /// Comparing the two fingerprints and shingle sets.
    pub compare: Duration,
}

impl Report<'_> {
    /// The rules that hold.
    pub fn held(&self) -> RuleSet {
        self.rules.judge(&self.comparison.figures)
    }

    /// True if one says nothing else than the other, by the claim of that name.
    fn is_same(&self) -> bool {
        let Figures { equality, other_format, .. } = self.comparison.figures;
        equality == Equality::Bytes || equality >= Equality::Same && !other_format
    }

    /// True if what was read of one says nothing else than what was read of the other.
    fn reads_the_same(&self) -> bool {
        self.comparison.figures.equality >= Equality::Same
    }

    /// Why documents whose texts are the same may say different things.
    fn doubt(&self) -> &'static str {
        let [a, b] = self.documents;
        let is_any = |is: fn(&Document<'_>) -> bool| is(a) || is(b);
        if is_any(|document| document.pictured > 0) {
            "parts that may hold text were not compared"
        } else if a.format != b.format {
            "the files have different formats, and only their texts were compared"
        } else if is_any(|document| document.replaced > 0) {
            "some of their characters are unknown"
        } else {
            "another program read a file, perhaps not all of it"
        }
    }

    /// True if the documents are near-duplicates.
    pub fn is_near_duplicate(&self, verdict: Verdict) -> bool {
        !self.deciding(verdict).is_empty()
    }

    /// Writes the report for a person.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        for (name, document, analysis) in self.sides() {
            let fingerprint = &analysis.fingerprint;
            writeln!(out, "{name}  {}", shown(&document.id))?;
            writeln!(out, "   language      {}", language(&analysis.detection))?;
            writeln!(out, "   read as       {}", origin(document))?;
            writeln!(
                out,
                "   words         {}, {} ({} distinct)",
                grouped(fingerprint.tokens as u64),
                counted(fingerprint.shingles as u64, "shingle"),
                grouped(analysis.shingles.len() as u64)
            )?;
            let features = counted(fingerprint.ngrams as u64, "feature");
            writeln!(out, "   terms         {}, {features}", grouped(fingerprint.terms as u64))?;
            writeln!(out, "   simhash       {}", fingerprint.simhash.map_or("none: no terms".into(), hex))?;
        }
        writeln!(out)?;
        let figures = &self.comparison.figures;
        let overlap = self.comparison.overlap;
        self.write_figures(out)?;
        line(out, "containment", &percent(figures.containment_a), "of A's shingles are in B")?;
        line(out, "", &percent(figures.containment_b), "of B's shingles are in A")?;
        let union = overlap.a + overlap.b - overlap.shared;
        line(out, "shared shingles", &overlap.shared.to_string(), &format!("of {union} distinct ones"))?;
        writeln!(out)?;
        self.write_verdict(out, Verdict::Either)?;
        self.write_sameness(out)?;
        self.write_notes(out)?;
        self.write_changes(out)
    }

    /// Writes whether near-duplicates say the same, which the rules do not tell.
    fn write_sameness(&self, out: &mut impl Write) -> io::Result<()> {
        match self.comparison.figures.equality {
            _ if !self.is_near_duplicate(Verdict::Either) => Ok(()),
            Equality::None if self.diff.is_some() => writeln!(out, "not the same"),
            Equality::None => writeln!(out, "not the same; --diff shows in which words and signs they differ"),
            Equality::Same | Equality::Text if !self.is_same() => {
                writeln!(out, "not the same, though the words that were read are: {}", self.doubt())
            }
            Equality::Same => writeln!(out, "the same in words and in signs that carry meaning"),
            Equality::Text | Equality::Bytes => Ok(()),
        }
    }

    /// Writes the report of the two-file form.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_bare(&self, out: &mut impl Write, times: &Times, outer: &OuterTimes) -> io::Result<()> {
        let figures = &self.comparison.figures;
        for (name, document, analysis) in self.sides() {
            line(out, &format!("file {name}"), &shown(&document.id), "")?;
            line(out, "language", &language(&analysis.detection), "")?;
        }
        let (min, max) = (self.recipe.min_ngram, self.recipe.max_ngram);
        line(out, "n-grams", &format!("min {min}, max {max} words or terms"), "")?;
        writeln!(out)?;
        for (step, time) in [
            ("reading and decoding", outer.read),
            ("detecting languages", times.language),
            ("words, stop words and stems", times.words),
            ("n-grams and Rabin fingerprints", times.ngrams),
            ("simhashes", times.simhash),
            ("MinHash sketches", times.minhash),
            ("shingle sets", times.shingles),
            ("comparing", outer.compare),
        ] {
            writeln!(out, "time  {step:<31} {:>10.3} ms", 1e3 * time.as_secs_f64())?;
        }
        writeln!(out)?;
        self.write_figures(out)?;
        writeln!(out)?;
        self.write_verdict(out, Verdict::Hamming)?;
        if let (Some(d), Some(j), Some(max), Some(min)) =
            (figures.distance, figures.jaccard, self.rules.max_distance, self.rules.min_similarity)
            && (d <= max) != (j >= min)
        {
            let (is, sign) = if j >= min { ("near-duplicates", "≥") } else { ("not near-duplicates", "<") };
            writeln!(out, "The Jaccard rule disagrees: {is}, as {} {sign} {} %.", percent(Some(j)), threshold(min))?;
        }
        self.write_notes(out)?;
        self.write_changes(out)
    }

    fn write_changes(&self, out: &mut impl Write) -> io::Result<()> {
        let [a, b] = self.documents.map(|document| &*document.text);
        self.diff.map_or(Ok(()), |marks| changes::write(out, [a, b], self.reads_the_same(), marks))
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
            rules: RuleSet,
            near_duplicate: bool,
            same: bool,
            verdict: Verdict,
            shared_shingles: usize,
            max_distance: Option<u32>,
            min_similarity: Option<f64>,
            documents: [DocumentJson<'a>; 2],
            recipe_id: String,
            recipe: &'a Recipe,
            #[serde(skip_serializing_if = "Option::is_none")]
            differences: Option<serde_json::Value>,
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
            shingles: usize,
            distinct_shingles: usize,
            format: nearcopy_corpus::Format,
            encoding: &'a str,
            replaced: usize,
            unread_parts: usize,
        }
        let documents = self.sides().map(|(_, document, analysis)| DocumentJson {
            id: &document.id,
            simhash: analysis.fingerprint.simhash.map(hex),
            sketch: &analysis.fingerprint.sketch,
            language: LanguageJson::new(&analysis.detection, analysis.fingerprint.language),
            tokens: analysis.fingerprint.tokens,
            terms: analysis.fingerprint.terms,
            ngrams: analysis.fingerprint.ngrams,
            shingles: analysis.fingerprint.shingles,
            distinct_shingles: analysis.shingles.len(),
            format: document.format,
            encoding: document.encoding,
            replaced: document.replaced,
            unread_parts: document.pictured,
        });
        let json = Json {
            a: &self.documents[0].id,
            b: &self.documents[1].id,
            figures: &self.comparison.figures,
            rules: self.held(),
            near_duplicate: self.is_near_duplicate(verdict),
            same: self.is_same(),
            verdict,
            shared_shingles: self.comparison.overlap.shared,
            max_distance: self.rules.max_distance,
            min_similarity: self.rules.min_similarity,
            documents,
            recipe_id: hex(self.recipe.id()),
            recipe: self.recipe,
            differences: self.diff.map(|_| changes::json(&self.documents[0].text, &self.documents[1].text)),
        };
        write_json(out, &json)
    }

    fn sides(&self) -> [(char, &Document<'_>, &Analysis); 2] {
        let [a, b] = self.documents;
        let [x, y] = self.analyses;
        [('A', a, x), ('B', b, y)]
    }

    fn write_figures(&self, out: &mut impl Write) -> io::Result<()> {
        let figures = &self.comparison.figures;
        let distance = figures.distance.map_or("none".into(), |distance| format!("{distance} of 64 bits"));
        line(out, "Hamming distance", &distance, &self.distance_rule())?;
        line(out, "Jaccard, exact", &percent(figures.jaccard), &self.similarity_rule())?;
        line(out, "Jaccard, estimated", &percent(figures.jaccard_estimate), &self.estimate_error())
    }

    /// The rules that hold and count for this verdict.
    fn deciding(&self, verdict: Verdict) -> RuleSet {
        match verdict {
            Verdict::Either => self.held(),
            Verdict::Hamming => self.held().without(Rule::Jaccard),
        }
    }

    fn write_verdict(&self, out: &mut impl Write, verdict: Verdict) -> io::Result<()> {
        let names: Vec<&str> = self
            .deciding(verdict)
            .iter()
            .map(|rule| match rule {
                Rule::Hamming => "the Hamming rule",
                Rule::Jaccard => "the Jaccard rule",
                Rule::Text => "equal texts",
                Rule::Bytes => "equal files",
            })
            .collect();
        match (&names[..], verdict) {
            ([], Verdict::Either) => writeln!(out, "not near-duplicates by any rule"),
            ([], Verdict::Hamming) => writeln!(out, "not near-duplicates by the Hamming rule"),
            _ => writeln!(out, "near-duplicates by {}", names.join(", by ")),
        }
    }

    /// Writes notes on whatever makes the figures differ from what the reader may expect.
    fn write_notes(&self, out: &mut impl Write) -> io::Result<()> {
        for (_, document, analysis) in self.sides() {
            let (read, found) = (analysis.fingerprint.language, analysis.detection.language);
            if analysis.fingerprint.shingles == 0 {
                writeln!(out, "note: {} has no words; it matches only an identical text", shown(&document.id))?;
            } else if read != found {
                let none = if read.is_determined() { "" } else { ", without stop words and stems" };
                writeln!(
                    out,
                    "note: {} was read as {read}{none}, so that both texts are read alike; --language overrides this",
                    shown(&document.id)
                )?;
            }
            if document.pictured > 0 {
                let parts = unread_parts(document.pictured);
                writeln!(out, "note: {}: {parts} may hold text, which was not compared", shown(&document.id))?;
            }
            if document.replaced > 0 {
                let (count, encoding) = (malformed(document.replaced), document.encoding);
                writeln!(
                    out,
                    "note: {}: {count} replaced; if it is not {encoding}, name its encoding with --encoding",
                    shown(&document.id)
                )?;
            }
        }
        Ok(())
    }

    fn distance_rule(&self) -> String {
        self.rules.max_distance.map_or("rule: off".into(), |max| format!("rule: at most {max}"))
    }

    fn similarity_rule(&self) -> String {
        self.rules.min_similarity.map_or("rule: off".into(), |min| format!("rule: at least {} %", threshold(min)))
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

fn malformed(count: usize) -> String {
    if count == 1 {
        "1 malformed sequence of bytes was".into()
    } else {
        format!("{count} malformed sequences of bytes were")
    }
}
