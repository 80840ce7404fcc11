//! Estimates from a PDF's bytes, before it is opened, how much opening it may cost.
//!
//! The library that opens it unpacks all streams of objects at once, needs some hundred
//! bytes for a `[]`, and recurses when the length of a stream is a reference. These costs
//! are bounded here, by scanning the raw bytes (`cost`) and by counting names and numbers
//! in them. Pictures are scanned too; few names occur in them by chance.
//!
//! Cost: linear.

use std::collections::{HashMap, HashSet};

pub(super) use cost::{objects, operands};

mod cost;
mod places;

/// The memory still allowed, in bytes. Functions that exceed it return `None`.
struct Left(usize);

impl Left {
    fn new(bytes: usize) -> Self {
        Self(bytes)
    }

    fn take(&mut self, bytes: usize) -> Option<()> {
        self.0 = self.0.checked_sub(bytes)?;
        Some(())
    }
}

/// Upper bound on the number of object streams and cross-reference streams in a file: the
/// occurrences of a name that each of them must contain.
pub(super) fn object_streams(bytes: &[u8]) -> usize {
    names(bytes, b"First").chain(names(bytes, b"W")).count()
}

/// True if a file may be encrypted.
pub(super) fn may_be_encrypted(bytes: &[u8]) -> bool {
    names(bytes, b"Encrypt").next().is_some()
}

/// Upper bound on the look-ups that the length of one stream may need: the number of lengths
/// that refer to an object other than a number. A sound file has none, as each reference leads
/// to a number at once.
pub(super) fn length_chain(bytes: &[u8]) -> usize {
    let mut are_numbers: HashMap<u32, bool> = HashMap::new();
    let mut unclear = 0;
    for at in places(bytes, b"obj").filter(|&at| !bytes[..at].ends_with(b"end")) {
        match object_number(&bytes[..at]) {
            Some(number) => {
                let is_number = Cursor::near(&bytes[at + 3..]).number().is_some();
                are_numbers.entry(number).and_modify(|all| *all &= is_number).or_insert(is_number);
            }
            None => unclear += 1,
        }
    }
    let mut said: HashSet<u32> = HashSet::new();
    for after in names(bytes, b"Length") {
        let mut cursor = Cursor::near(after);
        said.extend(cursor.reference());
        // A long comment hides the value.
        unclear += usize::from(cursor.0.is_empty() && after.len() > NEAR);
    }
    let elsewhere = said.iter().filter(|number| are_numbers.get(number) == Some(&false)).count();
    // Lengths in streams of objects: such a chain is at most as long as there are such streams.
    let packed = said.iter().filter(|number| !are_numbers.contains_key(number)).count();
    elsewhere + unclear + packed.min(names(bytes, b"First").count())
}

/// True if the file ends within its last object: no `endobj` follows.
pub(super) fn ends_within_object(bytes: &[u8]) -> bool {
    let begins = |&at: &usize| !bytes[..at].ends_with(b"end") && object_number(&bytes[..at]).is_some();
    let last = places(bytes, b"obj").filter(begins).last();
    last.is_some_and(|last| places(&bytes[last..], b"endobj").next().is_none())
}

fn places<'a>(bytes: &'a [u8], word: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let first = word[0];
    (0..bytes.len()).filter(move |&at| bytes[at] == first && bytes[at..].starts_with(word))
}

/// The bytes after each occurrence of a name.
fn names<'a>(bytes: &'a [u8], name: &'a [u8]) -> impl Iterator<Item = &'a [u8]> + 'a {
    let slashes = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'/');
    slashes.filter_map(move |(at, _)| after_name(&bytes[at + 1..], name))
}

/// The bytes after a name, if bytes begin with it. Any letter of it may be written like `#46`.
fn after_name<'a>(mut bytes: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let digit = |bytes: &[u8], at: usize| bytes.get(at).and_then(|&digit| char::from(digit).to_digit(16));
    for &letter in name {
        let (found, length) = match (bytes.first()?, digit(bytes, 1), digit(bytes, 2)) {
            (b'#', Some(high), Some(low)) => ((16 * high + low) as u8, 3),
            (&found, ..) => (found, 1),
        };
        if found != letter {
            return None;
        }
        bytes = &bytes[length..];
    }
    Some(bytes).filter(|rest| !rest.first().is_some_and(u8::is_ascii_alphanumeric))
}

