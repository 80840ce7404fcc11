//! The files that mails and messages of Outlook carry.
//!
//! Cost: linear in the bytes.

use crate::foreign::COMPOUND;
use crate::mail::{self, Attachment};
use crate::{Format, Refusal, catch_panic, msg};

/// A hash of 40 bits of the files that a document carries, by its text: 0 if it carries none, as every document but mails
/// and messages. It does not depend on their names and their order.
pub fn carried_by(format: Format, text: &str) -> u64 {
    if !matches!(format, Format::Eml | Format::Msg) {
        return 0;
    }
    let mut digests: Vec<&str> = mail::carried_digests(text).collect();
    if digests.is_empty() {
        return 0;
    }
    digests.sort_unstable();
    let hash = blake3::hash(digests.join(" ").as_bytes());
    let first = hash.as_bytes()[..5].iter().fold(0, |first, &byte| first << 8 | u64::from(byte));
    // A hash of 0 would say that there is none.
    first.max(1)
}

/// True if bytes may begin a mail or a message; false for most files.
pub fn may_carry(bytes: &[u8]) -> bool {
    mail::may_begin(bytes) || bytes.starts_with(COMPOUND)
}

/// True if bytes begin a mail or a message; they need be no more than its header.
pub fn begins(bytes: &[u8]) -> bool {
    mail::begins(bytes) || bytes.starts_with(COMPOUND)
}

/// The files that a mail or a message carries, a mail within it too; none for other bytes.
///
/// # Errors
///
/// [`Refusal::Damaged`] and [`Refusal::TooLarge`].
pub fn attachments(bytes: &[u8]) -> Result<Vec<Attachment>, Refusal> {
    let read = || {
        if msg::begins(bytes) {
            msg::attachments(bytes)
        } else if mail::begins(bytes) {
            mail::attachments(bytes)
        } else {
            Ok(Vec::new())
        }
    };
    catch_panic(read).unwrap_or_else(|what| Err(Refusal::Damaged { format: "mail", what }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_carries_the_files_of_its_last_lines() {
        let line =
            |name: &str, bytes: &[u8]| Attachment { name: name.into(), bytes: bytes.to_vec(), damage: None }.line();
        let of = |lines: &[String]| {
            carried_by(Format::Eml, &format!("From: a\n\nAttachment: see below.\n{}", lines.concat()))
        };
        let [a, b] = [line("a.txt", b"high"), line("b.txt", b"low")];
        assert_eq!(of(&[]), 0);
        let both = of(&[a.clone(), b.clone()]);
        assert!(both > 0 && both < 1 << 40, "{both}");
        assert_eq!(both, of(&[b.clone(), line("other.txt", b"high")]), "other names, another order");
        let others = [of(std::slice::from_ref(&a)), of(std::slice::from_ref(&b)), of(&[a.clone(), a.clone()])];
        assert!(!others.contains(&both) && others[0] != others[1] && others[0] != others[2], "{others:?}");
        assert_eq!(carried_by(Format::Text, &a), 0);
    }
}
