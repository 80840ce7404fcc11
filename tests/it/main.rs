//! `dedup` as users see it: files in a folder, a command, its whole output.

mod apply;
mod architecture;
#[cfg(unix)]
mod audit;
#[cfg(unix)]
mod bad_input;
#[cfg(unix)]
mod bad_records;
mod bare;
mod beside;
#[cfg(target_os = "linux")]
mod bounded_memory;
mod clean;
mod columns;
mod compare;
#[cfg(unix)]
mod convert;
#[cfg(unix)]
mod crash;
#[cfg(target_os = "linux")]
mod cut_short;
mod dates;
mod decontaminate;
mod documents;
mod drawn;
mod elsewhere;
mod explain;
mod fates;
mod find;
mod fingerprint;
mod folder;
mod help;
mod hostile_names;
mod index;
mod languages;
mod letters;
mod lines;
mod mail;
mod meanings;
mod moments;
#[cfg(target_os = "linux")]
mod no_memory;
#[cfg(target_os = "linux")]
mod no_threads;
mod nothing_to_compare;
mod numbered;
mod office;
mod pages;
#[cfg(target_os = "linux")]
mod peak_memory;
mod readme;
mod repeats;
mod review;
mod screen;
mod shards;
#[cfg(unix)]
mod shared;
#[cfg(target_os = "linux")]
mod stopped;
mod targets;
mod texts;
mod unread;
mod warc;
mod wrapped;
