//! The accuracy of extracting office documents, against the texts that they were made from.
//!
//! `eval-office TEXTS MADE` compares MADE/MAKER/LANGUAGE/NAME.FORMAT with TEXTS/LANGUAGE/NAME.txt, word by
//! word. Recall is the share of the text's words that were extracted, precision the share of extracted words
//! that are in the text, and order the Jaccard coefficient of runs of three words. `eval-office FILE` prints a
//! file's text.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use nearcopy::fingerprint::{Fingerprinter, Options};
use nearcopy::text::{self, Analyser, Language, StopWords};
use nearcopy_corpus::{self as corpus, Source};

/// Counts of words over documents of one format, maker and language.
#[derive(Default)]
struct Score {
    documents: usize,
    unread: usize,
    expected: usize,
    found: usize,
    shared: usize,
    order: f64,
}

pub(crate) fn run(args: &[String]) -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = args.iter().map(PathBuf::from).collect();
    match &arguments[..] {
        [file] => print!("{}", read(file)?),
        [texts, made] => measure(texts, made)?,
        _ => return Err("expected TEXTS MADE, or a FILE".into()),
    }
    Ok(())
}

fn read(path: &Path) -> nearcopy_corpus::Result<String> {
    let source = Source::open(path)?;
    Ok(corpus::document(
        &path.display().to_string(),
        &source,
        corpus::Options::default(),
        &corpus::Converter::default(),
    )?
    .text
    .into_owned())
}

fn measure(texts: &Path, made: &Path) -> Result<(), Box<dyn Error>> {
    let mut scores: BTreeMap<(String, String), BTreeMap<String, Score>> = BTreeMap::new();
    for maker in entries(made)? {
        for folder in entries(&maker)? {
            let code = name(&folder);
            let language: Language = code.parse()?;
            for file in entries(&folder)? {
                let format = file.extension().unwrap_or_default().to_string_lossy().into_owned();
                let text = texts.join(&code).join(file.with_extension("txt").file_name().unwrap_or_default());
                let score = scores.entry((format, name(&maker))).or_default().entry(code.clone()).or_default();
                score.add(&read(&text)?, &file, language)?;
            }
        }
    }
    println!("| format | made by | language | documents | recall | precision | order |");
    println!("| --- | --- | --- | --: | --: | --: | --: |");
    for ((format, maker), languages) in &scores {
        for (language, score) in languages {
            println!("| {format} | {maker} | {language} | {score} |");
        }
    }
    Ok(())
}

fn entries(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut entries =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
    entries.sort();
    Ok(entries)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

impl Score {
    fn add(&mut self, text: &str, file: &Path, language: Language) -> Result<(), Box<dyn Error>> {
        self.documents += 1;
        let expected = words(text, language);
        self.expected += expected.values().sum::<usize>();
        let read = match read(file) {
            Ok(read) => read,
            Err(error) => {
                eprintln!("{error}");
                self.unread += 1;
                return Ok(());
            }
        };
        let found = words(&read, language);
        self.found += found.values().sum::<usize>();
        self.shared +=
            found.iter().map(|(word, count)| expected.get(word).map_or(0, |other| *count.min(other))).sum::<usize>();
        let options = text::Options { language: Some(language), stop_words: StopWords::None, stem: false };
        let mut all = Options::default();
        all.text = options;
        let mut fingerprinter = Fingerprinter::new(all)?;
        let [a, b] = fingerprinter.analyse_pair(text, &read);
        self.order += nearcopy::fingerprint::compare(&a, &b)?.figures.jaccard.unwrap_or_default();
        Ok(())
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = |of: usize| self.shared as f64 / of.max(1) as f64;
        let order = self.order / self.documents as f64;
        write!(
            f,
            "{} | {:.3} | {:.3} | {order:.3}",
            self.documents - self.unread,
            share(self.expected),
            share(self.found)
        )
    }
}

/// The number of occurrences of each word of a text.
fn words(text: &str, language: Language) -> HashMap<String, usize> {
    let analyser =
        Analyser::new(language, &text::Options { language: Some(language), stop_words: StopWords::None, stem: false });
    let mut words = HashMap::new();
    for token in analyser.tokens(text) {
        *words.entry(token.form).or_default() += 1;
    }
    words
}
