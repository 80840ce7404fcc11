//! The language in which to read a text whose language is uncertain: the loss of reading each text on its own
//! against reading a pair in one language.
//!
//! The pages of each folder `LANG` in folders `GUIDE/LANG/*.html` are compared with each other. So are pieces
//! cut out of pages and of made-up texts, each with an edited copy. Prints Markdown tables.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use nearcopy::fingerprint::{Fingerprinter, Options};
use nearcopy::similarity::ShingleSet;
use nearcopy::text::{Detection, Language, detect};
use nearcopy_corpus::{self as corpus, Source};

use crate::texts::{LANGUAGES, Random, Writer, edit};

/// The least Jaccard coefficient of near-duplicates.
const SIMILAR: f64 = 0.5;

/// Lengths of the cut texts, in words.
const LENGTHS: [usize; 5] = [20, 50, 100, 200, 500];

/// The share of words replaced in the copy of a cut text.
const EDITED: f64 = 0.05;

/// The languages in which a text is read; with several, a pair is near if it is near in any.
type Policy = fn(&Page) -> Vec<Language>;

/// The policies to compare, by name; the first is that of `dedup`.
const POLICIES: [(&str, Policy); 14] = [
    ("likeliest if ≥ 50 letters (the default)", |page| vec![page.found.language]),
    ("reliable, else `und`", |page| page.likeliest_if(false)),
    ("`und` always", |_| vec![Language::UNDETERMINED]),
    ("likeliest always", |page| vec![page.found.likeliest]),
    ("likeliest if confidence ≥ .1", |page| page.likeliest_if(page.found.confidence >= 0.1)),
    ("likeliest if confidence ≥ .3", |page| page.likeliest_if(page.found.confidence >= 0.3)),
    ("likeliest if confidence ≥ .5", |page| page.likeliest_if(page.found.confidence >= 0.5)),
    ("likeliest if ≥ 100 letters", |page| page.likeliest_if(page.letters >= 100)),
    ("likeliest if ≥ 200 letters", |page| page.likeliest_if(page.letters >= 200)),
    ("likeliest if ≥ 400 letters", |page| page.likeliest_if(page.letters >= 400)),
    ("reliable in the whole text, else `und`", |page| {
        vec![if page.by_whole.reliable { page.by_whole.likeliest } else { Language::UNDETERMINED }]
    }),
    ("likeliest in the whole text", |page| vec![page.by_whole.likeliest]),
    ("likeliest, and `und` besides where not reliable", |page| {
        if page.found.reliable {
            vec![page.found.likeliest]
        } else {
            vec![page.found.likeliest, Language::UNDETERMINED]
        }
    }),
    ("its own and `und`, both always", |page| vec![page.found.language, Language::UNDETERMINED]),
];

/// A text read in several languages.
struct Page {
    id: String,
    text: String,
    found: Detection,
    by_whole: Detection,
    letters: usize,
    readings: HashMap<Language, ShingleSet>,
}

/// Fingerprinters, one a language.
#[derive(Default)]
struct Readers(HashMap<Language, Fingerprinter>);

impl Readers {
    fn read(&mut self, text: &str, language: Language) -> ShingleSet {
        let reader = self.0.entry(language).or_insert_with(|| {
            let mut options = Options::default();
            options.text.language = Some(language);
            Fingerprinter::new(options).expect("the default options are sound")
        });
        reader.analyse(text).shingles
    }
}

impl Page {
    fn new(id: String, text: String) -> Self {
        let found = detect::detect(&text);
        // No more bytes than the sample has, because the rest does not help detection.
        let front = &text[..text.floor_char_boundary(detect::WHOLE)];
        let letters = front.chars().filter(|c| c.is_alphabetic()).count();
        let by_whole = detect::of_whole(&text);
        Self { id, text, found, by_whole, letters, readings: HashMap::new() }
    }

    fn likeliest_if(&self, sure: bool) -> Vec<Language> {
        vec![if self.found.reliable || sure { self.found.likeliest } else { Language::UNDETERMINED }]
    }

