//! `dedup screen SUSPICIOUS... [--against SOURCES...]`

mod page;
mod passages;
mod save;

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::ValueEnum;
use nearcopy::screen::{Match, Screening, Settings, Translation};
use nearcopy::text::Language;
use nearcopy::translate::Lexicon;
use nearcopy_corpus::NewFile;
use nearcopy_corpus::records::Reading;
use nearcopy_corpus::source;
use passages::PassageArgs;

use super::Ending;
use super::corpus::{AuthorArgs, Corpus, RunArgs, expect_named};
use super::output::{Listed, to_stdout};
use super::signals::stop_on_ctrl_c;
use super::targets::{ForceArgs, OutputGuard, Target};
use crate::jobs::screen::{Job, anonymise, screen};
use crate::report::listing::{Item, Listing};
use crate::report::screening::{
    PassageAcross, ScreenedDocument, SharedPassage, SharedText, names, not_searched, summary,
};
use crate::report::shown;

/// Find the passages that documents share, copied or rewritten, in any language
///
/// Each document of SUSPICIOUS is compared with the sources, or without --against with all others. Copies are
/// also found if words were replaced, shuffled, dropped or inflected, sentences were moved, or look-alike letters or
/// invisible characters were used. Any run of 20 words that two documents share is found, except text that very many
/// documents share, such as a notice: two documents that share only that, or that and a few words beside it, are not
/// compared. Of more than 256 sources that contain a run, only the first 256 are used. A reader must judge what a
/// passage means.
///
/// Text that many documents share, such as the assignment, makes no passage by itself: what stands beside it must count
/// alone. The summary and the page name it, --list common lists it, and --no-common leaves it out of shares too.
///
/// A document's share is the number of its words that also stand elsewhere, divided by all its words except those left out
/// (quotations, bibliography, text of --ignore, common text; of a known author, name and heading). Words of weak passages are
/// in no share. Verbatim words stand in runs of seven or more unchanged words. Each passage has the probability that it is a copy,
/// among as many copies as unrelated texts on one subject; below .9 it is weak evidence. --list leads lists pairs
/// below --min-probability that are worth a look.
///
/// Of a document of more than 1,048,576 words only the first 1,048,576 are compared. The rest is reported as not
/// compared, and the exit status is 2.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup screen data/texts/eng
  dedup screen data/texts/eng/tides.edited.txt --against data/texts/eng
  dedup screen data/texts/eng --against data/texts/deu --with-each-other
  dedup screen data/texts --format csv
  dedup screen data/texts --list documents --format jsonl
  dedup screen data/texts/eng --html report.html
  dedup screen data/texts/eng --dossier bees.txt -o bees.html
  dedup screen data/texts/eng --save eng.dsi
  dedup screen data/texts/eng/tides.edited.txt --against eng.dsi --anonymise

Exit status: 0 passages were found, or all was saved, 1 no passages, 2 something failed or was
skipped, or no two texts were compared.")]
pub(super) struct Args {
    /// Files, folders, or `-` for standard input; a build with the feature remote also reads addresses (s3:, gs:, az:, https:, hf:)
    #[arg(required = true)]
    suspicious: Vec<PathBuf>,
    /// Sources that may have been copied; may be repeated
    ///
    /// These are files, folders, archives that --save wrote, or indexes made with --passages. By default all
    /// documents are compared with each other.
    #[arg(long, value_name = "SOURCES", num_args = 1..)]
    against: Vec<PathBuf>,
    /// Find passages translated between the two languages of this lexicon, too; may be repeated
    ///
    /// `dedup lexicon import` makes one of a dictionary. Only texts in its two languages, and such parts of texts, are compared
    /// by it. All words of a translated passage that is not weak count in the share.
    #[arg(long, value_name = "FILE")]
    lexicon: Vec<PathBuf>,
    /// Find passages translated between any two languages, too
    ///
    /// Without a lexicon of both languages they are compared by words that begin alike, numbers and names, which find
    /// less.
    #[arg(long)]
    translated: bool,
    /// Compare the documents with each other too, beside the sources
    ///
    /// Each pair is compared once, and a document that stands among the sources counts as one.
    #[arg(long, requires = "against")]
    with_each_other: bool,
    /// Store the documents in FILE for a later --against, and compare nothing
    ///
    /// FILE is an archive from which the documents need not be read again.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["against", "lexicon", "translated", "PassageArgs", "OutputArgs"]
    )]
    save: Option<PathBuf>,
    #[command(flatten)]
    authorship: AuthorArgs,
    /// Language of all documents: a name, a code, `und` for none, or `auto`
    #[arg(long, value_name = "LANGUAGE", default_value = "auto")]
    language: String,
    #[command(flatten)]
    counting: PassageArgs,
    #[command(flatten)]
    reporting: OutputArgs,
    #[command(flatten)]
    forcing: ForceArgs,
    #[command(flatten)]
    corpus: Corpus,
    #[command(flatten)]
    running: RunArgs,
}

