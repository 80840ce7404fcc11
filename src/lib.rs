//! Near-duplicate text detection: SimHash over Rabin fingerprints of n-grams of
//! terms, MinHash and exact Jaccard over those of words, in any language.
//!
//! A document becomes words and terms, these become a fingerprint, fingerprints find
//! their neighbours, and every answer is checked against the shingles:
//!
//! ```text
//!  bytes ──decode──extract──▶ text ──▶ words ─────────── n-grams ── Rabin ──▶ shingles
//!        corpus                │                                                 │
//!                            detect ──▶ tokens ── stop words, stems ──▶ terms    │
//!                              text                                       │      │
//!                                                     features ◀─ n-grams ┘      │
//!                                                         │          sketch      │
//!  figures ◀── distance ◀────── simhash ◀────── Σ ±1 ─────┘                      │
//!  and rules   estimate ◀────── sketch ◀─────── minima ◀─────────────────────────┤
//!        └──── Jaccard ◀─────── shingle set ◀────────────────────────────────────┘
//!              similarity                    │
//!                                    fingerprint file       index
//!                                            │
//!                          keys ──▶ candidates ──▶ verified pairs
//!                                                      │
//!  clean corpus ◀── survivors and their members ◀──────┘    cluster
//! ```
//!
//! An [`Index`] keeps documents on disk, and finds those that are near to a text.
//!
//! [`pipeline`] conducts; [`corpus`], [`text`], [`sketch`], [`similarity`], [`index`]
//! and [`cluster`] are the stages, and can be used on their own; [`report`] writes
//! results down, and an [`observer`] hears how far a long run is.
//!
//! Two texts:
//!
//! ```
//! use nearcopy::pipeline::{Fingerprinter, Options, compare};
//! use nearcopy::similarity::{Rule, Rules};
//!
//! # fn main() -> Result<(), nearcopy::Error> {
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
//! assert_eq!(Rules::default().judge(&comparison.figures), [Rule::Jaccard]);
//! # Ok(())
//! # }
//! ```
//!
//! A folder of texts, fingerprinted, searched and clustered:
//!
//! ```
//! use nearcopy::search::cluster::{Effort, Keep, cluster};
//! use nearcopy::corpus::{inputs::Selection, records::Reading};
//! use nearcopy::search::candidates::Plan;
//! use nearcopy::pipeline::{Options, search::gather, store::Job};
//! use nearcopy::similarity::Rules;
//!
//! # fn main() -> Result<(), nearcopy::Error> {
//! let job = Job {
//!     inputs: vec!["data/texts/eng".into()],
//!     selection: Selection::default(),
//!     reading: Reading::default(),
//!     options: Options::default(),
//!     shingles: true,
//!     passages: None,
//!     strict: false,
//!     unique_ids: false,
//!     threads: 2,
//! };
//! let rules = Rules::default();
//! let searched = gather(&job, &[], &std::env::temp_dir(), &rules, &())?;
//! let documents = &searched.collection;
//! let plan = Plan::new(rules, documents.recipe().sketches, documents.len(), 0.995);
//! let effort = Effort { threads: 2, max_memory: 1 << 30 };
//! let clusters = cluster(documents, &plan, &Keep::Longest, effort, &())?;
//! for cluster in clusters.clusters() {
//!     println!("{} stays, for {} others", documents.id(cluster.survivor), cluster.members.len());
//! }
//! assert_eq!((documents.len(), clusters.kept()), (7, 4));
//! # Ok(())
//! # }
//! ```

pub mod corpus;
mod durable;
pub mod error;
pub mod file;
pub mod index;
pub mod observer;
mod parallel;
pub mod pipeline;
pub mod report;
pub mod screen;
pub mod search;
pub mod similarity;
pub mod sketch;
pub mod text;

pub use error::{Error, Result};
pub use pipeline::index::Index;
