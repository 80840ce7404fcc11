//! What is noted in a small file: a line of the hexadecimal BLAKE3 hash, then JSON.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use crate::durable::{disk, paths};

/// Writes a new file, and waits until the disk has what is in it.
pub(crate) fn write(path: &Path, noted: &impl Serialize) -> io::Result<()> {
    let json = serde_json::to_string(noted).expect("plain strings and numbers");
    let mut file = paths::create(path)?;
    write!(file, "{}\n{json}", blake3::hash(json.as_bytes()))?;
    disk::sync(&file)
}

/// The JSON of such a file, or what is wrong with it, beginning with a verb.
pub(crate) fn json(text: &str) -> Result<&str, &'static str> {
    let (hash, json) = text.split_once('\n').ok_or("breaks off")?;
    if blake3::hash(json.as_bytes()).to_hex().as_str() == hash {
        Ok(json)
    } else {
        Err("is not as it was written: its checksum does not agree")
    }
}