/// Options for the reports.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
struct OutputArgs {
    /// Items of the result: passages, or documents with their sources
    ///
    /// The default is `passages`; with --html, unless --list or --format is given, it is a summary of the documents
    /// with the greatest shares.
    #[arg(long, value_enum)]
    list: Option<What>,
    /// Format of the result; `text` by default
    #[arg(long, value_enum)]
    format: Option<Listed>,
    /// Write a report as one HTML page that needs no network
    ///
    /// It shows pairs, clusters, each document with its sources in colour, both texts side by side, and filters. It
    /// contains at most 20 MB of texts, those with the greatest shares first.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Heading of the page, such as the name of a course
    #[arg(long, value_name = "TITLE")]
    title: Option<String>,
    /// Write a dossier on the document NAME to the file of --output
    ///
    /// The dossier is an HTML page to print: the sources of the document, each passage beside its counterpart, the
    /// settings, and room for a note. NAME is the author, the id or its end, and must be that of one document.
    #[arg(long, value_name = "NAME", requires = "output")]
    dossier: Option<String>,
    /// File of --dossier
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the names of documents and authors by numbers in all output
    ///
    /// The texts are not changed, so a text may still name its author.
    #[arg(long, conflicts_with = "problems")]
    anonymise: bool,
    /// Write the names behind the numbers to FILE, as CSV that only its owner may read
    #[arg(long, value_name = "FILE", requires = "anonymise")]
    names: Option<PathBuf>,
}

