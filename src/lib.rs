//! Near-duplicate text detection: SimHash over Rabin fingerprints of word
//! n-grams, with MinHash and exact Jaccard beside it, in any language.
//!
//! A document becomes terms, terms become a fingerprint, and two fingerprints a
//! comparison:
//!
//! ```text
//!  bytes ──decode──extract──▶ text ──detect──tokenise──stop words──stem──▶ terms
//!        corpus                                 text                        │
//!                                                                       n-grams
//!                              ┌── simhash ◀── Σ ±1 ──┐                     │
//!  figures ◀── distance ◀──────┤                      ├── features ◀── Rabin┘
//!  and rules   estimate ◀──────┴── sketch ◀── minima ─┤         sketch
//!        └──── Jaccard ◀───────────── feature set ◀───┘
//!              similarity
//! ```
//!
//! [`pipeline`] conducts; [`corpus`], [`text`], [`sketch`] and [`similarity`] are
//! the stages, and can be used on their own; [`report`] writes results down.
//!
//! ```
//! use dedup::pipeline::{Fingerprinter, Options, compare};
//! use dedup::similarity::{Rule, Rules};
//!
//! # fn main() -> Result<(), dedup::Error> {
//! // Each text's own language is detected unless it is named, as here.
//! let mut options = Options::default();
//! options.text.language = Some("English".parse()?);
//!
//! let mut fingerprinter = Fingerprinter::new(options)?;
//! let a = fingerprinter.analyse(
//!     "The town library opens its new reading room on Monday. Visitors can borrow \
//!      headphones at the desk, and the garden behind the building stays open until dusk.",
//! );
//! let b = fingerprinter.analyse(
//!     "The town library opens its new reading room on Friday. Visitors can borrow \
//!      headphones at the desk, and the garden behind the building stays open until dusk.",
//! );
//! let comparison = compare(&a, &b)?;
//! assert!(comparison.figures.jaccard > Some(0.5));
//! assert_eq!(Rules::default().judge(&comparison.figures, comparison.identical), [Rule::Jaccard]);
//! # Ok(())
//! # }
//! ```

pub mod corpus;
pub mod error;
pub mod pipeline;
pub mod report;
pub mod similarity;
pub mod sketch;
pub mod text;

pub use error::{Error, Result};
