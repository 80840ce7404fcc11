//! The target `index`.
#![no_main]

#[path = "../bodies/index.rs"]
mod index;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| index::run(bytes));
