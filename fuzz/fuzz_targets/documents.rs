//! The target `documents`.
#![no_main]

#[path = "../bodies/documents.rs"]
mod documents;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| documents::run(bytes));
