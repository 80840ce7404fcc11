//! The summary of a screening: a line or two, and the documents with the greatest shares.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use nearcopy::align::Words;
use nearcopy::screen::{CommonText, Screening, Text, is_archive};

use super::common::sharing_with_half;
use super::names::with_path;
use super::{ScreenedDocument, SharedText, across, hidden_in_words, names};
use crate::jobs::authors::{Authors, Platform, platform};
use crate::jobs::screen::Job;
use crate::report::figures::{counted, grouped, percent, unread_parts};
use crate::report::lexicon;
use crate::report::shown;

/// Maximum number of documents in the summary beside a page, so that it fits a terminal of 24 lines.
const MOST: usize = 12;

/// Maximum number of common texts in the summary.
const SHOWN: usize = 3;

/// Greatest number of documents of one author that are no reason to doubt that it is one.
const PARTS: usize = 3;

/// Maximum number of documents that a note of each kind names.
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
            format!("  ({} in {})", percent(Some(source.share.share)), shown(&source.name))
        });
        let weak = if document.share.words_matched == 0 { ", weak evidence only" } else { "" };
        writeln!(out, "{share:>8}  {}{most}{weak}", shown(&document.name))?;
    }
    let more = found.len().saturating_sub(MOST);
    if more > 0 {
        let documents = if more == 1 { "document" } else { "documents" };
        writeln!(out, "          and {} more {documents} with passages", grouped(more as u64))?;
    }
    Ok(())
}

/// The platform that exported the documents, known by their names.
pub fn export(screening: &Screening, job: &Job) -> Option<Platform> {
    let is_named = matches!(job.authors, Authors::Folders);
    if job.authors.are_told() && !is_named {
        return None;
    }
    let documents = screening.texts[..screening.suspicious].iter().filter(|text| !is_named || text.author.is_some());
    platform(documents.map(|text| text.id.as_str()), &job.suspicious)
}

/// Why no two texts were compared, in words: no passages say nothing then. `None` if some were.
pub fn nothing_compared(screening: &Screening) -> Option<&'static str> {
    let documents = screening.texts[..screening.suspicious].iter().filter(|text| !text.words.is_empty()).count();
    // No document is compared with itself.
    let has_sources = screening.sources > screening.own || screening.sources > 0 && documents > 1;
    match documents {
        0 => Some("no document has a word in it, so nothing was compared; name others"),
        1 if !has_sources => {
            Some("there is one document, so nothing was compared; name others, or sources with --against")
        }
        _ => None,
    }
}

