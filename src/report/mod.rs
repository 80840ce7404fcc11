//! Results written down, for people and for programs.
//!
//! Everything that a person sees names its unit; the keys that programs see are
//! the same in every command.

pub mod comparison;
pub mod explanation;
pub mod languages;

use std::io::{self, Write};

use crate::text::{Detection, Language};

/// Writes a value as indented JSON with a final newline.
fn write_json(out: &mut impl Write, value: &impl serde::Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

/// A 64-bit value as 16 hex digits.
fn hex(value: u64) -> String {
    format!("{value:016x}")
}

/// A language and how sure it is: `English (eng), reliable (confidence 1.00)`.
fn language(detection: &Detection) -> String {
    let Detection { language, likeliest, confidence, .. } = detection;
    if detection.forced {
        format!("{language}, as named")
    } else if detection.reliable {
        format!("{language}, reliable (confidence {confidence:.2})")
    } else if *likeliest == Language::UNDETERMINED {
        format!("{language}: no text that could be told")
    } else {
        format!("{language}: perhaps {likeliest}, but not reliably (confidence {confidence:.2})")
    }
}

/// What programs see of a detected language.
#[derive(serde::Serialize)]
struct LanguageJson {
    language: Language,
    likeliest_language: Language,
    language_confidence: f64,
    language_reliable: bool,
}

impl From<&Detection> for LanguageJson {
    fn from(detection: &Detection) -> Self {
        Self {
            language: detection.language,
            likeliest_language: detection.likeliest,
            language_confidence: detection.confidence,
            language_reliable: detection.reliable,
        }
    }
}
