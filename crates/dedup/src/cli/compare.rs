//! `dedup compare A B`, and the two-file form.

use std::error::Error;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Instant;

use nearcopy::ScreenOptions;
use nearcopy::fingerprint::{Fingerprinter, compare};
use nearcopy::screen::Match;
use nearcopy::similarity::{Equality, UNSURE_FORMAT, formats_agree};
use nearcopy_corpus::inputs::Selection;
use nearcopy_corpus::{self as corpus, Converter, Document, NewFile, Source, source};

use super::options::{Common, Output, RuleArgs};
use super::output::{talk, to_stdout};
use super::overview::{command_line, made};
use super::targets::{ForceArgs, OutputGuard, Target};
use super::{Ending, convert};
use crate::jobs::fingerprint::workers::{is_ambiguous, is_unsure};
use crate::report::changes::Marks;
use crate::report::comparison::{OuterTimes, Report, Verdict};
use crate::report::screening::Page;

/// Compare two texts
///
/// Reports both simhashes, their Hamming distance, the Jaccard coefficient of the
/// n-grams (exact, and as estimated by MinHash), how much of each text is contained
/// in the other, and which rule makes them near-duplicates: a Hamming distance of at
/// most --distance, a Jaccard coefficient of at least --similarity, or equal texts.
///
/// Both texts are analysed in one language. If their detected languages differ, it is the one that is known; if both
/// are known, it is none. Files must not be truncated while they are read.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup compare data/texts/eng/press-release.txt data/texts/eng/press-release.edited.txt
  dedup compare --similarity 0.8 data/texts/rus/bees.txt data/texts/rus/bees.edited.txt
  dedup compare --format json data/web/lighthouse-a.html data/web/lighthouse-b.html
  dedup compare --html tides.html data/texts/eng/tides.txt data/texts/eng/tides.edited.txt
  dedup compare --diff data/texts/eng/tides.txt data/texts/eng/tides.edited.txt
  cat data/texts/cat/tides.txt | dedup compare - data/texts/cat/tides.edited.txt

Exit status: 0 near-duplicates, 1 none, 2 something failed.")]
pub(super) struct Args {
    /// First text: a file, or `-` for standard input
    a: PathBuf,
    /// Second text: a file, or `-` for standard input
    b: PathBuf,
    #[command(flatten)]
    judging: RuleArgs,
    /// Show the words that differ, with some around them
    ///
    /// Text output marks them as `[-only in A-]` and `{+only in B+}`, or in colour on a terminal (unless `NO_COLOR`
    /// is set). JSON output gives their places in bytes. Each text may have up to 20,000 words.
    #[arg(long, help_heading = "Output")]
    diff: bool,
    /// Write both texts side by side as one HTML page that needs no network
    ///
    /// It is the page of `dedup screen --html`: passages of at least 20 words that both have, copied or rewritten, and
    /// how each word was kept.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    html: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Output")]
    forcing: ForceArgs,
    #[command(flatten)]
    common: Common,
}

/// Writes the page of two texts.
fn write_page(documents: [&Document<'_>; 2], (path, mut file): (&Path, NewFile)) -> Result<(), Box<dyn Error>> {
    let [a, b] = documents.map(|document| (document.id.clone(), document.text.clone().into_owned()));
    // The same file compared with itself is two texts.
    let b = if a.0 == b.0 { (format!("{} (2)", b.0), b.1) } else { b };
    let page = Page {
        title: format!("{} ↔ {}", a.0, b.0),
        made: made(),
        command_line: command_line(),
        ..Page::new(nearcopy::align::Options::default().min_words)
    };
    let mut screening = ScreenOptions::new().screening([vec![a, b], Vec::new()], &())?;
    for (text, document) in screening.texts.iter_mut().zip(documents) {
        text.pictured = document.pictured;
    }
    // The first file stands on the left.
    let in_order = |found: Match| if found.suspicious > found.source { found.turned() } else { found };
    screening.matches = screening.matches.into_iter().map(in_order).collect();
    let failed = |source| nearcopy::Error::Write { path: source::name(path), source };
    page.write(&screening, &mut file).map_err(failed)?;
    Ok(file.finish()?)
}

/// The format of a document as fingerprints have it.
fn format_of(document: &Document<'_>, converter: &Converter) -> u8 {
    let is_converted = converter.program(&document.id).is_some();
    if is_converted || is_unsure(document.format, document.pictured, document.replaced) {
        UNSURE_FORMAT
    } else {
        document.format.code()
    }
}

/// Colours on a terminal unless `NO_COLOR` is set, signs otherwise.
fn marks() -> Marks {
    let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if io::stdout().is_terminal() && !no_colour { Marks::Colours } else { Marks::Signs }
}

/// Compares two texts; `bare` selects the report and the verdict of the two-file form.
pub(super) fn run(args: &Args, bare: bool) -> Result<Ending, Box<dyn Error>> {
    if args.a == Path::new("-") && args.b == args.a {
        return Err(crate::Error::StandardInputTwice.into());
    }
    let guard = OutputGuard::of_inputs(&[args.a.clone(), args.b.clone()], &Selection::default()).force(&args.forcing);
    guard.check(&[(Target::Page, args.html.as_deref())])?;
    let begin = |path| NewFile::create(path, args.forcing.replace()).map(|file| (path, file));
    let page = args.html.as_deref().map(begin).transpose()?;
    let mut fingerprinter = Fingerprinter::new(args.common.making.options()?)?;
    let reading = args.common.reading.options()?;
    let start = Instant::now();
    let first = Source::open(&args.a)?;
    let second = Source::open(&args.b)?;
    let converter = args.common.reading.converting.converter()?;
    let read = |path, bytes| corpus::document(&source::name(path), bytes, reading, &converter);
    let (a, b) = (read(&args.a, &first)?, read(&args.b, &second)?);
    for line in convert::in_words(&converter) {
        talk(&line);
    }
    let read = start.elapsed();

    let mut analyses = fingerprinter.analyse_pair(&a.text, &b.text);
    let times = fingerprinter.times();
    let start = Instant::now();
    for (made, (document, bytes)) in analyses.iter_mut().zip([(&a, &first), (&b, &second)]) {
        if is_ambiguous(made, document.format, document.replaced) {
            made.set_identity(blake3::hash(bytes));
        }
    }
    let mut comparison = compare(&analyses[0], &analyses[1])?;
    if comparison.figures.equality == Equality::Text && *second == *first {
        comparison.figures.equality = Equality::Bytes;
    }
    let [of_a, of_b] = [&a, &b].map(|document| format_of(document, &converter));
    comparison.figures.other_format = !formats_agree(of_a, of_b);
    let outer = OuterTimes { read, compare: start.elapsed() };

    let report = Report {
        documents: [&a, &b],
        analyses: [&analyses[0], &analyses[1]],
        comparison: &comparison,
        rules: args.judging.rules(),
        recipe: fingerprinter.recipe(),
        diff: args.diff.then(marks),
    };
    let verdict = if bare { Verdict::Hamming } else { Verdict::Either };
    to_stdout(|mut out| match args.common.format {
        Output::Json => report.write_json(&mut out, verdict),
        Output::Text if bare => report.write_bare(&mut out, &times, &outer),
        Output::Text => report.write_text(&mut out),
    })?;
    if let Some(page) = page {
        write_page([&a, &b], page)?;
    }
    Ok(if report.is_near_duplicate(verdict) { Ending::Found } else { Ending::NotFound })
}