/// Numbers of documents compared, passages found, words left out and problems skipped, in words; `export` is the
/// [`export`] of the documents.
pub fn in_words(screening: &Screening, job: &Job, export: Option<Platform>) -> Vec<String> {
    let Screening { texts, suspicious, own, authorless, skipped, in_part, .. } = screening;
    let count = |count: usize, noun| counted(count as u64, noun);
    let mut lines = vec![nothing_compared(screening).map_or_else(|| compared(screening, job), str::to_owned)];
    let documents = &texts[..*suspicious];
    if documents.is_empty() {
        lines.push("there are no documents: check the names, and --glob and --type".into());
    }
    lines.extend(uncompared(screening));
    let words: usize = documents.iter().map(|text| text.words.len()).sum();
    let left = words - documents.iter().map(Text::counted).sum::<usize>();
    let reasons = reasons(screening, job);
    if !reasons.is_empty() {
        lines.push(format!("left out {} of {} ({})", grouped(left as u64), count(words, "word"), reasons.join(", ")));
    }
    lines.extend(job.settings.translation.lexicons.iter().map(lexicon::in_short));
    lines.extend(across::searched(screening));
    lines.extend(common_in_words(screening, job));
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
    lines.extend(notes(screening));
    if !screening.set_aside.is_empty() {
        let named: Vec<String> = screening.set_aside.iter().take(TOLD).map(|name| shown(name)).collect();
        let (files, more) =
            (count(screening.set_aside.len(), "file"), if screening.set_aside.len() > TOLD { ", …" } else { "" });
        lines.push(format!(
            "set aside as receipts of Blackboard, or pages and archives of `dedup screen`: {files}: {}{more}",
            named.join(", ")
        ));
    }
    lines.extend(authors_in_words(screening, job, export));
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

/// What was compared with nothing: the only document, or those in a language that no other text has.
fn uncompared(screening: &Screening) -> Option<String> {
    if screening.suspicious == 1 && screening.with_each_other && screening.sources == 0 {
        return Some(
            "one document alone has nothing to be compared with: name others, or sources with --against".into(),
        );
    }
    if screening.with_each_other && screening.sources == 0 {
        let mut with_words = screening.texts.iter().filter(|text| !text.words.is_empty());
        if let (Some(only), None) = (with_words.next(), with_words.next()) {
            return Some(format!(
                "{} was compared with nothing, as no other document has words: name others, or sources with --against",
                shown(&only.id)
            ));
        }
    }
    let alone: Vec<String> = screening
        .alone
        .iter()
        .map(|it| format!("{} in {}", counted(it.documents as u64, "document"), it.language.name()))
        .collect();
    (!alone.is_empty()).then(|| {
        format!(
            "compared with no text in the same language: {}; --translated searches for translations, and --lexicon FILE \
             finds more of them",
            alone.join(", ")
        )
    })
}

/// The texts that many documents share, and what to do with them.
fn common_in_words(screening: &Screening, job: &Job) -> Vec<String> {
    let texts = &screening.texts;
    let count = |count: usize, noun| counted(count as u64, noun);
    let mut lines = Vec::new();
    let is_left_out =
        |common: &CommonText| common.words.clone().all(|word| texts[common.text as usize].is_left_out(word));
    let all = SharedText::all(screening).into_iter().zip(&screening.common);
    let common: Vec<SharedText<'_>> =
        all.filter(|(_, common)| job.settings.exclude.common || !is_left_out(common)).map(|(text, _)| text).collect();
    lines.extend(common.iter().take(SHOWN).map(SharedText::in_words));
    if common.len() > SHOWN {
        lines.push(format!("{} more stand in many documents: --list common", count(common.len() - SHOWN, "text")));
    }
    if !common.is_empty() && !job.settings.exclude.common {
        // Archives take no part in what is common.
        let has_sources = job.sources.iter().any(|source| !is_archive(source));
        let except = if has_sources { ", except with a source that alone has it" } else { "" };
        lines.push(format!(
            "text that many documents share makes no passage by itself{except}; --no-common also leaves it out of shares, \
             --ignore FILE one text"
        ));
    }
    if let Some(perhaps) = screening.perhaps_common.as_ref().filter(|perhaps| !is_left_out(perhaps)) {
        let remedy = "more than half of the documents in its language, too few for common text; if it is their \
                      task, and not what they have copied, save it to a file and give --ignore FILE";
        lines.push(format!("{}: {remedy}", SharedText::new(screening, perhaps).in_words()));
    } else if let Some(sharing) = sharing_with_half(screening) {
        lines.push(format!(
            "{} of {} share passages with at least half of the others: if all were given one text, such as an assignment or \
             a worksheet, save it to a file and give --ignore FILE",
            grouped(sharing as u64),
            count(screening.suspicious, "document")
        ));
    }
    lines
}

/// Notes on single documents, of each kind the first [`TOLD`].
fn notes(screening: &Screening) -> Vec<String> {
    let documents = &screening.texts[..screening.suspicious];
    let count = |count: usize, noun| counted(count as u64, noun);
    let mut lines = Vec::new();
    let names = names(screening);
    let mut tell = |is: &dyn Fn(&Text) -> bool, said: &dyn Fn(&Text) -> String, more: &dyn Fn(usize) -> String| {
        let found: Vec<(&Text, &String)> = documents.iter().zip(&names).filter(|(text, _)| is(text)).collect();
        let told = found.iter().take(TOLD);
        lines.extend(told.map(|(text, name)| format!("{} {}", with_path(name, &text.id), said(text))));
        let others = found.len().saturating_sub(TOLD);
        lines.extend((others > 0).then(|| more(others)));
    };
    tell(&|text| text.words.is_empty(), &|_| "has no words, so there was nothing to compare".into(), &|others| {
        format!("{} have no words", count(others, "more document"))
    });
    tell(
        &|text| !text.words.is_empty() && 4 * text.counted() <= text.words.len(),
        &|text| {
            let (out, all) = (text.words.len() - text.counted(), count(text.words.len(), "word"));
            format!("was hardly compared: {} of its {all} are left out", grouped(out as u64))
        },
        &|others| format!("{} have three words in four left out", count(others, "more document")),
    );
    tell(
        &|text| text.pictured > 0,
        &|text| {
            let parts = unread_parts(text.pictured);
            format!(
                "may be compared in part: {parts} may hold text; run OCR on pictures first, for example with `ocrmypdf`"
            )
        },
        &|others| {
            format!(
                "{} have pictures or other parts that may hold text, which was not compared",
                count(others, "more document")
            )
        },
    );
    tell(
        &|text| text.hidden.is_notable(),
        &|text| format!("may contain text that a reader does not see: {}", hidden_in_words(text.hidden)),
        &|others| format!("{} more may contain text that a reader does not see", count(others, "document")),
    );
    lines
}

/// The number of authors, the platform that names them, and a warning where authors and documents do not fit.
fn authors_in_words(screening: &Screening, job: &Job, platform: Option<Platform>) -> Vec<String> {
    let documents = &screening.texts[..screening.suspicious];
    if documents.is_empty() {
        return Vec::new();
    }
    if !job.authors.are_told() {
        let line =
            |platform| format!("the names are those of a {platform} export; --authors takes the authors from them");
        return platform.map(line).into_iter().collect();
    }
    let count = |count: usize, noun| counted(count as u64, noun);
    let remedy = "name the folder or the archive in which each author has a folder, or say by --author-pattern which part of a \
                  path is the author, or by --author-field which field of a table";
    let authors = screening.authors();
    let of_none = documents.iter().filter(|text| text.author.is_none()).count();
    let export = platform.map_or_else(String::new, |platform| format!(" ({platform} export)"));
    if authors.is_empty() {
        return vec![match job.authors {
            Authors::Field => "no document has an author in the field of --author-field; check its name".into(),
            _ => format!("no document has an author: {remedy}"),
        }];
    }
    let rest = if of_none > 0 { format!(", and {of_none} without one") } else { String::new() };
    let (with, of) = (count(documents.len() - of_none, "document"), count(authors.len(), "author"));
    let mut lines = vec![format!("{with} by {of}{rest}{export}")];
    let of_sources: BTreeSet<&str> =
        screening.texts[screening.suspicious..].iter().filter_map(|text| text.author.as_deref()).collect();
    let both: Vec<String> =
        authors.iter().filter(|author| of_sources.contains(**author)).map(|author| shown(author)).collect();
    if !both.is_empty() && screening.suspicious < screening.texts.len() {
        let more = if both.len() > TOLD { ", …" } else { "" };
        let first = both.iter().take(TOLD).map(String::as_str).collect::<Vec<_>>().join(", ");
        lines.push(format!(
            "among the sources too, and not compared with what they wrote there: {}: {first}{more}",
            count(both.len(), "author")
        ));
    }
    if of_none > 0 || documents.len() == 1 {
        return lines;
    }
    if let (Some(author), 1) = (authors.first(), authors.len()) {
        if screening.with_each_other {
            let author = shown(author);
            lines.push(format!(
                "all documents are by one author, {author}, so none was compared with another: {remedy}"
            ));
        }
    } else if authors.len() == documents.len() && platform.is_none() && matches!(job.authors, Authors::Folders) {
        let first: Vec<String> = authors.iter().take(2).map(|author| shown(author)).collect();
        let first = first.join(" and ");
        lines.push(format!(
            "each document has an author of its own, such as {first}: if these are no authors, {remedy}"
        ));
    } else if let (Some((author, most)), true) = (most_documents(documents), screening.with_each_other) {
        let (most, author) = (count(most, "document"), shown(author));
        lines.push(format!(
            "no author's documents were compared with each other, such as the {most} of {author}: if these are no \
             authors, {remedy}"
        ));
    }
    lines
}

/// The author of the most documents, if they are too many for an essay and its parts, and their number.
fn most_documents(documents: &[Text]) -> Option<(&str, usize)> {
    let mut of_each: BTreeMap<&str, usize> = BTreeMap::new();
    documents
        .iter()
        .filter_map(|text| text.author.as_deref())
        .for_each(|author| *of_each.entry(author).or_default() += 1);
    of_each.into_iter().max_by_key(|(_, documents)| *documents).filter(|(_, documents)| *documents > PARTS)
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
    let found = match (job.settings.options.leads, screening.leads.len(), passages) {
        (true, 0, 0) => "no leads, and no passages".into(),
        (true, 0, _) => format!("no leads; without --list leads {found} would be listed"),
        (true, leads, _) => format!("leads in {} of documents, and {found}", count(leads, "pair")),
        _ => found,
    };
    let with = match (job.sources.is_empty(), screening.with_each_other) {
        (true, _) => "each other".into(),
        (false, true) => format!("each other and {sources}"),
        (false, false) => sources,
    };
    format!("compared {} with {with}: {found}", count(screening.suspicious, "document"))
}

/// The kinds of text left out, in words.
fn reasons(screening: &Screening, job: &Job) -> Vec<String> {
    let (asked, templates) = (&job.settings.exclude, job.templates.len());
    let mut reasons = Vec::new();
    if templates > 0 {
        reasons.push(format!("text of {} of --ignore", counted(templates as u64, "file")));
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
    if screening.names_left_out {
        reasons.push("names of authors and the headings with them".into());
    }
    reasons
}
