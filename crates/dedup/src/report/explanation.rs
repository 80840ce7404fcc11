//! The path of one text through the pipeline, stage by stage.

use std::io::{self, Write};

use nearcopy::fingerprint::{Explanation, Minimum, Ngram, Word};
use nearcopy::sketch::recipe::Recipe;
use nearcopy::sketch::simhash;
use nearcopy::text::Token;
use nearcopy_corpus::{Document, Format};
use serde::{Serialize, Serializer};

use super::{LanguageJson, counted, hex, language, origin};

/// Number of words shown of a long list.
const SHOWN_WORDS: usize = 24;

/// Numbers of n-grams and rows of sums shown of a long list: from the front and from the back.
const SHOWN_ROWS: (usize, usize) = (6, 2);

/// Number of bits of the sum vector in one block of the table.
const COLUMNS: usize = 16;

/// Writes an explanation for a person; long parts are shortened unless `full`.
///
/// # Errors
///
/// Those of the writer.
pub fn write_text(out: &mut impl Write, document: &Document, explained: &Explanation, full: bool) -> io::Result<()> {
    let Explanation { words: as_written, tokens, ngrams, shingles, minima, .. } = explained;
    let terms = explained.terms();
    let parts = explained.parts_of_shingles();
    heading(
        out,
        1,
        "text",
        &format!("{}: {}, {} characters", super::shown(&document.id), origin(document), document.text.chars().count()),
    )?;
    heading(out, 2, "language", &language(&explained.detection))?;
    writeln!(out)?;

    writeln!(out, "What it says (Broder): words, shingles, sketch")?;
    heading(out, 3, "words", &format!("{} as written, in their normal form", as_written.len()))?;
    words(out, as_written.iter().map(|word| word.form.clone()), full)?;

    let of = explained.shingles_of.name();
    heading(out, 4, "shingles", &format!("{} of {of}, each with its Rabin fingerprint", counted_ngrams(shingles)))?;
    fingerprints(out, shingles, &parts, full)?;

    heading(out, 5, "sketch", &format!("{} minima, each with the first shingle that has it", minima.len()))?;
    for (i, Minimum { minimum, shingle }) in minima.iter().enumerate() {
        if !full && i >= 25 {
            gap(out, minima.len())?;
            break;
        }
        writeln!(
            out,
            "   {:>6}  {minimum:>10}  shingle {:<5} {}",
            i + 1,
            shingle + 1,
            parts[shingles[*shingle].of.clone()].join(" ")
        )?;
    }
    writeln!(out)?;

    writeln!(out, "What it is about (Charikar): terms, features, simhash")?;
    let stopped = tokens.iter().filter(|token| token.term.is_none());
    heading(out, 6, "stop words", &format!("{} of {} tokens removed", stopped.clone().count(), tokens.len()))?;
    words(out, stopped.map(|token| token.form.clone()), full)?;

    let stems = tokens.iter().filter_map(|token| {
        let term = token.term.as_ref()?;
        Some(if *term == token.form { term.clone() } else { format!("{}→{term}", token.form) })
    });
    heading(out, 7, "terms", &format!("{} tokens left; token→stem where they differ", terms.len()))?;
    words(out, stems, full)?;

    heading(out, 8, "features", &format!("{} of terms, each with its Rabin fingerprint", counted_ngrams(ngrams)))?;
    fingerprints(out, ngrams, &terms, full)?;

    heading(out, 9, "sums", "after each feature: +1 for a one bit, −1 for a zero bit")?;
    sums(out, ngrams, full)?;

    let simhash =
        explained.simhash.map_or("none: no terms".into(), |simhash| format!("{} = {simhash:064b}", hex(simhash)));
    heading(out, 10, "simhash", &simhash)
}

