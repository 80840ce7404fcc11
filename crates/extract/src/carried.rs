//! The files that mails and messages of Outlook carry.
//!
//! Cost: linear in the bytes.

use crate::foreign::COMPOUND;
use crate::mail::{self, Attachment};
use crate::{Refusal, catch_panic, msg};

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