    /// Every language that a policy may return.
    fn possible(&self) -> [Language; 4] {
        [self.found.likeliest, self.found.language, self.by_whole.likeliest, Language::UNDETERMINED]
    }

    /// Reads the text in each language that is not read yet.
    fn read(&mut self, languages: &[Language], readers: &mut Readers) {
        for &language in languages {
            self.readings.entry(language).or_insert_with(|| readers.read(&self.text, language));
        }
    }
}

/// The Jaccard coefficient of two texts, each read in its own of `languages`; 0 if one is empty.
fn jaccard(a: &Page, b: &Page, languages: [Language; 2]) -> f64 {
    let [x, y] = [&a.readings[&languages[0]], &b.readings[&languages[1]]];
    let [less, more] = [x.len().min(y.len()), x.len().max(y.len())];
    // Sets of very different sizes cannot be near.
    if (less as f64) < SIMILAR * more as f64 { 0.0 } else { x.compare(y).jaccard().unwrap_or(0.0) }
}

/// The language in which two texts are read to be compared with each other.
fn common(a: &Page, b: &Page) -> Language {
    let [x, y] = [a.found.language, b.found.language];
    match (x.is_determined(), y.is_determined()) {
        _ if x == y => x,
        (true, false) => x,
        (false, true) => y,
        _ => Language::UNDETERMINED,
    }
}

/// The policies by which a pair is near, and those by which its languages differ.
struct Verdict {
    /// True if the pair is near when read in one language.
    together: bool,
    near: [bool; POLICIES.len()],
    apart: [bool; POLICIES.len()],
}

fn judge(a: &Page, b: &Page) -> Verdict {
    let mut known: Vec<([Language; 2], bool)> = Vec::new();
    let mut near = |languages: [Language; 2]| {
        if let Some((_, near)) = known.iter().find(|(key, _)| *key == languages) {
            return *near;
        }
        let near = jaccard(a, b, languages) >= SIMILAR;
        known.push((languages, near));
        near
    };
    let mut verdict =
        Verdict { together: near([common(a, b); 2]), near: [false; POLICIES.len()], apart: [false; POLICIES.len()] };
    for (i, (_, policy)) in POLICIES.iter().enumerate() {
        let [x, y] = [a, b].map(policy);
        verdict.near[i] = x.iter().any(|&x| y.iter().any(|&y| near([x, y])));
        verdict.apart[i] = !x.iter().any(|x| y.contains(x));
    }
    verdict
}

/// Counts of pairs.
#[derive(Default, Clone)]
struct Counts {
    /// Pairs that are near when read in one language or by the first policy.
    near: usize,
    /// Those of `near` whose texts are byte-identical.
    identical: usize,
    missed: [usize; POLICIES.len()],
    apart: [usize; POLICIES.len()],
    /// Pairs that are near by a policy and not among `near`.
    others: [usize; POLICIES.len()],
}

impl Counts {
    fn note(&mut self, verdict: &Verdict, identical: bool) {
        let near = verdict.together || verdict.near[0];
        self.near += usize::from(near);
        self.identical += usize::from(near && identical);
        for i in 0..POLICIES.len() {
            self.missed[i] += usize::from(near && !verdict.near[i]);
            self.apart[i] += usize::from(near && verdict.apart[i]);
            self.others[i] += usize::from(!near && verdict.near[i]);
        }
    }
}

