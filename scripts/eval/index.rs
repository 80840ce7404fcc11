//! An index of millions of made-up fingerprints: time, size and recall.
//!
//! ```text
//! eval-index build FOLDER DOCUMENTS     make a fingerprint file, and an index of it
//! eval-index query FOLDER               time of warm queries, and their recall
//! eval-index cold FOLDER NUMBER         one query in a process of its own, nothing in memory
//! eval-index add FOLDER                 additions to an index, one by one and by thousands
//! ```
//!
//! A document has 32 random shingles; one in eight shares some with an earlier one. `scripts/bench-index` runs
//! all parts and makes a table.

use std::error::Error;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nearcopy::fingerprint::Options;
use nearcopy::similarity::FingerprintView;
use nearcopy::similarity::{Overlap, Rule, Rules, ShingleSet};
use nearcopy::sketch::minhash::mix;
use nearcopy::sketch::scan;
use nearcopy::sketch::{minhash, simhash};
use nearcopy::store::file::format::{Counts, InputFile, Provenance, Sections};
use nearcopy::store::file::map::FingerprintFile;
use nearcopy::store::file::write::{Entry, Writer};
use nearcopy::store::index::query::Plan;
use nearcopy::store::index::{Editor, Part, Segments};
use nearcopy::texts::index::{Contents, RECALL, settings};

const SHINGLES: u64 = 32;
const SKETCHES: usize = 25;

/// One document in `COPIES` shares shingles with an earlier one.
const COPIES: u64 = 8;

/// Numbers of shingles that a copy shares with its original, of 32 each; the Jaccard coefficients are 1.0, .78,
/// .6, .52, .33.
const SHARED: [u64; 5] = [32, 28, 24, 22, 16];

/// A document's shingles: its own, or in part those of an earlier one.
fn shingles(document: u64) -> ShingleSet {
    let own = |document: u64, i: u64| mix(document * SHINGLES + i + 1);
    let (original, shared) = original(document);
    ShingleSet::new((0..SHINGLES).map(|i| if i < shared { own(original, i) } else { own(document, i) }).collect())
}

/// The original of a document and the number of shingles they share; the document itself and 0 if it is no
/// copy.
fn original(document: u64) -> (u64, u64) {
    if document % COPIES != COPIES - 1 {
        return (document, 0);
    }
    let earlier = mix(document) % document;
    // An original must not be a copy itself.
    let earlier = earlier - u64::from(earlier % COPIES == COPIES - 1);
    (earlier, SHARED[(mix(document ^ 1) % SHARED.len() as u64) as usize])
}

struct Made {
    simhash: u64,
    sketch: Vec<u32>,
    shingles: ShingleSet,
    words: Vec<u32>,
}

impl Made {
    fn new(document: u64) -> Self {
        let shingles = shingles(document);
        let mut sums = simhash::Accumulator::new();
        sums.extend(shingles.as_slice());
        let mut minima = minhash::Accumulator::new(SKETCHES);
        minima.extend(shingles.as_slice());
        let words = (0..SHINGLES + 2).map(|word| mix(document ^ word << 40) as u32).collect();
        Self { simhash: sums.simhash(), sketch: minima.sketch(), shingles, words }
    }

    fn print(&self, digest: [u8; 16]) -> FingerprintView<'_> {
        FingerprintView {
            simhash: Some(self.simhash),
            sketch: &self.sketch,
            digest,
            letters: 0,
            words: (&self.words).into(),
            shingles: self.shingles.as_slice().into(),
            ..FingerprintView::default()
        }
    }
}

/// A digest that differs for every document, even for those with the same shingles.
fn digest(document: u64) -> [u8; 16] {
    let half = mix(document ^ 0x5eed).to_le_bytes();
    let other = mix(document ^ 0xfeed).to_le_bytes();
    std::array::from_fn(|i| if i < 8 { half[i] } else { other[i - 8] })
}

