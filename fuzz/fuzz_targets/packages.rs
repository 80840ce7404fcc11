//! The target `packages`.
#![no_main]

#[path = "../bodies/packages.rs"]
mod packages;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| packages::run(bytes));
