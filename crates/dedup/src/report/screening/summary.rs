//! The summary of a screening: a line or two, and the documents with the greatest shares.

use std::io::{self, Write};

use nearcopy::align::Words;
use nearcopy::screen::{Screening, Text};

use super::{ScreenedDocument, SharedText, hidden_in_words};
use crate::jobs::screen::Job;
use crate::report::figures::{counted, grouped, percent};
use crate::report::lexicon;
use crate::report::shown;

/// Maximum number of documents in the summary beside a page, so that it fits a terminal of 24 lines.
const MOST: usize = 12;

/// Maximum number of common texts in the summary.
const SHOWN: usize = 3;

/// Maximum number of documents with hidden text that the summary names.
const TOLD: usize = 5;

/// Writes the documents with the greatest shares, a line each with its main source.
///
/// # Errors
///
/// Those of the writer.
pub fn write_greatest(screening: &Screening, out: &mut dyn Write) -> io::Result<()> {
    let documents = ScreenedDocument::all(screening);
    let found: Vec<_> = documents.iter().filter(|document| document.has_sources()).collect();
    for document in found.iter().take(MOST) {
        let share = percent(Some(document.share.share));
        let most = document.sources.first().map_or_else(String::new, |source| {
            format!("  ({} in {})", percent(Some(source.share.share)), shown(source.id))
        });
        writeln!(out, "{share:>8}  {}{most}", shown(document.id))?;
    }
    let more = found.len().saturating_sub(MOST);
    if more > 0 {
        let documents = if more == 1 { "document" } else { "documents" };
        writeln!(out, "          and {} more {documents} with passages", grouped(more as u64))?;
    }
    Ok(())
}

/// Numbers of documents compared, passages found, words left out and problems skipped, in words.
pub fn in_words(screening: &Screening, job: &Job) -> Vec<String> {
    let Screening { texts, suspicious, own, authorless, skipped, in_part, .. } = screening;
    let count = |count: usize, noun| counted(count as u64, noun);
    let mut lines = vec![compared(screening, job)];
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
    lines.extend(job.settings.translation.lexicons.iter().map(lexicon::in_words));
    let common = SharedText::all(screening);
    lines.extend(common.iter().take(SHOWN).map(SharedText::in_words));
    if common.len() > SHOWN {
        lines.push(format!("{} more stand in many documents: --list common", count(common.len() - SHOWN, "text")));
    }
    if !common.is_empty() && !job.settings.exclude.common {
        let remedy = "--no-common leaves out text that many documents share, --ignore FILE one text";
        lines.push(remedy.into());
    }
    let copies = documents.iter().filter(|text| text.is_mostly_common()).count();
    if copies > 0 && job.settings.exclude.common {
        let consist = if copies == 1 { "consists" } else { "consist" };
        lines.push(format!(
            "{} {consist} mostly of such text, perhaps as copies, so it was not left out there; --ignore FILE leaves it out",
            count(copies, "document")
        ));
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
    let hiding: Vec<&Text> = documents.iter().filter(|text| text.hidden.is_notable()).collect();
    for text in hiding.iter().take(TOLD) {
        lines.push(format!(
            "{} may contain text that a reader does not see: {}",
            shown(&text.id),
            hidden_in_words(text.hidden)
        ));
    }
    if hiding.len() > TOLD {
        lines.push(format!(
            "{} more may contain text that a reader does not see",
            count(hiding.len() - TOLD, "document")
        ));
    }
    let authors = screening.authors();
    let of_none = documents.iter().filter(|text| text.author.is_none()).count();
    if !authors.is_empty() {
        let rest = if of_none > 0 { format!(", and {of_none} without one") } else { String::new() };
        let named = documents.len() - of_none;
        lines.push(format!("{} by {}{rest}", count(named, "document"), count(authors.len(), "author")));
    }
    if let (Some(author), 1, 0) = (authors.first(), authors.len(), of_none)
        && documents.len() > 1
        && screening.with_each_other
    {
        lines.push(format!(
            "all documents are by one author, {}, so none was compared with another: name the folder or the archive in which each \
             author has a folder, or say by --author-pattern which part of a path is the author",
            shown(author)
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
    let in_latin = texts.iter().filter(|text| text.is_unread()).count() as u64;
    if in_latin > 0 {
        let were = if in_latin == 1 { "was" } else { "were" };
        lines.push(format!("{} {were} compared with texts in Latin letters only", counted(in_latin, "document")));
    }
    let skipped = skipped.saturating_sub(in_latin);
    if skipped > 0 {
        let were = if skipped == 1 { "was" } else { "were" };
        lines.push(format!("{} {were} skipped: the texts concerned were not compared", counted(skipped, "problem")));
    }
    lines
}

/// What was compared with what, and the number of passages.
fn compared(screening: &Screening, job: &Job) -> String {
    let count = |count: usize, noun| counted(count as u64, noun);
    let passages = screening.matches.iter().map(|found| found.passages.len()).sum();
    let found = match passages {
        0 => "no passages".into(),
        _ => format!("{} in {} of documents", count(passages, "passage"), count(screening.matches.len(), "pair")),
    };
    let sources = count(screening.sources, "source");
    let with = match (job.sources.is_empty(), screening.with_each_other) {
        (true, _) => "each other".into(),
        (false, true) => format!("each other and {sources}"),
        (false, false) => sources,
    };
    format!("compared {} with {with}: {found}", count(screening.suspicious, "document"))
}

/// The kinds of text left out, in words.
fn reasons(job: &Job) -> Vec<String> {
    let (asked, templates) = (&job.settings.exclude, job.templates.len());
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
    if asked.code {
        reasons.push("program code".into());
    }
    if asked.common {
        reasons.push("text that many documents share".into());
    }
    reasons
}