/// Writes the fingerprints of documents to a file.
fn write(path: &Path, documents: std::ops::Range<u64>) -> nearcopy::Result<()> {
    let recipe = settings(&Options::default(), Contents::default())?.recipe;
    let mut writer = Writer::create(path, &recipe, Sections { shingles: true, ..Sections::default() })?;
    let file = writer.file(&InputFile { path: "made-up.jsonl", ..InputFile::default() })?;
    for document in documents {
        let Made { simhash, sketch, shingles, words } = Made::new(document);
        writer.push(&Entry {
            id: &format!("made-up-{document}"),
            simhash: Some(simhash),
            sketch: &sketch,
            digest: digest(document),
            letters: 0,
            language: "eng",
            counts: Counts {
                bytes: 250,
                tokens: words.len() as u64,
                terms: SHINGLES + 2,
                ngrams: SHINGLES,
                shingles: SHINGLES,
            },
            place: Provenance { file, record: document + 1 },
            key: None,
            shingles: shingles.as_slice(),
            words: &words,
            hashes: &[],
            text: "",
            author: None,
        })?;
    }
    writer.finish()
}

fn timed<T>(what: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let done = what();
    (start.elapsed().as_secs_f64(), done)
}

/// The memory of the process without mapped files, in MB.
fn own_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok())
        .map_or(f64::NAN, |kb| kb * 1024.0 / 1e6)
}

fn build(folder: &Path, documents: u64) -> Result<(), Box<dyn Error>> {
    let file = folder.join("made-up.fp");
    let (seconds, made) = timed(|| write(&file, 0..documents));
    made?;
    println!("fingerprint file of {documents} documents: {seconds:.1} s");
    let index = folder.join("index");
    let mut editor = Editor::create(&index, settings(&Options::default(), Contents::default())?)?;
    let file = FingerprintFile::open(&file)?;
    let (seconds, added) = timed(|| editor.change(&[Part { file: &file, takes: &|_| true, renamed: None }], &[], &()));
    added?;
    let bytes: u64 =
        editor.segments().segments().iter().flat_map(|segment| segment.file().sections()).map(|(_, n)| n).sum();
    println!("index of it: {seconds:.1} s, {:.0} documents/s", documents as f64 / seconds);
    println!("size: {bytes} bytes, {:.0} a document", bytes as f64 / documents as f64);
    for (name, length) in editor.segments().segments()[0].file().sections() {
        println!("   {name:<16} {:>8.1} bytes a document", length as f64 / documents as f64);
    }
    println!("memory without mapped files: {:.0} MB", own_memory());
    Ok(())
}

fn query(folder: &Path) -> Result<(), Box<dyn Error>> {
    let (seconds, index) = timed(|| Segments::open(&folder.join("index")));
    let index = index?;
    let all = index.len() as u64;
    println!("open: {:.2} ms", seconds * 1e3);
    let queries: Vec<(u64, Made)> = (0..20_000).map(|i| mix(i) % all).map(|i| (i, Made::new(i))).collect();
    let simhashes = index.segments()[0].file().simhashes();
    for (name, rules) in [
        ("Hamming, distance 3", Rules::of(Some(3), None)),
        ("Jaccard, .5", Rules::of(None, Some(0.5))),
        ("either", Rules::default()),
    ] {
        let plan = Plan::new(&index, rules, RECALL)?;
        let ask = || queries.iter().map(|(_, made)| index.near(&made.print([0; 16]), &plan).len()).sum::<usize>();
        ask();
        let times: Vec<f64> = (0..5).map(|_| timed(ask).0).collect();
        let best = times.iter().copied().fold(f64::INFINITY, f64::min);
        println!("query by {name}: {:.2} µs, {} found", best / queries.len() as f64 * 1e6, ask());
    }
    // All queries in one call, which joins them with the tables.
    let plan = Plan::new(&index, Rules::default(), RECALL)?;
    let prints: Vec<FingerprintView<'_>> = queries.iter().map(|(_, made)| made.print([0; 16])).collect();
    let best = (0..3).map(|_| timed(|| index.near_all(&prints, &plan)).0).fold(f64::INFINITY, f64::min);
    println!("query by either, {} at once: {:.2} µs each", prints.len(), best / prints.len() as f64 * 1e6);
    // The Hamming tables alone, in a loop of nothing else.
    let lookup = index.segments()[0].file().lookup().ok_or("no tables")?;
    let mut found = Vec::new();
    let ask = |found: &mut Vec<u32>| {
        found.clear();
        for (_, made) in &queries {
            lookup.within(simhashes, made.simhash, 3, found);
        }
    };
    ask(&mut found);
    let best = (0..5).map(|_| timed(|| ask(&mut found)).0).fold(f64::INFINITY, f64::min);
    println!("the Hamming tables alone: {:.2} µs", best / queries.len() as f64 * 1e6);
    println!("memory without mapped files: {:.0} MB", own_memory());
    recall(&index, &queries[..2000])
}

