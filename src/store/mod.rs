//! What is kept on disk: files of many fingerprints, and indexes, which are folders of such files.

pub mod file;
pub mod index;
