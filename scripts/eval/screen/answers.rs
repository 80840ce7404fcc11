//! Answers whose class is known: how well the shares separate the classes.
//!
//! A folder in the layout of Clough and Stevenson's corpus of plagiarised short answers: answers,
//! `orig_taskX.txt` for each task X, and `labels.csv` with the columns File, Task, Category.

use std::error::Error;
use std::path::Path;

use nearcopy::screen::{Kind, Share};

use super::screen;

const CLASSES: [&str; 4] = ["cut", "light", "heavy", "non"];

/// An answer: its task, its class, the share that the article of the task contains too, and the words of its passages of each
/// kind.
struct Answer {
    task: String,
    class: usize,
    share: Share,
    kinds: [usize; 3],
}

/// `words` as a share of `of`.
fn ratio(words: usize, of: usize) -> f64 {
    words as f64 / of.max(1) as f64
}

type Figure = fn(&Answer) -> f64;

/// The shares that `screen` reports, by name.
const SHARES: [(&str, Figure); 3] = [
    ("in passages", |answer| ratio(answer.share.covered, answer.share.counted)),
    ("matched", |answer| ratio(answer.share.matched, answer.share.counted)),
    ("verbatim", |answer| ratio(answer.share.verbatim, answer.share.counted)),
];

pub(crate) fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    let answers = read(folder)?;
    let names = SHARES.map(|(name, _)| name).join(" | ");
    println!("| class | answers | {names} |\n| --- | --- | --- | --- | --- |");
    for (class, name) in CLASSES.iter().enumerate() {
        let of: Vec<&Answer> = answers.iter().filter(|answer| answer.class == class).collect();
        let mean =
            |(_, value): (_, Figure)| of.iter().map(|answer| value(answer)).sum::<f64>() / of.len().max(1) as f64;
        let means = SHARES.map(mean).map(|mean| format!("{mean:.2}")).join(" | ");
        println!("| {name} | {} | {means} |", of.len());
    }
    println!("\n| class | copied | light | heavy |\n| --- | --- | --- | --- |");
    for (class, name) in CLASSES.iter().enumerate() {
        let mut most = [0; 3];
        for answer in answers.iter().filter(|answer| answer.class == class && answer.kinds != [0; 3]) {
            let greatest = answer.kinds.iter().max().unwrap_or(&0);
            most[answer.kinds.iter().position(|words| words == greatest).unwrap_or(0)] += 1;
        }
        println!("| {name} | {} | {} | {} |", most[0], most[1], most[2]);
    }
    let non = CLASSES.len() - 1;
    let all: Vec<&Answer> = answers.iter().collect();
    let told = all.iter().filter(|answer| (answer.share.covered > 0) == (answer.class != non)).count();
    println!("\nclassified as copied by any share above 0, right: {told} of {}", all.len());
    let mut tasks: Vec<&str> = answers.iter().map(|answer| answer.task.as_str()).collect();
    tasks.sort_unstable();
    tasks.dedup();
    let mut right = 0;
    for task in tasks {
        let (tested, known): (Vec<&Answer>, Vec<&Answer>) = all.iter().partition(|answer| answer.task == task);
        let limits = best(&known);
        let hits = tested.iter().filter(|answer| class(answer, limits) == answer.class).count();
        println!("task {task}: {hits} of {} by limits found on the others, {limits:?}", tested.len());
        right += hits;
    }
    println!("four classes: {right} of {}, {:.3}", all.len(), right as f64 / all.len().max(1) as f64);
    let limits = best(&all);
    let most = all.iter().filter(|answer| class(answer, limits) == answer.class).count();
    println!("by the limits that suit all tasks best, as all classes are known: {most} of {}", all.len());
    Ok(())
}

/// The class by three limits. A share of words in passages up to the first limit means not copied. Else the
/// share of these words that have a counterpart decides: cut from the second limit on, light from the third on,
/// heavy below.
fn class(answer: &Answer, [least, cut, light]: [f64; 3]) -> usize {
    let Share { counted, covered, matched, .. } = answer.share;
    match ratio(matched, covered) {
        _ if ratio(covered, counted) <= least => 3,
        kept if kept >= cut => 0,
        kept if kept >= light => 1,
        _ => 2,
    }
}

/// The limits that classify most answers correctly, in steps of two hundredths; the middle one of equally good
/// ones.
fn best(answers: &[&Answer]) -> [f64; 3] {
    let steps = || (0..=50).map(|step| f64::from(step) / 50.0);
    let mut found: (usize, Vec<[f64; 3]>) = (0, Vec::new());
    for least in steps().take(11) {
        for cut in steps() {
            for light in steps().take_while(|&light| light <= cut) {
                let limits = [least, cut, light];
                let right = answers.iter().filter(|answer| class(answer, limits) == answer.class).count();
                if right > found.0 {
                    found = (right, Vec::new());
                }
                if right == found.0 {
                    found.1.push(limits);
                }
            }
        }
    }
    found.1[found.1.len() / 2]
}

fn read(folder: &Path) -> Result<Vec<Answer>, Box<dyn Error>> {
    let mut labels = csv::Reader::from_path(folder.join("labels.csv"))?;
    let mut rows = Vec::new();
    for row in labels.records() {
        let row = row?;
        let class = CLASSES.iter().position(|class| *class == row[2].trim());
        if let Some(class) = class.filter(|_| !row[0].starts_with("orig")) {
            rows.push((row[0].to_owned(), row[1].to_owned(), class));
        }
    }
    let answers = rows.iter().map(|(file, ..)| folder.join(file)).collect();
    let mut tasks: Vec<&String> = rows.iter().map(|(_, task, _)| task).collect();
    tasks.sort_unstable();
    tasks.dedup();
    let screening = screen(answers, tasks.iter().map(|task| folder.join(format!("orig_task{task}.txt"))).collect())?;
    let of = |(file, task, class): &(String, String, usize)| {
        let text = screening.texts.iter().position(|text| text.id.ends_with(file.as_str()));
        let original = format!("orig_task{task}.txt");
        let is_own = |source: u32| screening.texts[source as usize].id.ends_with(&original);
        let found = screening.matches.iter().find(|it| Some(it.suspicious as usize) == text && is_own(it.source));
        let counted = text.map_or(0, |text| screening.texts[text].counted());
        let share = found.map_or(Share { counted, ..Share::default() }, |found| found.share);
        let mut kinds = [0; 3];
        for (found, passage) in
            found.iter().flat_map(|found| found.passages.iter().map(move |passage| (found, passage)))
        {
            let kind = [Kind::Copied, Kind::Light, Kind::Heavy]
                .iter()
                .position(|kind| *kind == screening.kind(found, passage));
            kinds[kind.unwrap_or(0)] += passage.a.len();
        }
        Answer { task: task.clone(), class: *class, share, kinds }
    };
    Ok(rows.iter().map(of).collect())
}
