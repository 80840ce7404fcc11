//! The target `fingerprint_file`.
#![no_main]

#[path = "../bodies/fingerprint_file.rs"]
mod fingerprint_file;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fingerprint_file::run(bytes));
