//! The program `dedup`: what a command line asks for, done on files and reported.
//!
//! A command has a file of its name in `cli`, which reads its options, and in [`jobs`], which does its work; what it
//! prints is written in [`report`]. The Python package uses its pages, and runs the program as `python -m nearcopy`.

#[cfg(feature = "cli")]
pub mod cli;
pub mod error;
pub mod jobs;
pub mod report;

pub use error::{Error, Result};
