//! Near-duplicate text detection: SimHash over Rabin fingerprints of n-grams of
//! terms, MinHash and exact Jaccard over those of words, in any language.
//!
//! A document becomes words and terms, these become a fingerprint, fingerprints find
//! their neighbours, and every answer is checked against the shingles:
//!
//! ```text
//!                             text ──▶ words ─────────── n-grams ── Rabin ──▶ shingles
//!                              │                                                 │
//!                            detect ──▶ tokens ── stop words, stems ──▶ terms    │
//!                              text                                       │      │
//!                                                     features ◀─ n-grams ┘      │
//!                                                         │          sketch      │
//!  figures ◀── distance ◀────── simhash ◀────── Σ ±1 ─────┘                      │
//!  and rules   estimate ◀────── sketch ◀─────── minima ◀─────────────────────────┤
//!        └──── Jaccard ◀─────── shingle set ◀────────────────────────────────────┘
//!              similarity                    │
//!                                    fingerprint file, index     store
//!                                            │
//!                          keys ──▶ candidates ──▶ verified pairs     search
//!                                                      │
//!  survivors ◀── each document against the survivors so far ◀┘  (a leader search)
//! ```
//!
//! The folders of the source; arrows show what imports what:
//!
//! ```text
//!  texts ─┬▶ search ──────────────────────┐
//!         ├▶ screen ─▶ translate ─▶ align ─┴▶ store ─▶ similarity ─▶ sketch
//!         └▶ fingerprint ─▶ text     a document becomes words and terms, and these a fingerprint
//!  decontaminate ─▶ screen, text      items of test sets among documents
//!  repeats, lines ─▶ cutting, text, sorter   runs of words that stand twice, lines of many documents
//!  for all: clock, error, memory, observer, parallel, runs; durable (writing that survives a kill) for those that write
//! ```
//!
//! This crate reads no files of documents and knows no formats: `nearcopy-corpus` does, and the command-line program
//! `dedup` and the Python package are built on both.
//!
//! # Tour
//!
//! - Two texts: [`compare`] takes two [`Analysis`] of a [`Fingerprinter`] and returns a [`Comparison`]: [`Figures`],
//!   to be judged by [`Rules`].
//! - Many texts: [`find`] returns a [`Found`], which lists [`Cluster`]s, [`Pair`]s or neighbours. [`FindOptions`] sets
//!   rules, recall, threads and memory.
//! - Without near-duplicates: [`clean`] returns a [`Cleaned`], which has the survivors, the documents that are removed
//!   and those to be reviewed, each [`Removable`] with its claim, a [`Removal`]. [`CleanOptions`] sets the widest claim.
//!   A [`Keep`] policy chooses the survivors, or keys whose [`KeyOrder`] decides
//!   ([`CleanOptions::clean_by_keys`], [`FindOptions::find_by_keys`]).
//! - Passages: [`screen()`] finds the [`SharedPassage`]s that documents share with others, a [`Screened`].
//! - Documents that come and go for years: [`Index`], a folder on disk.
//! - Options of all of these: [`Options`], [`Language`], [`StopWords`], [`NgramRange`], [`Shingles`]. A long run
//!   reports to an [`Observer`], which can stop it.
//!
//! These names are at the top of the crate. The modules below have the stages of the pipeline, for programs that combine
//! them in another way, as `dedup` does; they may change with any version.
//!
//! # Two texts
//!
//! ```
//! use nearcopy::{Fingerprinter, Options, Rule, Rules, compare};
//!
//! # fn main() -> nearcopy::Result<()> {
//! // The language of each text is detected unless it is named, as here.
//! let options = Options::default().language("English".parse()?);
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
//! assert_eq!(Rules::default().judge(&comparison.figures), [Rule::Jaccard]);
//! # Ok(())
//! # }
//! ```
//!
//! # Many texts
//!
//! ```
//! use nearcopy::{FindOptions, Keep, find};
//!
//! # fn main() -> nearcopy::Result<()> {
//! let texts = [
//!     ("a", "Bees measure the distance to a meadow by the stream of images that passes below them."),
//!     ("b", "Bees measure the distance to a meadow by the stream of images that passes below them!"),
//!     ("c", "Tides follow the moon, which pulls the water on the near side more than the earth."),
//! ];
//! let found = find(texts, &FindOptions::new().keep(Keep::First))?;
//! for cluster in found.clusters()? {
//!     let members: Vec<&str> = cluster.members.iter().map(|member| found.id(member.document)).collect();
//!     assert_eq!((found.id(cluster.survivor), members), ("a", vec!["b"]));
//! }
//! # Ok(())
//! # }
//! ```

/// True in WebAssembly without a system, as in a browser: there are no files and no clock.
const IN_BROWSER: bool = cfg!(all(target_family = "wasm", target_os = "unknown"));

pub mod align;
pub mod clock;
pub mod cutting;
pub mod decontaminate;
pub mod durable;
pub mod error;
pub mod fingerprint;
pub mod lines;
pub mod memory;
pub mod observer;
pub mod parallel;
pub mod repeats;
pub mod runs;
pub mod screen;
pub mod search;
pub mod similarity;
pub mod sketch;
pub mod sorter;
pub mod store;
pub mod text;
pub mod texts;
pub mod translate;

pub use error::{Error, Problem, Result};
pub use fingerprint::{Analysis, Comparison, Fingerprint, Fingerprinter, Options, Shingles, compare};
pub use observer::Observer;
pub use screen::documents::{ScreenOptions, Screened, SharedPassage, screen};
pub use search::keep::{Keep, KeyOrder};
pub use similarity::{Figures, Removal, Rule, RuleSet, Rules};
pub use text::{Language, NgramRange, StopList, StopWords};
pub use texts::find::{CleanOptions, Cleaned, Cluster, FindOptions, Found, Member, Pair, Removable, clean, find};
pub use texts::index::{Contents, Index, Similar};
