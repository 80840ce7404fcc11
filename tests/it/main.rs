//! `dedup` as its users meet it: files in a folder, a command, its whole answer.

mod architecture;
#[cfg(unix)]
mod bad_input;
mod bare;
mod compare;
mod explain;
mod folder;
mod help;
mod languages;
mod readme;
