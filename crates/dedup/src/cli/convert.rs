//! Options for files that other programs read.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use clap::Args;
use nearcopy_corpus::converter::{Converted, Leave};
use nearcopy_corpus::{Converter, Stop};

use super::signals::is_stopped;

/// Maximum number of converted files that are named.
const TOLD: usize = 20;

/// Options for reading files by other programs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(super) struct ConvertArgs {
    /// Let installed programs read old Word files (antiword, catdoc, soffice) and scans (ocrmypdf, tesseract)
    ///
    /// A program is started only for a file that gives no text otherwise, and each such file is named with its program.
    /// Results are kept in the user's cache, in nearcopy/converted, by a digest of the file's bytes, so that a later run
    /// starts no program. Their memory does not count for --max-memory.
    #[arg(long)]
    convert: bool,
    /// Languages of scans, as tesseract names them, such as `deu+eng`; its own default otherwise
    #[arg(long, value_name = "LANGUAGES", requires = "convert", value_parser = languages)]
    ocr_language: Option<String>,
    /// Longest time that a program may take for a file, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "600", requires = "convert", value_parser = clap::value_parser!(u32).range(1..))]
    convert_timeout: u32,
    #[arg(skip)]
    converter: OnceLock<Arc<Converter>>,
}

/// Names of languages that are no options and no paths.
fn languages(value: &str) -> Result<String, String> {
    let is_name =
        |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if value.split('+').all(is_name) {
        Ok(value.to_owned())
    } else {
        Err("expected names such as deu or deu+eng; `tesseract --list-langs` lists those that are installed".into())
    }
}

impl ConvertArgs {
    /// The converter of this command.
    ///
    /// # Errors
    ///
    /// [`crate::Error::NoCache`] if results cannot be kept.
    pub(super) fn converter(&self) -> crate::Result<Arc<Converter>> {
        if let Some(made) = self.converter.get() {
            return Ok(Arc::clone(made));
        }
        let leave = if self.convert {
            Some(Leave {
                cache: Converter::default_cache().ok_or(crate::Error::NoCache)?,
                languages: self.ocr_language.clone(),
                timeout: Duration::from_secs(self.convert_timeout.into()),
                stop: Stop::when(is_stopped),
                temp: None,
            })
        } else {
            None
        };
        Ok(Arc::clone(self.converter.get_or_init(|| Arc::new(Converter::new(leave)))))
    }
}

/// The lines that name the files that programs read.
pub(super) fn in_words(converter: &Converter) -> Vec<String> {
    let read = converter.read();
    let line = |(name, Converted { program, is_kept }): &(String, Converted)| {
        let kept = if *is_kept { ", kept from an earlier run" } else { "" };
        format!("{name}: read by {program}{kept}")
    };
    let mut lines: Vec<String> = read.iter().take(TOLD).map(line).collect();
    if read.len() > TOLD {
        lines.push(format!("{} more files were read by other programs", read.len() - TOLD));
    }
    lines
}