/// The number of an object whose `obj` comes next: `12 0 `.
fn object_number(before: &[u8]) -> Option<u32> {
    let before = trimmed(before);
    let generation = digits_at_end(before);
    let between = trimmed(&before[..before.len() - generation]);
    let length = digits_at_end(between);
    if generation == 0 || between.len() + generation == before.len() {
        return None;
    }
    std::str::from_utf8(&between[between.len() - length..]).ok()?.parse().ok()
}

fn trimmed(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&byte| !is_white(byte)).map_or(0, |last| last + 1);
    &bytes[..end]
}

/// Number of digits at the end of some bytes, at most 11; more than ten are no object number.
fn digits_at_end(bytes: &[u8]) -> usize {
    bytes.iter().rev().take(11).take_while(|byte| byte.is_ascii_digit()).count()
}

fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0 | 0x0c)
}

/// Number of bytes after a word that are searched for its number. In a sound file the number comes
/// next; a comment may be as long as the file.
const NEAR: usize = 256;

struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    /// A cursor limited to the next [`NEAR`] bytes.
    fn near(bytes: &'a [u8]) -> Self {
        Self(&bytes[..bytes.len().min(NEAR)])
    }

    fn skip_blanks(&mut self) {
        loop {
            let blanks = self.0.iter().take_while(|&&byte| is_white(byte)).count();
            self.0 = &self.0[blanks..];
            if self.0.first() != Some(&b'%') {
                return;
            }
            let comment = self.0.iter().position(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(self.0.len());
            self.0 = &self.0[comment..];
        }
    }

    fn number(&mut self) -> Option<u32> {
        self.skip_blanks();
        let digits = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = std::str::from_utf8(&self.0[..digits]).ok()?.parse().ok();
        self.0 = &self.0[digits..];
        number
    }

    /// The number of the object in a reference like `12 0 R`.
    fn reference(&mut self) -> Option<u32> {
        let object = self.number()?;
        self.number()?;
        self.skip_blanks();
        (self.0.first() == Some(&b'R')).then_some(object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_of_objects_are_counted_however_they_are_written() {
        assert_eq!(object_streams(b"<</First 1>> <</#46irst 2>> /W [1] /First1 /Fir /#4"), 3);
        assert_eq!(object_streams(b"/Width /FirstChar /W/First"), 2);
    }

    #[test]
    fn lengths_that_lead_on_and_on_are_counted() {
        let sound = "3 0 obj <</Length 4 0 R>> stream endstream endobj 4 0 obj 12 endobj 5 0 obj\n<</Length 7>> endobj";
        assert_eq!(length_chain(sound.as_bytes()), 0);
        let chain: String = (3..50).map(|i| format!("{i} 0 obj <</#4cength%x\n{} 0 R>> endobj ", i + 1)).collect();
        assert_eq!(length_chain(chain.as_bytes()), 46);
        // An object that is also a number, visibly or hidden by a comment.
        assert_eq!(length_chain(b"3 0 obj <</Length 4 0 R>> 4 0 obj 5 endobj 4 0 obj <<>> endobj"), 1);
        assert_eq!(length_chain(b"3 0 obj <</Length 4 0 R>> 4 0 obj 5 endobj 4 0%\nobj <<>> endobj"), 1);
        assert_eq!(length_chain(b"obj"), 1);
        // A reference behind a long comment.
        let far = format!("/Length%{}\n7 0 R", "x".repeat(NEAR));
        assert_eq!(length_chain(far.as_bytes()), 1);
        assert_eq!(length_chain(b"/First 9 3 0 obj <</Length 4 0 R>> /Length 5 0 R"), 1);
    }
}
