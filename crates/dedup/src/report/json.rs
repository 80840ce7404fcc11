//! JSON that is safe to print on a terminal.
//!
//! JSON requires escapes only for the first 32 characters. Other characters that control a terminal or
//! the direction of text are escaped here too (`\u009b`): a program reads the same text.

use std::io::{self, Write};

use serde::Serialize;

use super::escape::visible;

/// Writes a value on one line, without a line end.
///
/// # Errors
///
/// Those of the writer.
pub fn write(out: &mut (impl Write + ?Sized), value: &impl Serialize) -> io::Result<()> {
    Ok(serde_json::to_writer(Tame(out), value)?)
}

/// Writes a value in indented lines, without the last line end.
///
/// # Errors
///
/// Those of the writer.
pub(super) fn write_indented(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    Ok(serde_json::to_writer_pretty(Tame(out), value)?)
}

/// Appends the JSON escape of a character.
pub(super) fn escape(c: char, to: &mut String) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        to.extend(["\\u", &format!("{unit:04X}")]);
    }
}

/// A writer that escapes such characters in JSON. Characters beyond ASCII occur in strings only. Each
/// write must hold whole characters, as those of `serde_json` do.
struct Tame<W>(W);

impl<W: Write> Write for Tame<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_plain = bytes.is_ascii() && !bytes.contains(&0x7f);
        let text = if is_plain { None } else { std::str::from_utf8(bytes).ok() };
        let commands = |c: char| !c.is_ascii_whitespace() && visible(c) != c;
        match text.filter(|text| text.contains(commands)) {
            None => self.0.write_all(bytes)?,
            Some(text) => {
                let mut written = String::with_capacity(text.len() + 16);
                for c in text.chars() {
                    if commands(c) { escape(c, &mut written) } else { written.push(c) }
                }
                self.0.write_all(written.as_bytes())?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_reads_the_same_text() {
        let text = "潮 \u{1b}[2J \u{9b}1m \u{202e}\u{2069} \u{7f} \u{ffff}\u{1fffe} \u{200f} \"\\\n";
        let (mut line, mut indented) = (Vec::new(), Vec::new());
        write(&mut line, &[text]).unwrap();
        write_indented(&mut indented, &[text]).unwrap();
        let expected =
            "[\"潮 \\u001b[2J \\u009B1m \\u202E\\u2069 \\u007F \\uFFFF\\uD83F\\uDFFE \u{200f} \\\"\\\\\\n\"]";
        assert_eq!(String::from_utf8(line.clone()).unwrap(), expected);
        for written in [line, indented] {
            assert_eq!(serde_json::from_slice::<[String; 1]>(&written).unwrap(), [text]);
        }
    }
}