pub(crate) fn run(args: &[String]) -> Result<(), Box<dyn Error>> {
    let guides: Vec<PathBuf> = args.iter().map(PathBuf::from).collect();
    let mut readers = Readers::default();
    let mut folders: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for guide in &guides {
        for folder in listing(guide)?.into_iter().filter(|path| path.is_dir()) {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            folders.entry(name).or_default().push(folder);
        }
    }
    let mut found = Guides::default();
    println!(
        "| folder | pages | not reliable | pairs ≥ {SIMILAR} | identical | missed separately | languages differ |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for (name, folders) in &folders {
        found.compare(name, folders, &mut readers)?;
    }
    found.print();
    let texts = found.texts;
    if texts.is_empty() {
        return Err("no page LANG/*.html in the folders named".into());
    }
    let mut random = Random(7);
    cut_texts("pages", &mut readers, |words, i| {
        let text = &texts[i * 7919 % texts.len()];
        let spans = edit::words(text);
        let start = random.below(spans.len().checked_sub(words)? + 1);
        let cut = &text[spans[start].start..spans[start + words - 1].end];
        let other = |random: &mut Random| &text[spans[random.below(spans.len())].clone()];
        Some([cut.to_owned(), edit::replace_words(cut, EDITED, &mut random, other)])
    });
    let writers = LANGUAGES.map(Writer::new);
    let mut random = Random(8);
    cut_texts("made-up texts", &mut readers, |words, i| {
        let writer = &writers[i % writers.len()];
        let text = writer.text(words, &mut random).written();
        let edited = edit::replace_words(&text, EDITED, &mut random, |random| writer.word(random));
        Some([text, edited])
    });
    Ok(())
}

/// Pairs that are near in one language but missed when each text is read on its own.
#[derive(Default)]
struct Missed {
    pairs: usize,
    /// Confidences of the unreliable detections.
    confidences: Vec<f64>,
    example: String,
}

/// The results on the pages of all folders.
#[derive(Default)]
struct Guides {
    total: Counts,
    missed: BTreeMap<String, Missed>,
    /// Pages by folder and likeliest language: unreliable detections, reliable ones.
    detected: BTreeMap<String, [usize; 2]>,
    /// The texts of one guide, to cut pieces from.
    texts: Vec<String>,
}

impl Guides {
    /// Compares the pages of a language's folders, one a guide, and prints a row.
    fn compare(&mut self, name: &str, folders: &[PathBuf], readers: &mut Readers) -> Result<(), Box<dyn Error>> {
        let mut pages = pages(folders)?;
        let mut languages: Vec<Language> = pages.iter().flat_map(Page::possible).collect();
        languages.sort_by_key(|language| language.code());
        languages.dedup();
        for page in &mut pages {
            page.read(&languages, readers);
            let detected = format!("{} in `{name}`", page.found.likeliest.code());
            self.detected.entry(detected).or_default()[usize::from(page.found.reliable)] += 1;
        }
        let mut counts = Counts::default();
        for (i, a) in pages.iter().enumerate() {
            for b in &pages[i + 1..] {
                let verdict = judge(a, b);
                for counts in [&mut counts, &mut self.total] {
                    counts.note(&verdict, a.text == b.text);
                }
                if verdict.together && !verdict.near[0] {
                    self.miss(name, a, b);
                }
            }
        }
        println!(
            "| {name} | {} | {} | {} | {} | {} | {} |",
            pages.len(),
            pages.iter().filter(|page| !page.found.reliable).count(),
            counts.near,
            counts.identical,
            counts.missed[0],
            counts.apart[0]
        );
        let first = folders[0].to_string_lossy();
        self.texts.extend(pages.into_iter().filter(|page| page.id.starts_with(&*first)).map(|page| page.text));
        Ok(())
    }

    fn miss(&mut self, folder: &str, a: &Page, b: &Page) {
        let mut sides = [describe(&a.found), describe(&b.found)];
        sides.sort();
        let missed = self.missed.entry(format!("`{folder}`: {}", sides.join(" – "))).or_default();
        missed.pairs += 1;
        let unsure = [&a.found, &b.found].into_iter().filter(|found| !found.reliable);
        missed.confidences.extend(unsure.map(|found| found.confidence));
        missed.example = format!("{} – {}", short(&a.id), short(&b.id));
    }

