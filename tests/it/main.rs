//! `dedup` as users see it: files in a folder, a command, its whole output.

mod architecture;
#[cfg(unix)]
mod bad_input;
#[cfg(unix)]
mod bad_records;
mod bare;
#[cfg(target_os = "linux")]
mod bounded_memory;
mod clean;
mod compare;
#[cfg(unix)]
mod crash;
mod explain;
mod find;
mod fingerprint;
mod folder;
mod help;
mod index;
#[cfg(unix)]
mod index_crash;
mod index_damage;
mod index_fingerprints;
mod index_forged;
mod index_texts;
mod index_unique;
mod index_writers;
mod languages;
mod letters;
mod moments;
mod nothing_to_compare;
mod office;
mod pages;
mod readme;
mod screen;
mod screen_archive;
mod screen_languages;
mod screening_page;
#[cfg(unix)]
mod shared;
#[cfg(target_os = "linux")]
mod stopped;
mod targets;
mod texts;
