//! Language, words, normal forms and stems, in bytes of input per second.

mod support;

use std::fs;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use nearcopy::text::chunks::chunks;
use nearcopy::text::normalise::Normaliser;
use nearcopy::text::tokenise::Tokeniser;
use nearcopy::text::{Analyser, Language, Options, detect};

use support::LANGUAGES;

fn main() {
    divan::main();
}

const SIZE: usize = 1 << 20;

fn language(code: &str) -> Language {
    code.parse().expect("a known language")
}

/// Measured per document, not per byte: the sample has the same size for any longer text.
#[divan::bench(args = LANGUAGES)]
fn detection_of_a_document(bencher: Bencher, code: &str) {
    let text = support::text(code, 1 << 16, 1);
    bencher.counter(divan::counter::ItemsCount::new(1usize)).bench(|| detect::detect(black_box(&text)));
}

/// The texts of a language in `data/texts`, each detected as a whole.
fn real_texts(code: &str) -> Vec<String> {
    let folder = format!("{}/../../data/texts/{code}", env!("CARGO_MANIFEST_DIR"));
    let files = fs::read_dir(folder).expect("data/texts has a folder of the language");
    files.map(|file| fs::read_to_string(file.expect("a file").path()).expect("a text")).collect()
}

fn detection<T>(bencher: Bencher, code: &str, detect: impl Fn(&str) -> T + Sync) {
    let texts = real_texts(code);
    let bytes: usize = texts.iter().map(String::len).sum();
    bencher.counter(divan::counter::ItemsCount::new(texts.len())).counter(BytesCount::new(bytes)).bench(|| {
        for text in &texts {
            black_box(detect(black_box(text)));
        }
    });
}

#[divan::bench(args = ["eng", "deu", "vie", "rus", "ara", "hin", "cmn"])]
fn detection_of_real_texts(bencher: Bencher, code: &str) {
    detection(bencher, code, detect::of_whole);
}

/// The plain twin, which the one above must agree with.
#[divan::bench(args = ["eng", "deu", "vie", "rus", "ara", "hin", "cmn"])]
fn detection_of_real_texts_by_whatlang(bencher: Bencher, code: &str) {
    detection(bencher, code, whatlang::detect);
}

#[divan::bench(args = LANGUAGES)]
fn chunking(bencher: Bencher, code: &str) {
    let text = support::text(code, SIZE, 1);
    bencher.counter(BytesCount::of_str(&text)).bench(|| chunks(black_box(&text)).count());
}

#[divan::bench(args = LANGUAGES)]
fn tokenising(bencher: Bencher, code: &str) {
    let text = support::text(code, SIZE, 1);
    let tokeniser = Tokeniser::default();
    bencher.counter(BytesCount::of_str(&text)).bench(|| {
        let mut count = 0;
        tokeniser.words(black_box(&text), |_| count += 1);
        count
    });
}

#[divan::bench(args = LANGUAGES)]
fn normalising(bencher: Bencher, code: &str) {
    let text = support::text(code, SIZE, 1);
    let words: Vec<&str> = text.split_whitespace().collect();
    let normaliser = Normaliser::new(language(code));
    let mut form = String::new();
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| {
        for word in &words {
            normaliser.normalise(black_box(word), &mut form);
        }
    });
}

/// Words, normal forms, stop words and stems, without a cache.
#[divan::bench(args = LANGUAGES)]
fn analysing_plainly(bencher: Bencher, code: &str) {
    let text = support::text(code, SIZE, 1);
    let analyser = Analyser::new(language(code), &Options::default());
    bencher.counter(BytesCount::of_str(&text)).bench(|| analyser.tokens(black_box(&text)).len());
}
