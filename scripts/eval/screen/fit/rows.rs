//! Labelled passages with their features.

use std::collections::{BTreeSet, HashSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nearcopy::align::{FEATURES, Options};
use nearcopy::screen::{Screening, Translation};
use nearcopy::text::Language;
use nearcopy::translate::Lexicon;

use super::super::measures::Case;
use super::super::{found, pan, screen_with};

/// A passage.
pub(super) struct Row {
    /// The kind of the pair, such as the way of rewriting.
    pub(super) kind: String,
    pub(super) language: &'static str,
    pub(super) pair: String,
    pub(super) is_copy: bool,
    pub(super) features: [f32; FEATURES],
}

impl Row {
    pub(super) fn kind(&self) -> &str {
        &self.kind
    }

    pub(super) fn language(&self) -> &str {
        self.language
    }
}

/// Number of words in one run that make a passage whatever its probability.
const RUN: usize = 20;

/// Passages of any probability.
const ALL: Options = Options { min_words: RUN, min_probability: 0.0, whole_texts: true, leads: false, threads: 1 };

/// Adds the passages of a screening, of equal words or translated, whose pairs have a kind. Returns the number of those pairs.
fn add(
    screening: &Screening,
    cases: &[Case],
    translated: bool,
    kind: impl Fn(&str, &str) -> Option<String>,
    rows: &mut Vec<Row>,
) {
    let all = screening.matches.iter().flat_map(|found| found.passages.iter().map(move |passage| (found, passage)));
    for ((found, passage), case) in all.zip(found(screening)) {
        let mut runs = passage.matched.chunk_by(|x, y| x.0 + 1 == y.0 && x.1 + 1 == y.1);
        let counts_anyway = !translated && runs.any(|run| run.len() >= RUN);
        if counts_anyway || passage.is_translated() != translated {
            continue;
        }
        let Some(kind) = kind(&case.suspicious, &case.source) else { continue };
        let within = |other: &Case| {
            let common = |x: &std::ops::Range<usize>, y: &std::ops::Range<usize>| {
                2 * x.end.min(y.end).saturating_sub(x.start.max(y.start)) >= x.len()
            };
            other.suspicious == case.suspicious
                && other.source == case.source
                && common(&case.here, &other.here)
                && common(&case.there, &other.there)
        };
        rows.push(Row {
            kind,
            language: screening.texts[found.suspicious as usize].language.code(),
            pair: format!("{} {}", case.suspicious, case.source),
            is_copy: cases.iter().any(within),
            features: passage.evidence.0,
        });
    }
}

/// The passages of labelled pairs.
pub(super) fn of_set(
    [suspicious, sources, truth, pairs]: [&Path; 4],
    rows: &mut Vec<Row>,
) -> Result<usize, Box<dyn Error>> {
    let pairs = fs::read_to_string(pairs)?;
    let pairs = pan::pairs(&pairs);
    let screening = screen_with(vec![suspicious.to_owned()], vec![sources.to_owned()], ALL, Translation::default())?;
    add(
        &screening,
        &pan::cases(truth)?,
        false,
        |suspicious, source| pairs.contains(&(suspicious, source)).then(|| kind_of(suspicious)),
        rows,
    );
    Ok(pairs.len())
}

/// The kind in a name such as `suspicious-x1-0001.txt` or `wiki_fr_base-001.txt`.
fn kind_of(name: &str) -> String {
    let name = name.strip_prefix("suspicious-").unwrap_or(name);
    name.split(|c: char| c == '-' || c.is_ascii_digit() && !name.starts_with('x')).next().unwrap_or(name).to_owned()
}

/// The passages of answers in the article of their question, and in other answers on it if neither copies.
pub(super) fn of_answers(folder: &Path, rows: &mut Vec<Row>) -> Result<usize, Box<dyn Error>> {
    let mut labels = csv::Reader::from_path(folder.join("labels.csv"))?;
    // File, task and class of each answer.
    let mut answers: Vec<[String; 3]> = Vec::new();
    for row in labels.records() {
        let row = row?;
        if !row[0].starts_with("orig") {
            answers.push([0, 1, 2].map(|column| row[column].trim().to_owned()));
        }
    }
    let of = |name: &str| answers.iter().find(|[file, ..]| file == name);
    let tasks: BTreeSet<&String> = answers.iter().map(|[_, task, _]| task).collect();
    let articles = tasks.iter().map(|task| folder.join(format!("orig_task{task}.txt"))).collect();
    let files = answers.iter().map(|[file, ..]| folder.join(file)).collect();
    let in_article = |suspicious: &str, source: &str| {
        let [_, task, class] = of(suspicious)?;
        (source == format!("orig_task{task}.txt")).then(|| format!("answers_{class}"))
    };
    let first = rows.len();
    add(&screen_with(files, articles, ALL, Translation::default())?, &[], false, in_article, rows);
    rows[first..].iter_mut().for_each(|row| row.is_copy = row.kind != "answers_non");
    let own = |[file, _, class]: &&[String; 3]| (class == "non").then(|| folder.join(file));
    let independent =
        |suspicious: &str, source: &str| (of(suspicious)?[1] == of(source)?[1]).then(|| "answers_non".to_owned());
    add(
        &screen_with(
            answers.iter().filter_map(|answer| own(&answer)).collect(),
            Vec::new(),
            ALL,
            Translation::default(),
        )?,
        &[],
        false,
        independent,
        rows,
    );
    let of_task = |task: &&String| {
        let own = answers.iter().filter(|[_, other, class]| other == *task && class == "non").count();
        own * own.saturating_sub(1) / 2
    };
    Ok(answers.len() + tasks.iter().map(of_task).sum::<usize>())
}

/// The passages that the halves of each source share.
pub(super) fn of_halves<'p>(
    folders: impl Iterator<Item = &'p Path>,
    rows: &mut Vec<Row>,
) -> Result<usize, Box<dyn Error>> {
    const SHORTEST: usize = 250;
    let (first, second) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let mut pairs = 0;
    let mut seen: HashSet<PathBuf> = HashSet::new();
    for folder in folders.filter(|folder| seen.insert(folder.to_path_buf())) {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let starts: Vec<usize> = text.match_indices(' ').map(|(at, _)| at).collect();
            if starts.len() < SHORTEST {
                continue;
            }
            let (half, name) = (starts[starts.len() / 2], path.file_name().unwrap_or_default());
            fs::write(first.path().join(name), &text[..half])?;
            fs::write(second.path().join(name), &text[half..])?;
            pairs += 1;
        }
    }
    let screening =
        screen_with(vec![first.path().to_owned()], vec![second.path().to_owned()], ALL, Translation::default())?;
    add(&screening, &[], false, |one, other| (one == other).then(|| "halves".to_owned()), rows);
    Ok(pairs)
}