    fn print(&self) {
        let Counts { near, identical, missed, apart, others } = &self.total;
        println!("\n{near} pairs are near when read in one language or separately, {identical} of them identical.\n");
        println!("| each text is read in | pairs missed | languages differ | additional pairs |");
        println!("| --- | --- | --- | --- |");
        for (i, (policy, _)) in POLICIES.iter().enumerate() {
            println!("| {policy} | {} | {} | {} |", missed[i], apart[i], others[i]);
        }
        println!("\n| missed separately | pairs | confidence where not reliable | a pair |");
        println!("| --- | --- | --- | --- |");
        let mut missed: Vec<_> = self.missed.iter().collect();
        missed.sort_by_key(|(_, missed)| Reverse(missed.pairs));
        for (what, Missed { pairs, confidences, example }) in missed {
            let least = confidences.iter().copied().fold(f64::NAN, f64::min);
            let most = confidences.iter().copied().fold(f64::NAN, f64::max);
            let range = if confidences.is_empty() { "–".to_owned() } else { format!("{least:.2} to {most:.2}") };
            println!("| {what} | {pairs} | {range} | {example} |");
        }
        println!("\n| pages by likeliest language | not reliable | reliable |");
        println!("| --- | --- | --- |");
        for (what, [not, reliable]) in self.detected.iter().filter(|(_, [not, _])| *not > 0) {
            println!("| {what} | {not} | {reliable} |");
        }
    }
}

/// Compares texts of each length with an edited copy of each.
fn cut_texts(of: &str, readers: &mut Readers, mut pair: impl FnMut(usize, usize) -> Option<[String; 2]>) {
    const TEXTS: usize = 4000;
    println!(
        "\nOf cut {of}, up to {TEXTS} of each length with a copy, {} % of its words replaced: pairs that are near when \
         read in one language and missed one by one / pairs whose languages differ.\n",
        100.0 * EDITED
    );
    let head: Vec<String> = LENGTHS.iter().map(|words| format!("{words} words")).collect();
    println!("| each text is read in | {} |", head.join(" | "));
    println!("| --- |{}", " --- |".repeat(LENGTHS.len()));
    let mut all = Vec::new();
    for words in LENGTHS {
        let mut counts = Counts::default();
        for [a, b] in (0..TEXTS).filter_map(|i| pair(words, i)) {
            let mut pages = [a, b].map(|text| Page::new(String::new(), text));
            let languages = [pages[0].possible(), pages[1].possible()];
            for page in &mut pages {
                page.read(languages.as_flattened(), readers);
            }
            let [a, b] = &pages;
            counts.note(&judge(a, b), false);
        }
        all.push(counts);
    }
    let near: Vec<String> = all.iter().map(|counts| counts.near.to_string()).collect();
    println!("| (pairs that are near) | {} |", near.join(" | "));
    for (i, (policy, _)) in POLICIES.iter().enumerate() {
        let cells: Vec<String> =
            all.iter().map(|counts| format!("{} / {}", counts.missed[i], counts.apart[i])).collect();
        println!("| {policy} | {} |", cells.join(" | "));
    }
}

fn describe(found: &Detection) -> String {
    let doubt = if found.reliable { "" } else { "?" };
    format!("{}{doubt}", found.likeliest.code())
}

/// The last three names of a path.
fn short(path: &str) -> String {
    let names: Vec<&str> = path.split('/').collect();
    names[names.len().saturating_sub(3)..].join("/")
}

fn pages(folders: &[PathBuf]) -> Result<Vec<Page>, Box<dyn Error>> {
    let mut pages = Vec::new();
    for folder in folders {
        for file in listing(folder)?.into_iter().filter(|path| path.extension().is_some_and(|end| end == "html")) {
            let id = file.to_string_lossy().into_owned();
            let source = Source::open(&file)?;
            let document = corpus::document(&id, &source, corpus::Options::default(), &corpus::Converter::default())?;
            let text = document.text.into_owned();
            pages.push(Page::new(id, text));
        }
    }
    Ok(pages)
}

fn listing(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
