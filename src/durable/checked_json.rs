//! Small JSON files with a checksum: a line with the hexadecimal BLAKE3 hash, then the JSON.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use crate::durable::disk::Stored;
use crate::durable::{disk, paths};

/// Writes a new file and waits until its content is on disk.
///
/// # Errors
///
/// Those of the system.
pub fn write(path: &Path, noted: &impl Serialize) -> io::Result<()> {
    let json = serde_json::to_string(noted)?;
    let mut file = Stored(paths::create(path)?);
    file.write_all(checksum(&json).as_bytes())?;
    file.write_all(json.as_bytes())?;
    disk::sync(&file.0, path)
}

/// The first line of such a file: the checksum of its JSON, with the line break.
pub fn checksum(json: &str) -> String {
    format!("{}\n", blake3::hash(json.as_bytes()))
}

/// The JSON of such a file; `Err` is the damage, beginning with a verb.
///
/// # Errors
///
/// The damage, in words.
pub fn json(text: &str) -> Result<&str, &'static str> {
    let (hash, json) = text.split_once('\n').ok_or("is truncated")?;
    if blake3::hash(json.as_bytes()).to_hex().as_str() == hash {
        Ok(json)
    } else {
        Err("is damaged: its checksum does not match")
    }
}