/// Writes n-grams with the bits of their fingerprints, bit 63 first.
fn fingerprints(out: &mut impl Write, ngrams: &[Ngram], parts: &[&str], full: bool) -> io::Result<()> {
    for i in shown(ngrams.len(), full) {
        match i {
            Some(i) => {
                let Ngram { of, fingerprint } = &ngrams[i];
                writeln!(out, "   {:>6}  {fingerprint:064b}  {}", i + 1, parts[of.clone()].join(" "))?;
            }
            None => gap(out, ngrams.len())?,
        }
    }
    Ok(())
}

fn heading(out: &mut impl Write, number: usize, name: &str, about: &str) -> io::Result<()> {
    let number = format!("{number}.");
    writeln!(out, "{number:<2} {:<width$} {about}", name, width = 14 - number.len())
}

/// `1 n-gram`, `24 n-grams`.
fn counted_ngrams(ngrams: &[Ngram]) -> String {
    counted(ngrams.len() as u64, "n-gram")
}

fn gap(out: &mut impl Write, of: usize) -> io::Result<()> {
    writeln!(out, "        …  (of {of}; --full shows all)")
}

fn words(out: &mut impl Write, words: impl Iterator<Item = String> + Clone, full: bool) -> io::Result<()> {
    let count = words.clone().count();
    let shown = if full { count } else { SHOWN_WORDS };
    let mut width = 0;
    for word in words.take(shown) {
        let length = word.chars().count() + 1;
        if width > 0 && width + length > 90 {
            writeln!(out)?;
            width = 0;
        }
        write!(out, "{}{word}", if width == 0 { "   " } else { " " })?;
        width += length;
    }
    match count {
        0 => Ok(()),
        _ if count > shown => writeln!(out, " … (of {count}; --full shows all)"),
        _ => writeln!(out),
    }
}

/// Indices of the list items that are shown; `None` stands for those left out.
fn shown(length: usize, full: bool) -> Vec<Option<usize>> {
    let (front, back) = SHOWN_ROWS;
    if full || length <= front + back + 1 {
        return (0..length).map(Some).collect();
    }
    (0..front).map(Some).chain([None]).chain((length - back..length).map(Some)).collect()
}

/// Writes the running sums as a table: one row per n-gram, one column per bit.
fn sums(out: &mut impl Write, ngrams: &[Ngram], full: bool) -> io::Result<()> {
    let rows = shown(ngrams.len(), full);
    let blocks = if full { 64 / COLUMNS } else { 1 };
    // A sum is at most the number of n-grams; a sign and a space come before it.
    let width = ngrams.len().to_string().len().max(3) + 2;
    for block in 0..blocks {
        let bits = block * COLUMNS..(block + 1) * COLUMNS;
        write!(out, "      bit")?;
        for bit in bits.clone() {
            write!(out, "{:>width$}", 63 - bit)?;
        }
        writeln!(out)?;
        let mut running = [0; 64];
        let mut rows = rows.iter().peekable();
        for (i, ngram) in ngrams.iter().enumerate() {
            simhash::add(&mut running, ngram.fingerprint);
            if rows.next_if_eq(&&Some(i)).is_some() {
                write!(out, "   {:>6}", i + 1)?;
                for sum in &running[bits.clone()] {
                    write!(out, "{sum:>+width$}")?;
                }
                writeln!(out)?;
            } else if rows.next_if_eq(&&None).is_some() {
                gap(out, ngrams.len())?;
            }
        }
        write!(out, "  simhash")?;
        for sum in &running[bits] {
            write!(out, "{:>width$}", u8::from(*sum > 0))?;
        }
        writeln!(out)?;
    }
    if !full {
        writeln!(out, "           the first {COLUMNS} of 64 bits; --full shows all")?;
    }
    Ok(())
}

