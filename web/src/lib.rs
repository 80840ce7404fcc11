//! The program as one page: what a browser calls.
//!
//! A page gives the bytes of files, the essays, the sources and the assignment, and receives what was found as JSON and
//! the page that `dedup screen --html` writes. Nothing is read from elsewhere and nothing is sent.
//!
//! ```text
//!  page ──allocate──▶ bytes ──add──▶ files ──screen──▶ answer: JSON, or what is wrong
//!        ◀──told, panicked── (imports)                 └──▶ page: HTML
//! ```
//!
//! The calls (`calls.rs`) have plain numbers as arguments, as WebAssembly has no others. A panic ends an instance of the
//! module: the page then makes a new one.

#[cfg(target_family = "wasm")]
mod calls;
mod essays;

pub use essays::{Asked, Found, Role, Two, screen};