impl OutputArgs {
    /// Refuses an option of a page that is not asked for.
    fn check(&self) -> Result<(), &'static str> {
        match (&self.dossier, &self.html) {
            (None, _) if self.output.is_some() => {
                Err("--output is the file of --dossier; --html FILE writes the page on all documents")
            }
            (None, None) if self.title.is_some() => {
                Err("--title is the heading of a page; give --html FILE, or --dossier NAME with --output FILE, too")
            }
            _ => Ok(()),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// Passages, the longest of each pair first
    Passages,
    /// Documents, with their shares in each source
    Documents,
    /// Texts that many documents share, with the number of documents
    Common,
    /// Passages of pairs that have none that counts, but are worth a look
    Leads,
}

pub(super) fn run(args: &Args) -> Result<Ending, Box<dyn Error>> {
    if let Some(output) = &args.save {
        return save::save(args, output);
    }
    let mut job = args.job()?;
    expect_named(args.against.iter().chain(&args.counting.ignore))?;
    if let Some(folder) = args.counting.ignore.iter().find(|path| path.is_dir()) {
        return Err(format!("{}: is a folder; --ignore takes one file at a time", source::name(folder)).into());
    }
    args.reporting.check()?;
    args.check_targets(&job)?;
    let OutputArgs { html, names, output, .. } = &args.reporting;
    // A file that cannot be written is an error before the work begins, and no other run can begin it.
    let replace = args.forcing.replace();
    let begin = |path| Ok::<_, crate::Error>((path, NewFile::create(path, replace)?));
    let page = html.as_deref().map(begin).transpose()?;
    let dossier_page = output.as_deref().map(begin).transpose()?;
    let key =
        names.as_deref().map(|path| Ok::<_, crate::Error>((path, NewFile::private(path, replace)?))).transpose()?;
    // The outputs of this run and of earlier ones are not read.
    job.selection.except.extend(html.iter().chain(names).chain(output).cloned());
    let mut progress = args.running.progress(&args.corpus)?;
    if args.reporting.anonymise {
        progress = progress.nameless();
    }
    stop_on_ctrl_c();
    let screening = screen(&job, &progress);
    progress.clear();
    let mut screening = screening?;
    if screening.suspicious == 0 && !screening.set_aside.is_empty() {
        return Err(
            "there are no documents: all files are receipts of Blackboard, or pages and archives of `dedup screen`"
                .into(),
        );
    }
    if screening.suspicious == 0 && screening.skipped == 0 {
        return Err("there are no documents: check the names, and --glob and --type".into());
    }
    let named = |screening: &Screening| {
        let called = args.reporting.dossier.as_deref();
        called.map(|called| page::document(screening, called, args.reporting.anonymise))
    };
    let mut dossier = named(&screening);
    let export = summary::export(&screening, &job);
    let numbered = args.reporting.anonymise.then(|| anonymise(&mut screening));
    if let (Some(_), Some(Err(_))) = (&numbered, &dossier) {
        // It may be called by the number that an earlier list gave it.
        dossier = named(&screening).filter(Result::is_ok).or(dossier);
    }
    let dossier = dossier.transpose()?;
    if let Some(numbered) = numbered {
        progress.tell_unread(&screening.unread);
        key.map_or(Ok(()), |key| page::write_names(&numbered, key))?;
    }
    if let Some(page) = page {
        page::write(&args.reporting, &job, &screening, None, page)?;
    }
    if let (Some(number), Some(page)) = (dossier, dossier_page) {
        page::write(&args.reporting, &job, &screening, Some(number), page)?;
    }
    to_stdout(|out| write(args, &screening, out))?;
    if args.reporting.list == Some(What::Common) && screening.common.is_empty() {
        progress.say(
            "no text of 7 words or more stands in enough documents: by different authors, in a fifth of those in its \
             language (at least ten; 64 of more than 320)",
        );
    }
    for line in summary::in_words(&screening, &job, export) {
        progress.say(&line);
    }
    for line in not_searched(&screening, &job.settings.translation, job.settings.language) {
        progress.warn(&line);
    }
    for (what, path) in [("report", &args.reporting.html), ("dossier", &args.reporting.output)] {
        if let Some(path) = path {
            progress.say(&format!("the {what}: {}", path.display()));
        }
    }
    progress.finish()?;
    let listed = args.listed(&screening);
    Ok(match (screening.skipped + screening.in_part, listed.is_empty()) {
        _ if summary::nothing_compared(&screening).is_some() => Ending::Incomplete,
        (1.., _) => Ending::Incomplete,
        (_, false) => Ending::Found,
        (_, true) => Ending::NotFound,
    })
}

impl Args {
    /// The language of all documents, if one is given.
    fn language(&self) -> nearcopy::Result<Option<Language>> {
        match self.language.as_str() {
            "auto" => Ok(None),
            name => name.parse().map(Some),
        }
    }

    /// The library's options for reading files.
    fn reading(&self) -> crate::Result<Reading> {
        let mut reading = self.corpus.reading(self.suspicious.iter().chain(&self.against), &self.running)?;
        // The texts are held beside it.
        reading.max_memory /= 2;
        reading.fields.origin = self.authorship.field();
        Ok(reading)
    }

    /// Checks that no output replaces an input or another output.
    fn check_targets(&self, job: &Job) -> Result<(), String> {
        let targets = OutputGuard::of_inputs(&job.suspicious, &job.selection).and(&job.sources).and(&job.templates);
        let (page, problems) = (self.reporting.html.as_deref(), self.corpus.problems());
        let (names, dossier) = (self.reporting.names.as_deref(), self.reporting.output.as_deref());
        let targets = targets.force(&self.forcing);
        let all =
            [(Target::Page, page), (Target::Dossier, dossier), (Target::Problems, problems), (Target::Names, names)];
        targets.check(&all)
    }

