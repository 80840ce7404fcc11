//! The jobs, one for each command: options in, outcome out. They join the stages, which do not know each other.
//!
//! - [`fingerprint`] reads many documents and writes their fingerprints to a file.
//! - [`audit`] says of every file what it is to the others, and [`apply`] carries out its plan.
//! - [`find`] gathers the fingerprints that are searched for near-duplicates, and [`clean`] writes the survivors;
//!   [`review`] finds where documents differ that a wider claim would remove.
//! - [`decontaminate`] finds items of test sets among documents.
//! - [`repeats`] finds runs of words that stand twice, [`lines`] lines that stand in many documents, and both cut them by
//!   what [`cutting`] has.
//! - [`screen`] finds passages that documents share with others.
//! - [`lexicon`] makes lexicons of dictionaries, for passages that were translated.
//! - [`index`] keeps fingerprints in a folder, to which documents can be added and from which they can be removed.
//!
//! Several jobs share [`passes`] (documents that are read several times), `reading` (on all threads), `seen` (the files that a
//! reading had), [`texts`] (texts that are read again) and [`kept`] (what is left of the inputs is written).

pub mod apply;
pub mod audit;
pub mod authors;
pub mod clean;
pub mod cutting;
pub mod decontaminate;
pub mod excerpts;
mod file_digest;
pub mod find;
pub mod fingerprint;
mod ids;
pub mod index;
pub mod kept;
pub mod lexicon;
pub mod lines;
pub mod passes;
mod reading;
pub mod repeats;
pub mod review;
pub mod screen;
mod seen;
pub mod texts;

#[cfg(test)]
mod tests;