/// Writes the whole explanation for a program, on one line.
///
/// # Errors
///
/// Those of the writer.
pub fn write_as_json(
    out: &mut impl Write,
    document: &Document,
    explained: &Explanation,
    recipe: &Recipe,
) -> io::Result<()> {
    #[derive(serde::Serialize)]
    struct Json<'a> {
        id: &'a str,
        encoding: &'a str,
        replaced: usize,
        format: Format,
        #[serde(flatten)]
        language: LanguageJson,
        words: Words<'a>,
        shingles: Shingles<'a>,
        tokens: Tokens<'a>,
        terms: &'a [&'a str],
        ngrams: Ngrams<'a>,
        #[serde(serialize_with = "numbers")]
        sums: [i64; 64],
        simhash: Option<String>,
        sketch: Vec<u32>,
        minima: &'a [Minimum],
        recipe_id: String,
        recipe: &'a Recipe,
    }

    let terms = explained.terms();
    let json = Json {
        id: &document.id,
        encoding: document.encoding,
        replaced: document.replaced,
        format: document.format,
        language: LanguageJson::new(&explained.detection, explained.detection.language),
        words: Words(&explained.words),
        shingles: Shingles { ngrams: &explained.shingles, parts: &explained.parts_of_shingles() },
        tokens: Tokens(&explained.tokens),
        ngrams: Ngrams { ngrams: &explained.ngrams, terms: &terms },
        terms: &terms,
        sums: explained.sums,
        simhash: explained.simhash.map(hex),
        sketch: explained.minima.iter().map(|minimum| minimum.minimum).collect(),
        minima: &explained.minima,
        recipe_id: hex(recipe.id()),
        recipe,
    };
    super::json::write(out, &json)?;
    writeln!(out)
}

/// Words as JSON, serialised one by one: a second copy of a long text's words would fill the memory.
struct Words<'a>(&'a [Word]);

impl Serialize for Words<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Json<'a> {
            offset_bytes: usize,
            length_bytes: usize,
            form: &'a str,
        }
        serializer.collect_seq(self.0.iter().map(|Word { span, form }| Json {
            offset_bytes: span.start,
            length_bytes: span.len(),
            form,
        }))
    }
}

/// Shingles as JSON, serialised one by one.
struct Shingles<'a> {
    ngrams: &'a [Ngram],
    parts: &'a [&'a str],
}

impl Serialize for Shingles<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Json<'a> {
            words: &'a [&'a str],
            fingerprint: String,
        }
        serializer.collect_seq(
            self.ngrams
                .iter()
                .map(|ngram| Json { words: &self.parts[ngram.of.clone()], fingerprint: hex(ngram.fingerprint) }),
        )
    }
}

/// Tokens as JSON, serialised one by one: a second copy of a long text's tokens would fill the memory.
struct Tokens<'a>(&'a [Token]);

impl Serialize for Tokens<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Json<'a> {
            offset_bytes: usize,
            length_bytes: usize,
            form: &'a str,
            stop_word: bool,
            term: Option<&'a str>,
        }
        serializer.collect_seq(self.0.iter().map(|token| Json {
            offset_bytes: token.span.start,
            length_bytes: token.span.len(),
            form: &token.form,
            stop_word: token.term.is_none(),
            term: token.term.as_deref(),
        }))
    }
}

/// n-grams as JSON with the sums after each, serialised one by one.
struct Ngrams<'a> {
    ngrams: &'a [Ngram],
    terms: &'a [&'a str],
}

impl Serialize for Ngrams<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Json<'a> {
            terms: &'a [&'a str],
            feature: String,
            bits: String,
            #[serde(serialize_with = "numbers")]
            running_sums: [i64; 64],
        }
        let mut running = [0; 64];
        serializer.collect_seq(self.ngrams.iter().map(|ngram| {
            simhash::add(&mut running, ngram.fingerprint);
            Json {
                terms: &self.terms[ngram.of.clone()],
                feature: hex(ngram.fingerprint),
                bits: format!("{:064b}", ngram.fingerprint),
                running_sums: running,
            }
        }))
    }
}

fn numbers<S: Serializer>(numbers: &[i64; 64], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(numbers)
}
