//! The mails of a mailbox, read from front to back.
//!
//! A line that begins with `From ` and has a time, after an empty line or at the beginning, begins a mail; a `>` before
//! `From ` in the text of a mail is taken away.
//!
//! Cost: one pass over the mailbox, and one mail in memory.
//!
//! Source: RFC 4155 (appendix A).

use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use nearcopy_extract::mail;

use super::origin::Origin;
use super::{Member, Room};
use crate::compression::Compression;
use crate::error::Reason;

/// The first bytes of the line that begins a mail.
const BEGIN: &[u8] = b"From ";

/// Maximum length in bytes of a line that is looked at.
const LINE: u64 = 1 << 10;

/// The mails that are still to be read.
pub(crate) struct Mails {
    from: BufReader<Box<dyn Read + Send>>,
    room: Room,
    read: Arc<AtomicU64>,
    told: u64,
    /// The number of the mail that is being read; 0 before the first.
    number: usize,
    is_over: bool,
}

impl Mails {
    /// The mails of a mailbox; `None` if it cannot be opened, or is none.
    pub(super) fn open(origin: &Origin, compression: Option<Compression>, room: Room) -> Option<Self> {
        let read = Arc::default();
        let mut head = Vec::new();
        origin.stream(compression, &read).ok()?.take(LINE).read_to_end(&mut head).ok()?;
        if !begins(&head) {
            return None;
        }
        read.store(0, Ordering::Relaxed);
        let from = BufReader::new(origin.stream(compression, &read).ok()?);
        Some(Self { from, room, read, told: 0, number: 0, is_over: false })
    }

    /// The next mail; one beyond `limit` bytes is a problem.
    pub(super) fn next(&mut self, limit: u64) -> Option<Member> {
        if self.is_over {
            return None;
        }
        let content = self.mail(limit).unwrap_or_else(|error| {
            self.is_over = true;
            Some(Err(Reason::unended(&error, Some("the mails before the error were read"))))
        })?;
        let read = self.read.load(Ordering::Relaxed);
        let packed = read - std::mem::replace(&mut self.told, read);
        Some(Member { name: format!("{}.eml", self.number), content, packed, date: None })
    }

    /// The bytes of the next mail, or the reason why it is not read; `None` at the end.
    fn mail(&mut self, limit: u64) -> io::Result<Option<Result<Vec<u8>, Reason>>> {
        let (mut content, mut is_long, mut line) = (Vec::new(), false, Vec::new());
        // The line that begins the first mail is still to be read; that of each other ended the mail before.
        let (mut begins_line, mut is_after_empty) = (true, self.number == 0);
        self.number += 1;
        let mut is_first = self.number == 1;
        loop {
            line.clear();
            if self.from.by_ref().take(LINE).read_until(b'\n', &mut line)? == 0 {
                self.is_over = true;
                return Ok((!is_first).then(|| finished(content, is_long, limit)));
            }
            if let Err(reason) = self.room.take(line.len() as u64) {
                self.is_over = true;
                return Ok(Some(Err(reason)));
            }
            if begins_line && is_after_empty && begins_mail(&line) {
                let ended = !std::mem::replace(&mut is_first, false);
                if ended {
                    return Ok(Some(finished(content, is_long, limit)));
                }
                is_after_empty = false;
                continue;
            }
            is_after_empty = begins_line && matches!(&line[..], b"\n" | b"\r\n");
            let marks = line.iter().take_while(|&&byte| byte == b'>').count();
            let is_marked = begins_line && marks > 0 && line[marks..].starts_with(BEGIN);
            begins_line = line.ends_with(b"\n");
            is_long |= (content.len() + line.len()) as u64 > limit;
            if !is_long {
                content.extend_from_slice(&line[usize::from(is_marked)..]);
            }
        }
    }
}

fn finished(content: Vec<u8>, is_long: bool, limit: u64) -> Result<Vec<u8>, Reason> {
    if is_long { Err(Reason::TooLong(limit)) } else { Ok(content) }
}

/// True if bytes begin as a mailbox: with the line that begins a mail, and a field of its header.
pub(super) fn begins(head: &[u8]) -> bool {
    let mut lines = head.split_inclusive(|&byte| byte == b'\n');
    lines.next().is_some_and(begins_mail) && lines.next().is_some_and(mail::may_begin)
}

/// True for a line such as `From ann@example.org Wed May  1 12:30:00 2024`.
fn begins_mail(line: &[u8]) -> bool {
    let is_time = |part: &[u8]| matches!(part, [a, b, b':', c, d] if [a, b, c, d].iter().all(|it| it.is_ascii_digit()));
    line.starts_with(BEGIN) && line.windows(5).any(is_time)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mails(mailbox: &str, limit: u64) -> Vec<(String, Option<String>)> {
        let mut mails = Mails::open(&Origin::Held(mailbox.as_bytes().into()), None, Room::of(0)).unwrap();
        std::iter::from_fn(|| mails.next(limit))
            .map(|Member { name, content, .. }| (name, content.ok().map(|bytes| String::from_utf8(bytes).unwrap())))
            .collect()
    }

    #[test]
    fn a_mailbox_is_many_mails() {
        let begin = "From a@example.org Wed May  1 12:30:00 2024\n";
        let box_ = format!(
            "{begin}From: a\n\nHigh.\n>From there\n>>From here\nFrom now on at 12:30\n\n{begin}From: b\n\nLow.\n\nFrom then on.\n"
        );
        assert!(begins(box_.as_bytes()));
        let found = mails(&box_, 1000);
        let text = |number: usize| found[number].1.as_deref().unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found[1].0, "2.eml");
        assert_eq!(text(0), "From: a\n\nHigh.\nFrom there\n>From here\nFrom now on at 12:30\n\n");
        assert_eq!(text(1), "From: b\n\nLow.\n\nFrom then on.\n");
        let long = format!("{begin}From: a\n\n{}\n\n{begin}From: b\n\nLow.\n", "tide ".repeat(1000));
        let found = mails(&long, 100);
        assert_eq!((&found[0].1, found[1].1.as_deref()), (&None, Some("From: b\n\nLow.\n")));
        assert!(Mails::open(&Origin::Held((*b"").into()), None, Room::of(0)).is_none());
        for none in ["", "From ann\n", "From a 12:30\nHello you\n", "Dear Ann: \n", begin] {
            assert!(!begins(none.as_bytes()), "{none}");
        }
    }
}
