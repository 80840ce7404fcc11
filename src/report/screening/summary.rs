//! The summary of a screening, in a line or two.

use crate::pipeline::screen::{Job, Screening, Text};
use crate::report::figures::{counted, grouped};
use crate::screen::Words;

/// Numbers of documents compared, passages found, words left out and problems skipped, in words.
pub fn in_words(screening: &Screening, job: &Job) -> Vec<String> {
    let Screening { texts, suspicious, sources, matches, own, authorless, skipped, in_part } = screening;
    let count = |count: usize, noun| counted(count as u64, noun);
    let passages = matches.iter().map(|found| found.passages.len()).sum();
    let found = match passages {
        0 => "no passages".into(),
        _ => format!("{} in {} of documents", count(passages, "passage"), count(matches.len(), "pair")),
    };
    let with = if job.sources.is_empty() { "each other".into() } else { count(*sources, "source") };
    let mut lines = vec![format!("compared {} with {with}: {found}", count(*suspicious, "document"))];
    let documents = &texts[..*suspicious];
    if documents.is_empty() {
        lines.push("there are no documents: check the names, and --glob and --type".into());
    }
    let words: usize = documents.iter().map(|text| text.words.len()).sum();
    let left = words - documents.iter().map(Text::counted).sum::<usize>();
    let reasons = reasons(job);
    if !reasons.is_empty() {
        lines.push(format!("left out {} of {} ({})", grouped(left as u64), count(words, "word"), reasons.join(", ")));
    }
    if *own > 0 {
        let stand = if *own == 1 { "stands" } else { "stand" };
        lines.push(format!(
            "{} {stand} among the sources too, and no document was compared with itself",
            count(*own, "document")
        ));
    }
    if *authorless > 0 {
        lines.push(format!(
            "{} of archives without an author, perhaps by the author of a suspicious document: save archives with \
             --authors or --author-field",
            count(*authorless, "document")
        ));
    }
    if *in_part > 0 {
        let were = if *in_part == 1 { "was" } else { "were" };
        lines.push(format!(
            "{} {were} compared in part, the first {} words of each: nothing is known of the rest",
            counted(*in_part, "document"),
            grouped(Words::MOST as u64)
        ));
    }
    if *skipped > 0 {
        let were = if *skipped == 1 { "was" } else { "were" };
        lines.push(format!("{} {were} skipped: the texts concerned were not compared", counted(*skipped, "problem")));
    }
    lines
}

/// The kinds of text left out, in words.
fn reasons(job: &Job) -> Vec<String> {
    let (asked, templates) = (&job.exclude, job.templates.len());
    let mut reasons = Vec::new();
    if templates > 0 {
        reasons.push(format!("text from {}", counted(templates as u64, "template")));
    }
    if asked.quotations {
        reasons.push("quotations".into());
    }
    if asked.bibliography {
        reasons.push("bibliographies".into());
    }
    if let Some(share) = asked.common {
        reasons.push(format!("phrases found in more than {} % of documents", share * 100.0));
    }
    reasons
}
