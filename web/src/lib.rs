//! The program as one page: what a browser calls.
//!
//! A page gives the bytes of files: essays, sources and the assignment, or those of a folder. It receives what was found as
//! JSON, and the page that `dedup screen --html` or `dedup audit --html` writes. Nothing is read from elsewhere and nothing
//! is sent.
//!
//! ```text
//!  page ──allocate──▶ bytes ──add──▶ files ───run────▶ answer: JSON, or what is wrong
//!        ◀──told, panicked── (imports)                 └──▶ page: HTML, list: CSV
//! ```
//!
//! The calls (`calls.rs`) have plain numbers as arguments, as WebAssembly has no others. A panic ends an instance of the
//! module: the page then makes a new one.

#[cfg(target_family = "wasm")]
mod calls;
mod essays;
mod folder;

pub use essays::{Asked, Found, Role, Two, screen};
pub use folder::{Counts, audit};
