//! The place of a clean corpus, and the form in which it is written.

use std::error::Error;
use std::path::{Path, PathBuf};

use nearcopy::store::file::map::is_fingerprint_file;
use nearcopy_corpus::inputs::Selection;
use nearcopy_corpus::records::Kind;
use nearcopy_corpus::remote::is_address;
use nearcopy_corpus::source;

use crate::cli::corpus::expect_twice;
use crate::cli::endings::{ending, is_unwritten};
use crate::cli::targets::{ForceArgs, Target, reviews_beside};
use crate::jobs::clean::shards::{Shards, names_folder};
use crate::jobs::clean::{Output, OutputKind};

/// The ending of the list of removed documents: the list beside a table is one too.
pub(super) fn removed_ending(output: Option<&Path>) -> &'static str {
    match output.and_then(|output| Kind::of_name(&output.to_string_lossy())) {
        Some(Kind::Csv | Kind::Tsv) => "csv",
        _ => "jsonl",
    }
}

/// The output for the kept documents of these inputs.
pub(in crate::cli) fn output(
    inputs: &[PathBuf],
    path: &Path,
    shards: Option<(PathBuf, Shards)>,
    is_list: bool,
    forcing: &ForceArgs,
) -> Result<Output, Box<dyn Error>> {
    expect_twice(inputs.iter().filter(|input| !is_list || *input == Path::new("-")))?;
    if let Some(input) = inputs.iter().find(|input| is_fingerprint_file(input)) {
        let message = format!("{}: holds fingerprints; name the texts, or use `dedup find`", input.display());
        return Err(message.into());
    }
    let removed_ending = removed_ending(Some(path));
    let (path, shards) = shards.map_or((path.to_owned(), None), |(folder, shards)| (folder, Some(shards)));
    let kind = match (inputs, shards) {
        (_, Some(shards)) => OutputKind::Shards(shards),
        _ if is_list => OutputKind::List,
        _ => kind(inputs, &path),
    };
    expect_name(&kind, inputs, &path)?;
    let (replaces, outdated) = (forcing.is_forced(), reviews_beside(&path));
    Ok(Output { path, kind, removed_ending, replaces, keeps_unread: false, outdated })
}

/// The form in which what is kept of these inputs is written: a file for one file, unless a folder is named.
pub(in crate::cli) fn kind(inputs: &[PathBuf], path: &Path) -> OutputKind {
    let is_folder = path.is_dir() || names_folder(path);
    match inputs {
        [input] if source::is_file(input) && !is_folder => OutputKind::File,
        _ => OutputKind::Folder,
    }
}

/// Refuses a new folder with the name of a file, and a file whose name promises a format that is not written.
pub(in crate::cli) fn expect_name(kind: &OutputKind, inputs: &[PathBuf], path: &Path) -> Result<(), Box<dyn Error>> {
    let named = match kind {
        OutputKind::File => Some(path.to_owned()),
        OutputKind::Shards(shards) => Some(path.join(shards.pattern())),
        OutputKind::Folder | OutputKind::List => None,
    };
    if let Some(named) = named
        && let Some(own) = ending(&named).filter(|own| is_unwritten(own))
        && !inputs.iter().any(|input| ending(input).is_some_and(|ending| ending == own))
    {
        let message = "is the ending of a format that is not written; end the name with .jsonl, .csv, .tsv or .parquet";
        return Err(format!("{}: .{own} {message}", source::name(&named)).into());
    }
    let is_folder = path.exists() || names_folder(path);
    if *kind != OutputKind::Folder || is_folder || Kind::of_name(&path.to_string_lossy()).is_none() {
        return Ok(());
    }
    // An input that is not there is no file, either.
    for input in inputs.iter().filter(|input| !is_address(input)) {
        std::fs::metadata(input).map_err(|source| nearcopy::Error::Read { path: source::name(input), source })?;
    }
    let message = "is the name of a file, but what is kept of several inputs or of a folder is written to a folder of the \
                   same files; name a folder";
    Err(format!("{}: {message}", source::name(path)).into())
}

/// Checks that a folder to be replaced contains only files of an earlier clean corpus of these inputs.
pub(in crate::cli) fn check_foreign(
    (path, kind): (&Path, &OutputKind),
    inputs: (&[PathBuf], &Selection),
) -> Result<(), Box<dyn Error>> {
    kind.foreign(path, inputs)?.map_or(Ok(()), |file| {
        let name = source::name(&file);
        let known = if let OutputKind::Shards(shards) = kind {
            format!("is none of {}", shards.pattern())
        } else {
            "no input has a file of this name".into()
        };
        Err(format!("{name}: {known}, so --force would lose it; move it away first").into())
    })
}

/// The kind of target by which an existing output is judged.
pub(in crate::cli) fn target(output: &Output) -> Target {
    match output.kind {
        OutputKind::File => Target::Output,
        OutputKind::Folder | OutputKind::Shards(_) => Target::Folder,
        OutputKind::List => Target::List,
    }
}