/// The passages of a set of translated ones.
pub(super) fn of_translated(set: &Path, lexicons: &Path, rows: &mut Vec<Row>) -> Result<(), Box<dyn Error>> {
    let name = set.file_name().unwrap_or_default().to_string_lossy();
    let (kind, language) = name
        .split_once('-')
        .and_then(|(kind, rest)| Some((kind, rest.split_once('-')?.0)))
        .ok_or("the name of a set is KIND-LANGUAGE-WORDS-SEED")?;
    let lexicon = Lexicon::open(&lexicons.join(format!("{language}-en.lex")))?;
    let translation = Translation { lexicons: Arc::new(vec![lexicon]), in_any_languages: false };
    let all = Options { min_probability: 0.0, leads: false, threads: 1, ..Options::default() };
    let screening = screen_with(vec![set.join("essays")], vec![set.join("sources")], all, translation)?;
    let first = rows.len();
    let of_kind = |_: &str, _: &str| Some(kind.to_owned());
    add(&screening, &cases_of(&set.join("truth.json"))?, true, of_kind, rows);
    for row in &mut rows[first..] {
        row.language = language.parse::<Language>()?.code();
        row.pair = format!("{name} {}", row.pair);
    }
    Ok(())
}

/// The passages that were put into essays.
fn cases_of(truth: &Path) -> Result<Vec<Case>, Box<dyn Error>> {
    #[derive(serde::Deserialize)]
    struct Planted {
        essay: String,
        source: String,
        a: [usize; 2],
        b: [usize; 2],
    }
    let planted: Vec<Planted> = serde_json::from_str(&fs::read_to_string(truth)?)?;
    let case =
        |Planted { essay, source, a, b }| Case { suspicious: essay, source, here: a[0]..a[1], there: b[0]..b[1] };
    Ok(planted.into_iter().map(case).collect())
}
