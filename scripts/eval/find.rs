//! The pairs of `dedup find --pairs` with its defaults, compared with the truth of a labelled corpus and with
//! an exact comparison of all pairs.
//!
//! Each reported pair is verified by a second computation ([`plain`]).
//!
//! Cost: some .2 µs a pair for all pairs, on all processors; 10,000 documents take half a minute.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use nearcopy::fingerprint::{Fingerprint, Fingerprinter, Options};
use nearcopy::sketch::bands::Bands;
use nearcopy::sketch::simhash;
use nearcopy::text::Language;
use nearcopy_corpus::{self as corpus, Source};

mod plain;

use crate::labelled::{self, Documents};
use crate::sets::{Set, in_threads};
use plain::Plain;

/// The default rules of `dedup find`, and its default recall.
const SIMILAR: f64 = 0.5;
const DISTANCE: u32 = 3;
const RECALL: f64 = 0.995;

const USAGE: &str = "usage: eval find DEDUP labelled NAME DOCUMENTS TRUTH [OPTION of find...]
       eval find DEDUP guides FOLDER...      laid out as LANG/*.html";

pub(crate) fn run(args: &[String]) -> Result<(), Box<dyn Error>> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match &args[..] {
        [program, "labelled", name, documents, truth, options @ ..] => {
            let path = Path::new(documents);
            let mut texts = labelled::documents(path)?;
            let truth = labelled::truth(Path::new(truth), &texts)?;
            if path.is_dir() {
                for (id, _) in &mut texts {
                    *id = path.join(&*id).to_string_lossy().into_owned();
                }
            }
            let pairs = find(program, &[options, &[documents]].concat())?;
            compare(name, &texts, &pairs, Some(truth.into_keys().collect()))
        }
        [program, "guides", folders @ ..] if !folders.is_empty() => {
            let pairs = find(program, &[&["--glob", "*.html"], folders].concat())?;
            compare("installation guides", &pages(folders)?, &pairs, None)
        }
        _ => Err(USAGE.into()),
    }
}

/// A reported pair.
#[derive(serde::Deserialize)]
struct Reported {
    a: String,
    b: String,
    distance: Option<u32>,
    jaccard: Option<f64>,
}

/// Runs `dedup find --pairs`.
fn find(program: &str, options: &[&str]) -> Result<Vec<Reported>, Box<dyn Error>> {
    let start = Instant::now();
    let mut command = Command::new(program);
    command.args(["find", "--pairs", "--format", "jsonl", "--quiet"]).args(options).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| format!("{program}: {error}"))?;
    // 0: pairs found, 1: none.
    if !matches!(output.status.code(), Some(0 | 1)) {
        return Err(format!("{command:?} ended with {}", output.status).into());
    }
    eprintln!("dedup find took {:.2} s", start.elapsed().as_secs_f64());
    let lines = std::str::from_utf8(&output.stdout)?.lines();
    Ok(lines.map(serde_json::from_str).collect::<Result<_, _>>()?)
}

/// The pages of guides, with the ids and texts that `find` gives them.
fn pages(folders: &[&str]) -> Result<Documents, Box<dyn Error>> {
    let mut paths: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
    let mut texts = Vec::new();
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            paths.extend(fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?);
        } else if path.extension().is_some_and(|end| end == "html") {
            let id = path.to_string_lossy().into_owned();
            let text = corpus::document(
                &id,
                &Source::open(&path)?,
                corpus::Options::default(),
                &corpus::Converter::default(),
            )?
            .text
            .into_owned();
            texts.push((id, text));
        }
    }
    Ok(texts)
}

/// A distinct text and the documents that have it.
struct Text {
    fingerprint: Fingerprint,
    set: Set,
    /// The shingles when read as `und`.
    bare: Set,
    /// The shingles when read in the languages of other texts, if its own is undetermined.
    lent: HashMap<Language, Set>,
    /// The number of documents of each folder that are this text.
    copies: BTreeMap<String, u64>,
}

impl Text {
    fn documents(&self) -> u64 {
        self.copies.values().sum()
    }

    /// The number of pairs of a document of this text and one of another; only those within a folder if
    /// `of_folders`.
    fn pairs(&self, other: &Self, of_folders: bool) -> u64 {
        if of_folders {
            self.copies.iter().map(|(folder, count)| count * other.copies.get(folder).unwrap_or(&0)).sum()
        } else {
            self.documents() * other.documents()
        }
    }

    /// The number of pairs of documents of this text.
    fn identical(&self, of_folders: bool) -> u64 {
        let pairs = |count: u64| count * (count - 1) / 2;
        if of_folders { self.copies.values().map(|&count| pairs(count)).sum() } else { pairs(self.documents()) }
    }
}

/// A pair of texts that is near in some way.
struct Near {
    pair: [usize; 2],
    jaccard: f64,
    hamming: bool,
    /// The Jaccard coefficient with both texts read in one language.
    together: f64,
}

/// Pairs of documents that should be found, and those of them that were.
#[derive(Default)]
struct Recall {
    wanted: u64,
    found: u64,
}

impl Recall {
    fn note(&mut self, found: bool, pairs: u64) {
        self.wanted += pairs;
        self.found += if found { pairs } else { 0 };
    }

    /// Prints a row; `reported` is the number of reported pairs and the number of right ones among them.
    fn print(&self, what: &str, reported: Option<[u64; 2]>) {
        let share = |part: u64, of: u64| if of == 0 { f64::NAN } else { part as f64 / of as f64 };
        let recall = share(self.found, self.wanted);
        let cells = reported.map(|[all, right]| {
            let precision = share(right, all);
            [precision, 2.0 * precision * recall / (precision + recall)].map(short)
        });
        let [precision, f1] = cells.unwrap_or_else(|| [String::new(), String::new()]);
        println!(
            "| {what} | {} | {} | {} | {precision} | {} | {f1} |",
            self.wanted,
            self.found,
            self.wanted - self.found,
            short(recall)
        );
    }
}

/// A share with four digits, never rounded up to 1; `–` if there was nothing.
fn short(share: f64) -> String {
    if share.is_nan() { "–".to_owned() } else { format!("{:.4}", (share * 1e4).floor() / 1e4) }
}

fn compare(
    name: &str,
    documents: &Documents,
    reported: &[Reported],
    truth: Option<HashSet<[usize; 2]>>,
) -> Result<(), Box<dyn Error>> {
    let places: HashMap<&str, usize> = (0..).zip(documents).map(|(place, (id, _))| (&**id, place)).collect();
    let mut firsts: HashMap<&str, usize> = HashMap::new();
    let mut owners: Vec<usize> = Vec::new();
    let mut leaders: Vec<&str> = Vec::new();
    for (_, text) in documents {
        owners.push(*firsts.entry(text).or_insert_with(|| {
            leaders.push(text);
            leaders.len() - 1
        }));
    }
    let mut copies = vec![BTreeMap::new(); leaders.len()];
    for ((id, _), &owner) in documents.iter().zip(&owners) {
        let folder = Path::new(id).parent().and_then(Path::file_name).unwrap_or_default();
        *copies[owner].entry(folder.to_string_lossy().into_owned()).or_default() += 1;
    }
    let texts = read(&leaders, copies)?;

    let mut found = check(name, documents.len() - texts.len(), &Plain::read(&leaders), reported, |id| {
        let place = places.get(id).ok_or_else(|| format!("find reports '{id}', which is not among the documents"))?;
        Ok(owners[*place])
    })?;
    spread(&texts, &mut found);
    tables(&texts, &found, truth.map(|truth| truth.into_iter().map(|pair| pair.map(|place| owners[place])).collect()));
    Ok(())
}

/// Adds the pairs that `find` leaves out: of texts with equal shingles and simhashes it lists the pairs of the
/// first alone, and each of the others with the first.
fn spread(texts: &[Text], found: &mut HashSet<[usize; 2]>) {
    let mut alike: HashMap<(u64, &[u64]), Vec<usize>> = HashMap::new();
    for (place, text) in texts.iter().enumerate() {
        if let Some(simhash) = text.fingerprint.simhash {
            alike.entry((simhash, text.set.shingles.as_slice())).or_default().push(place);
        }
    }
    let mut same: HashMap<usize, Vec<usize>> = HashMap::new();
    for places in alike.into_values() {
        let of = |&first: &usize| {
            let is_found = |&other: &usize| other == first || found.contains(&[first.min(other), first.max(other)]);
            places.iter().copied().filter(is_found).collect::<Vec<_>>()
        };
        // The pairs of the first text in the order of `find`; of two texts either can be the first.
        let all = places.iter().map(of).max_by_key(Vec::len).unwrap_or_default();
        same.extend(all.iter().map(|&place| (place, all.clone())));
    }
    let all = |place: usize| same.get(&place).cloned().unwrap_or_else(|| vec![place]);
    let within = same.values().flat_map(|all| all.iter().flat_map(|&a| all.iter().map(move |&b| [a, b])));
    let between = found.iter().flat_map(|&[a, b]| {
        let others = all(b);
        all(a).into_iter().flat_map(move |a| others.clone().into_iter().map(move |b| [a, b]))
    });
    let spread: Vec<[usize; 2]> = within.chain(between).filter(|[a, b]| a != b).collect();
    found.extend(spread.into_iter().map(|[a, b]| [a.min(b), a.max(b)]));
}

/// Verifies the reported pairs; returns those of different texts.
fn check(
    name: &str,
    copies: usize,
    plain: &Plain,
    reported: &[Reported],
    text: impl Fn(&str) -> Result<usize, String>,
) -> Result<HashSet<[usize; 2]>, String> {
    let mut found: HashSet<[usize; 2]> = HashSet::new();
    let (mut of_copies, mut verified, mut agreeing) = (0, 0, 0);
    for pair in reported {
        let [a, b] = [text(&pair.a)?, text(&pair.b)?];
        let (jaccard, distance) = plain.figures(a, b);
        let near = jaccard.is_some_and(|jaccard| jaccard >= SIMILAR) || distance.is_some_and(|bits| bits <= DISTANCE);
        verified += u64::from(near || a == b);
        let equal = jaccard.zip(pair.jaccard).map_or(jaccard == pair.jaccard, |(x, y)| (x - y).abs() < 1e-9);
        agreeing += u64::from(equal && distance == pair.distance);
        if a == b {
            // A copy is paired with the first document of its text.
            of_copies += 1;
        } else {
            found.insert([a.min(b), a.max(b)]);
        }
    }
    println!(
        "\n**{name}**: {} pairs reported, {verified} of them verified, {agreeing} with the same figures; {of_copies} of \
         {copies} copies of a text reported.\n",
        reported.len()
    );
    Ok(found)
}

/// Prints the recall of the pairs that should be found; `truth` has an entry for each pair of documents.
fn tables(texts: &[Text], found: &HashSet<[usize; 2]>, truth: Option<Vec<[usize; 2]>>) {
    let documents: u64 = texts.iter().map(Text::documents).sum();
    println!("{documents} documents, {} different texts.\n", texts.len());
    println!("| pairs | wanted | found | missed | precision | recall | F1 |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    // Each pair of texts stands for the pairs of their copies.
    let identical = |of_folders: bool| texts.iter().map(|text| text.identical(of_folders)).sum::<u64>();
    let pairs = |[a, b]: [usize; 2], of_folders: bool| texts[a].pairs(&texts[b], of_folders);
    let all = identical(false) + found.iter().map(|&pair| pairs(pair, false)).sum::<u64>();
    let is_labelled = truth.is_some();
    if let Some(truth) = truth {
        let mut recall = Recall::default();
        for [a, b] in truth {
            recall.note(a == b || found.contains(&[a.min(b), a.max(b)]), 1);
        }
        recall.print("the truth", Some([all, recall.found]));
    }
    let near = near(texts);
    let of = |is_wanted: &dyn Fn(&Near) -> bool, identical: u64, of_folders: bool| {
        let mut recall = Recall { wanted: identical, found: identical };
        for near in near.iter().filter(|near| is_wanted(near)) {
            recall.note(found.contains(&near.pair), pairs(near.pair, of_folders));
        }
        recall
    };
    let similar = |near: &Near| near.jaccard >= SIMILAR;
    let similar_together = |near: &Near| near.together >= SIMILAR;
    let by_a_rule = of(&|near| similar(near) || near.hamming, identical(false), false);
    by_a_rule.print("near by a rule", Some([all, by_a_rule.found]));
    of(&similar, identical(false), false).print("Jaccard ≥ .5", None);
    of(&similar, 0, false).print("Jaccard ≥ .5, texts differ", None);
    of(&|near| near.hamming, 0, false).print("Hamming ≤ 3, texts differ", None);
    of(&similar_together, identical(false), false).print("Jaccard ≥ .5, both read in one language", None);
    of(&similar_together, 0, false).print("the same, texts differ", None);
    if !is_labelled {
        of(&similar_together, identical(true), true).print("the same, in one folder", None);
        of(&similar_together, 0, true).print("the same, in one folder, texts differ", None);
    }

    misses(texts, &near, found);
}

/// Prints the pairs of texts that were not found, and their number expected by the plan.
fn misses(texts: &[Text], near: &[Near], found: &HashSet<[usize; 2]>) {
    let bands = Bands::choose(Options::default().sketches, SIMILAR, RECALL);
    let similar: Vec<&Near> = near.iter().filter(|near| near.jaccard >= SIMILAR).collect();
    let expected: f64 = similar.iter().map(|near| 1.0 - bands.recall(near.jaccard)).sum();
    let missed: Vec<String> =
        similar.iter().filter(|near| !found.contains(&near.pair)).map(|near| format!("{:.3}", near.jaccard)).collect();
    println!(
        "\nOf {} pairs of texts with Jaccard ≥ .5 the plan expects to miss {expected:.2}; missed: {}{}.",
        similar.len(),
        missed.len(),
        if missed.is_empty() { String::new() } else { format!(", of Jaccard {}", missed.join(" ")) }
    );
    let mut apart: BTreeMap<[&str; 2], u64> = BTreeMap::new();
    for near in near.iter().filter(|near| near.together >= SIMILAR && !found.contains(&near.pair)) {
        let mut codes = near.pair.map(|place| texts[place].fingerprint.language.code());
        codes.sort_unstable();
        *apart.entry(codes).or_default() += texts[near.pair[0]].pairs(&texts[near.pair[1]], false);
    }
    if !apart.is_empty() {
        let mut apart: Vec<_> = apart.into_iter().collect();
        apart.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let apart: Vec<String> = apart.iter().map(|([a, b], count)| format!("{a} – {b} {count}")).collect();
        println!(
            "Pairs near in one language but missed, by the languages in which they were read: {}.",
            apart.join(", ")
        );
    }
}

/// Reads each text as `find` does, also as `und`, and, if its language is undetermined, in every language of
/// the others.
fn read(leaders: &[&str], copies: Vec<BTreeMap<String, u64>>) -> nearcopy::Result<Vec<Text>> {
    let named = |language| {
        let mut options = Options::default();
        options.text.language = Some(language);
        Fingerprinter::new(options)
    };
    let mut own = Fingerprinter::new(Options::default())?;
    let mut bare = named(Language::UNDETERMINED)?;
    let mut texts: Vec<Text> = Vec::new();
    for (text, copies) in leaders.iter().zip(copies) {
        let analysis = own.analyse(text);
        let bare = Set::new(bare.analyse(text).shingles);
        let set = Set::new(analysis.shingles);
        texts.push(Text { fingerprint: analysis.fingerprint, set, bare, lent: HashMap::new(), copies });
    }
    let languages: BTreeSet<&str> = texts.iter().map(|text| text.fingerprint.language.code()).collect();
    for code in languages {
        let language: Language = code.parse()?;
        let mut reader = named(language)?;
        for (text, content) in texts.iter_mut().zip(leaders) {
            if !text.fingerprint.language.is_determined() {
                text.lent.insert(language, Set::new(reader.analyse(content).shingles));
            }
        }
    }
    Ok(texts)
}

/// The Jaccard coefficient of two texts read in one language, or 0 if it is less than [`SIMILAR`].
fn together(a: &Text, b: &Text) -> f64 {
    let [x, y] = [a, b].map(|text| text.fingerprint.language);
    match (x.is_determined(), y.is_determined()) {
        _ if x == y => a.set.jaccard(&b.set, SIMILAR),
        (true, false) => a.set.jaccard(&b.lent[&x], SIMILAR),
        (false, true) => a.lent[&y].jaccard(&b.set, SIMILAR),
        _ => a.bare.jaccard(&b.bare, SIMILAR),
    }
}

/// All pairs that are near in some way.
fn near(texts: &[Text]) -> Vec<Near> {
    let parts = in_threads(|thread, threads| {
        let mut found = Vec::new();
        for (i, a) in texts.iter().enumerate().skip(thread).step_by(threads) {
            for (j, b) in texts.iter().enumerate().skip(i + 1) {
                let simhashes = a.fingerprint.simhash.zip(b.fingerprint.simhash);
                let hamming = simhashes.is_some_and(|(a, b)| simhash::distance(a, b) <= DISTANCE);
                let jaccard = a.set.jaccard(&b.set, SIMILAR);
                let together = together(a, b);
                if hamming || jaccard >= SIMILAR || together >= SIMILAR {
                    found.push(Near { pair: [i, j], jaccard, hamming, together });
                }
            }
        }
        found
    });
    parts.into_iter().flatten().collect()
}
