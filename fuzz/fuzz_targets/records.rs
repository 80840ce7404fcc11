//! The target `records`.
#![no_main]

#[path = "../bodies/records.rs"]
mod records;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| records::run(bytes));