    /// The pairs that decide the exit status: those with passages, or the leads if these are listed.
    fn listed<'s>(&self, screening: &'s Screening) -> &'s [Match] {
        if self.reporting.list == Some(What::Leads) { &screening.leads } else { &screening.matches }
    }

    /// The lexicons, and whether all pairs of languages are compared.
    fn translation(&self) -> nearcopy::Result<Translation> {
        let open = |path: &PathBuf| Lexicon::open(path)?.for_this_version(path);
        let mut lexicons: Vec<Lexicon> = Vec::new();
        for path in &self.lexicon {
            let lexicon = open(path)?;
            // The same lexicon, or a copy of it, is used once.
            if !lexicons.iter().any(|known| known.head() == lexicon.head() && known.len() == lexicon.len()) {
                lexicons.push(lexicon);
            }
        }
        Ok(Translation { lexicons: Arc::new(lexicons), in_any_languages: self.translated })
    }

    /// The library's job.
    fn job(&self) -> crate::Result<Job> {
        Ok(Job {
            suspicious: self.suspicious.clone(),
            sources: self.against.clone(),
            templates: self.counting.ignore.clone(),
            selection: self.corpus.selection(),
            reading: self.reading()?,
            authors: self.authorship.authors(),
            settings: Settings {
                language: self.language()?,
                options: self.counting.options(self.reporting.list == Some(What::Leads)),
                exclude: self.counting.exclude(),
                translation: self.translation()?,
                with_each_other: self.with_each_other,
                strict: self.corpus.is_strict(),
                threads: self.running.threads(),
                max_memory: self.running.limit().stage(),
            },
        })
    }
}

fn write(args: &Args, screening: &Screening, out: &mut dyn Write) -> io::Result<()> {
    let OutputArgs { html, list, format, output, .. } = &args.reporting;
    let what = list.unwrap_or(What::Passages);
    let Some(format) = format.filter(|format| *format != Listed::Text) else {
        return match (list.is_none() && format.is_none(), html, output) {
            (true, Some(_), _) => summary::write_greatest(screening, out),
            // The dossier is of one document, and says it all.
            (true, None, Some(_)) => Ok(()),
            _ => write_text(screening, what, out),
        };
    };
    let mut listing = Listing::new(out, format.form());
    if what == What::Documents {
        for document in ScreenedDocument::all(screening) {
            listing.push(&document)?;
        }
        return listing.finish::<ScreenedDocument<'_>>();
    }
    if what == What::Common {
        for common in SharedText::all(screening) {
            listing.push(&common)?;
        }
        return listing.finish::<SharedText<'_>>();
    }
    let passages =
        args.listed(screening).iter().flat_map(|found| found.passages.iter().map(move |passage| (found, passage)));
    if args.translated || !args.lexicon.is_empty() {
        for (found, passage) in passages {
            listing.push(&PassageAcross::new(screening, found, passage))?;
        }
        return listing.finish::<PassageAcross<'_>>();
    }
    for (found, passage) in passages {
        listing.push(&SharedPassage::new(screening, found, passage))?;
    }
    listing.finish::<SharedPassage<'_>>()
}

fn write_text(screening: &Screening, what: What, out: &mut dyn Write) -> io::Result<()> {
    if what == What::Common {
        return SharedText::all(screening).iter().try_for_each(|common| common.write_text(out));
    }
    if what == What::Leads {
        let names = names(screening);
        return screening.leads.iter().try_for_each(|found| write_lead(screening, &names, found, out));
    }
    for document in ScreenedDocument::all(screening).iter().filter(|document| document.has_sources()) {
        document.write_with_sources(screening, what == What::Passages, out)?;
    }
    Ok(())
}

/// A pair worth a look, and its passages.
fn write_lead(screening: &Screening, names: &[String], found: &Match, out: &mut dyn Write) -> io::Result<()> {
    let [suspicious, source] = [found.suspicious, found.source].map(|text| shown(&names[text as usize]));
    writeln!(out, "{suspicious} and {source}")?;
    found.passages.iter().try_for_each(|passage| PassageAcross::new(screening, found, passage).write_text(out))
}
