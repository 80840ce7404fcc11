//! Text to fingerprint on one core, in bytes of input per second.

mod support;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use nearcopy::fingerprint::{Fingerprinter, Options, compare};
use nearcopy_corpus::{self as corpus, Document};

use support::LANGUAGES;

fn main() {
    divan::main();
}

const SIZE: usize = 4 << 20;

/// Documents of about 5 KB in one language, and their total size in bytes.
fn documents(code: &str) -> (usize, Vec<String>) {
    let text = support::text(code, SIZE, 1);
    let lines: Vec<&str> = text.lines().collect();
    let documents = lines.chunk_by(|a, b| (a.as_ptr() as usize) / 5000 == (b.as_ptr() as usize) / 5000);
    (text.len(), documents.map(|lines| lines.join("\n")).collect())
}

fn options(language: Option<&str>) -> Options {
    let mut options = Options::default();
    options.text.language = language.map(|code| code.parse().expect("a known language"));
    options
}

fn fingerprints(bencher: Bencher, code: &str, language: Option<&str>) {
    let (bytes, documents) = documents(code);
    let mut fingerprinter = Fingerprinter::new(options(language)).expect("sound options");
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        for document in &documents {
            black_box(fingerprinter.fingerprint(document));
        }
    });
}

#[divan::bench(args = LANGUAGES)]
fn language_given(bencher: Bencher, code: &str) {
    fingerprints(bencher, code, Some(code));
}

#[divan::bench(args = LANGUAGES)]
fn language_detected(bencher: Bencher, code: &str) {
    fingerprints(bencher, code, None);
}

/// The first text of a fingerprinter, with empty caches: every word is new.
#[divan::bench(args = LANGUAGES)]
fn nothing_remembered(bencher: Bencher, code: &str) {
    let text = support::text(code, 100_000, 1);
    bencher
        .counter(BytesCount::of_str(&text))
        .with_inputs(|| Fingerprinter::new(options(Some(code))).expect("sound options"))
        .bench_local_values(|mut fingerprinter| fingerprinter.fingerprint(black_box(&text)));
}

#[divan::bench]
fn web_pages(bencher: Bencher) {
    let pages: Vec<String> = (0..40).map(|seed| support::page(20 << 10, seed)).collect();
    let mut fingerprinter = Fingerprinter::new(options(Some("eng"))).expect("sound options");
    bencher.counter(BytesCount::new(pages.iter().map(String::len).sum::<usize>())).bench_local(|| {
        for page in &pages {
            let document = Document::new("page", page.as_bytes(), corpus::Options::default()).expect("a page");
            black_box(fingerprinter.fingerprint(&document.text));
        }
    });
}

#[divan::bench]
fn comparing_two_texts_of_10_kb(bencher: Bencher) {
    let mut fingerprinter = Fingerprinter::new(options(Some("eng"))).expect("sound options");
    let analyses = [1, 2].map(|seed| fingerprinter.analyse(&support::text("eng", 10_000, seed)));
    bencher.bench(|| compare(black_box(&analyses[0]), black_box(&analyses[1])).expect("one recipe"));
}