/// Recall of queries, against a scan of all simhashes and against the originals of copies.
fn recall(index: &Segments, queries: &[(u64, Made)]) -> Result<(), Box<dyn Error>> {
    let simhashes = index.segments()[0].file().simhashes();
    let plan = Plan::new(index, Rules::default(), RECALL)?;
    let (mut near, mut missed) = (0, 0);
    for (_, made) in &queries[..500] {
        let answer = index.near(&made.print([0; 16]), &plan);
        let by_hamming = answer.iter().filter(|found| found.rules.contains(Rule::Hamming));
        let by_hamming: std::collections::HashSet<u32> = by_hamming.map(|found| found.place.1).collect();
        scan::within(simhashes, made.simhash, 3, |place, _| {
            near += 1;
            missed += usize::from(!by_hamming.contains(&(place as u32)));
        });
    }
    println!("Hamming rule against a scan of all, 500 queries: {near} near, {missed} missed");
    for shared in SHARED {
        let jaccard = Overlap { a: SHINGLES as usize, b: SHINGLES as usize, shared: shared as usize }.jaccard();
        let copies = (0..index.len() as u64).filter(|&i| original(i) != (i, 0) && original(i).1 == shared).take(20_000);
        let (mut all, mut found) = (0, 0);
        for copy in copies {
            let (original, _) = original(copy);
            let answer = index.near(&Made::new(copy).print([0; 16]), &plan);
            all += 1;
            found += usize::from(answer.iter().any(|found| u64::from(found.place.1) == original));
        }
        println!(
            "Jaccard {:.3}: {found} of {all} originals found, {:.4}",
            jaccard.unwrap_or(0.0),
            f64::from(found as u32) / f64::from(all.max(1))
        );
    }
    Ok(())
}

/// Asks one query in a new process, with the index's pages dropped from memory.
fn cold(folder: &Path, number: u64) -> Result<(), Box<dyn Error>> {
    let index = folder.join("index");
    for entry in std::fs::read_dir(&index)? {
        let file = File::open(entry?.path())?;
        file.sync_all()?;
        rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed)?;
    }
    let (opened, index) = timed(|| Segments::open(&index));
    let index = index?;
    let made = Made::new(mix(number) % index.len() as u64);
    let plan = Plan::new(&index, Rules::default(), RECALL)?;
    let (asked, answer) = timed(|| index.near(&made.print([0; 16]), &plan));
    println!("{:.3} {:.3} {} {:.1}", opened * 1e3, asked * 1e3, answer.len(), own_memory());
    Ok(())
}

fn add(folder: &Path) -> Result<(), Box<dyn Error>> {
    let index = folder.join("small");
    let mut editor = Editor::create(&index, settings(&Options::default(), Contents::default())?)?;
    let mut next = 0;
    for (count, at_once) in [(200, 1), (100, 1000), (5, 100_000)] {
        let mut took = Duration::ZERO;
        for _ in 0..count {
            let path = folder.join("batch.fp");
            write(&path, next..next + at_once)?;
            next += at_once;
            let file = FingerprintFile::open(&path)?;
            let start = Instant::now();
            editor.change(&[Part { file: &file, takes: &|_| true, renamed: None }], &[], &())?;
            took += start.elapsed();
        }
        let seconds = took.as_secs_f64();
        let segments = editor.segments().segments().len();
        println!(
            "{count} additions of {at_once}: {:.1} ms each, {:.0} documents/s; {segments} segments",
            seconds / f64::from(count) * 1e3,
            f64::from(count) * at_once as f64 / seconds
        );
    }
    Ok(())
}

pub(crate) fn run(args: &[String]) -> Result<(), Box<dyn Error>> {
    let arguments: Vec<&str> = args.iter().map(String::as_str).collect();
    match arguments[..] {
        ["build", folder, documents] => build(&PathBuf::from(folder), documents.parse()?),
        ["query", folder] => query(Path::new(folder)),
        ["cold", folder, number] => cold(Path::new(folder), number.parse()?),
        ["add", folder] => add(Path::new(folder)),
        _ => Err("expected build FOLDER DOCUMENTS, query FOLDER, cold FOLDER NUMBER or add FOLDER".into()),
    }
}
