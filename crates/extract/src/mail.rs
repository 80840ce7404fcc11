//! Mails: a header, and a body of parts.
//!
//! The text of a mail is its sender, receivers, date and subject, a line each, then its text: that of the plain parts, and
//! of web pages where a part has nothing plainer; then a line for each attachment with its size and a digest, so that mails
//! with other attachments are other texts. The rest of the header tells how the mail travelled and is left out: the
//! same mail saved by two programs is one text. Lines of a quoted reply begin with `>` and stay.
//!
//! A file is a mail if it begins with header fields, among them `From`, `Date` and one that only mails have, up to an empty
//! line. Other texts that begin with `From` and `Date` are plain texts with a date.
//!
//! Cost: linear in the bytes.
//!
//! Source: RFC 5322 (2.2: header fields, 3.6.1: the date), RFC 2045 to 2049 (parts), read by the crate `mail-parser`.

use std::borrow::Cow;
use std::fmt::Write as _;

use mail_parser::{Addr, Address, HeaderName, Message, MessagePart, MimeHeaders, PartType};

use crate::{Extracted, Refusal, date, html};

pub(crate) mod alternative;
mod parse;

/// Maximum length of a header in bytes.
const HEAD: usize = 64 << 10;

/// Fields of which every mail has one that was sent or saved by a program.
const OF_MAILS: [&str; 4] = ["message-id", "mime-version", "received", "return-path"];

/// A file that a mail carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// Its name as the mail has it, or one made of its number.
    pub name: String,
    /// Its bytes; if they are damaged, those that could be decoded, or as the mail has them.
    pub bytes: Vec<u8>,
    /// Why its bytes are not what was sent; `None` if they are.
    pub damage: Option<&'static str>,
}

impl Attachment {
    /// Its line in the text of a mail.
    pub(crate) fn line(&self) -> String {
        let digest = blake3::hash(&self.bytes).to_hex();
        format!("\n{ATTACHMENT}{}, {}{DIGEST}{}", self.name, self.bytes.len(), &digest[..16])
    }
}

/// The beginning of the line of an attachment, and what stands before its digest.
const ATTACHMENT: &str = "Attachment: ";
const DIGEST: &str = " bytes, BLAKE3 ";

/// The digests of attachments in the last lines of the text of a mail, the last first.
pub(crate) fn carried_digests(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().rev().map_while(|line| line.strip_prefix(ATTACHMENT));
    lines.filter_map(|line| line.rsplit_once(DIGEST).map(|(_, digest)| digest))
}

/// The beginning of the text of a mail.
#[derive(Debug, Default)]
pub(crate) struct Header {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) cc: String,
    pub(crate) bcc: String,
    /// A [`date::line`], or what the mail has in its place.
    pub(crate) date: Option<String>,
    pub(crate) subject: Option<String>,
}

impl Header {
    /// A line for each field that it has.
    pub(crate) fn lines(&self) -> String {
        let mut text = String::new();
        for (name, value) in [("From", &self.from), ("To", &self.to), ("Cc", &self.cc), ("Bcc", &self.bcc)] {
            if !value.is_empty() {
                let _ = writeln!(text, "{name}: {value}");
            }
        }
        if let Some(date) = &self.date {
            let _ = writeln!(text, "Date: {date}");
        }
        if let Some(subject) = &self.subject {
            let _ = writeln!(text, "Subject: {}", subject.trim());
        }
        text
    }
}

/// What is known from the header of a text.
#[derive(Debug, Default)]
struct Head {
    has_sender: bool,
    is_of_mail: bool,
    date: Option<String>,
}

impl Head {
    /// The header at the beginning of a text; `None` if there is none.
    fn of(text: &str) -> Option<Self> {
        let (mut found, mut is_date) = (Self::default(), false);
        for line in text[..text.floor_char_boundary(HEAD)].lines() {
            if line.is_empty() {
                return Some(found);
            }
            if line.starts_with([' ', '\t']) {
                // A line that continues the field before.
                found.date.iter_mut().filter(|_| is_date).for_each(|date| *date += line);
                continue;
            }
            let (name, value) = line.split_once(':')?;
            if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_graphic()) {
                return None;
            }
            found.has_sender |= name.eq_ignore_ascii_case("from");
            found.is_of_mail |= OF_MAILS.iter().any(|field| name.eq_ignore_ascii_case(field));
            is_date = name.eq_ignore_ascii_case("date") && found.date.is_none();
            if is_date {
                found.date = Some(value.to_owned());
            }
        }
        None
    }

    /// The header of bytes.
    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        // The names of fields are ASCII in every mail.
        Self::of(&String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]))
    }

    fn date(&self) -> Option<i64> {
        self.date.as_deref().filter(|_| self.has_sender).and_then(date::mail)
    }
}

/// The date in the header of a text that begins as a mail; `None` if it does not, or states none.
pub(crate) fn date(text: &str) -> Option<i64> {
    Head::of(text)?.date()
}

/// True if bytes begin with a name and a colon, as every mail does and most files do not.
pub fn may_begin(bytes: &[u8]) -> bool {
    let name = bytes.iter().take(HEAD).take_while(|byte| byte.is_ascii_graphic() && **byte != b':').count();
    name > 0 && bytes.get(name) == Some(&b':')
}

/// True if bytes begin as a mail.
pub fn begins(bytes: &[u8]) -> bool {
    may_begin(bytes)
        && Head::of_bytes(bytes).is_some_and(|head| head.has_sender && head.is_of_mail && head.date.is_some())
}

/// A plain part that has so many times fewer words than the web page beside it does not stand for it.
const STUB: usize = 2;

/// The text of a mail.
pub(crate) fn text(bytes: &[u8]) -> Result<Extracted, Refusal> {
    parse::read(bytes, text_of)?
}

/// The text of a parsed mail, given whether its end is missing.
fn text_of(mail: &Message<'_>, is_truncated: bool) -> Result<Extracted, Refusal> {
    let addressed = |value: Option<&Address<'_>>| value.map(addresses).unwrap_or_default();
    let stated = stated_date(mail);
    let date = stated.as_deref().and_then(date::mail);
    let header = Header {
        from: addressed(mail.from()),
        to: addressed(mail.to()),
        cc: addressed(mail.cc()),
        bcc: addressed(mail.bcc()),
        // As it stands, if it cannot be read: a mail of another date is another text.
        date: date.map(date::line).or(stated),
        subject: mail.subject().map(str::to_owned),
    };
    let mut text = header.lines();
    let of_text = || mail.text_bodies().chain(mail.html_bodies());
    if of_text().any(parse::is_undecoded) {
        return Err(Refusal::Damaged {
            format: "mail",
            what: "the Base64 of its text is malformed or truncated".into(),
        });
    }
    let bodies = |parts: &mut dyn Iterator<Item = &MessagePart<'_>>| {
        let (mut bodies, mut replaced) = (String::new(), 0);
        for part in parts {
            replaced += usize::from(part.is_encoding_problem);
            let body = match &part.body {
                PartType::Text(text) => Cow::Borrowed(text.trim_end()),
                PartType::Html(page) => Cow::Owned(html::visible(page)),
                _ => continue,
            };
            let _ = write!(bodies, "\n{}\n", body.replace("\r\n", "\n"));
        }
        (bodies, replaced)
    };
    let plain = bodies(&mut mail.text_bodies());
    // A mail without alternatives has the same parts in both.
    let pages = (mail.html_body != mail.text_body).then(|| bodies(&mut mail.html_bodies()));
    let words = |body: &str| body.split_whitespace().count();
    let (mut body, mut replaced) = plain;
    if let Some(pages) = pages {
        // The plain part may be empty, or only say that there is a page.
        if STUB * words(&body) < words(&pages.0) {
            (body, replaced) = pages;
        } else {
            let unsaid = alternative::unsaid(&body, &pages.0);
            replaced += if unsaid.is_empty() { 0 } else { pages.1 };
            body.push_str(&unsaid);
        }
    }
    text.push_str(&body);
    // What is missing of it is unknown.
    let mut pictured = usize::from(is_truncated || of_text().any(|part| parse::damage(mail, part).is_some()));
    for attachment in attachments_of(mail) {
        pictured += usize::from(attachment.damage.is_some());
        text.push_str(&attachment.line());
    }
    Ok(Extracted { text, replaced, pictured, date, ..Extracted::default() })
}

/// The files that a mail carries; a mail within it is one of them.
pub(crate) fn attachments(bytes: &[u8]) -> Result<Vec<Attachment>, Refusal> {
    parse::read(bytes, |mail, _| attachments_of(mail).collect())
}

fn attachments_of(mail: &Message<'_>) -> impl Iterator<Item = Attachment> {
    (1..).zip(mail.attachments()).map(|(number, part)| attachment(mail, number, part))
}

/// The first field `Date` of a mail, in one line.
fn stated_date(mail: &Message<'_>) -> Option<String> {
    let field = mail.headers().iter().find(|field| field.name == HeaderName::Date)?;
    let value = mail.raw_message.get(field.offset_start as usize..field.offset_end as usize)?;
    let value = String::from_utf8_lossy(value).split_whitespace().collect::<Vec<_>>().join(" ");
    (!value.is_empty()).then_some(value)
}

fn attachment(mail: &Message<'_>, number: usize, part: &MessagePart<'_>) -> Attachment {
    let (bytes, ending): (&[u8], _) = match &part.body {
        PartType::Text(text) => (text.as_bytes(), "txt"),
        PartType::Html(page) => (page.as_bytes(), "html"),
        PartType::Binary(bytes) | PartType::InlineBinary(bytes) => (bytes, "bin"),
        PartType::Message(mail) => (mail.raw_message(), "eml"),
        PartType::Multipart(_) => (&[], "bin"),
    };
    let named = part.attachment_name().map(str::trim).filter(|name| !name.is_empty() && !name.contains(['\n', '\r']));
    Attachment {
        name: named.map_or_else(|| format!("attachment-{number}.{ending}"), str::to_owned),
        bytes: bytes.to_vec(),
        damage: parse::damage(mail, part),
    }
}

/// Addresses in one line.
fn addresses(addresses: &Address<'_>) -> String {
    let one = |address: &Addr<'_>| match (address.name(), address.address()) {
        (Some(name), Some(address)) => format!("{name} <{address}>"),
        (name, address) => name.or(address).unwrap_or_default().to_owned(),
    };
    addresses.iter().map(one).filter(|address| !address.is_empty()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str =
        "Received: by x\r\n\tfor y\r\nFrom: Ann <a@example.org>\r\nDate: Wed,\r\n 1 May 2024 12:30:00 +0000\r\n";

    #[test]
    fn only_a_mail_has_the_date_of_its_header() {
        let mail = format!("{HEADER}Subject: Tides\r\n\r\nDate: 2 May 2024 12:30:00 +0000\r\n");
        assert_eq!(date(&mail), Some(1_714_566_600));
        assert!(begins(mail.as_bytes()));
        assert_eq!(date(&format!("{mail}\nFrom: b\n")), Some(1_714_566_600));
        for none in [
            String::new(),
            HEADER.into(),
            format!("From ann Wed May 1\r\n{mail}"),
            mail.replace("From:", "To:"),
            format!("A letter of that day:\n\n{mail}"),
            format!("From: {}\n{mail}", "ä".repeat(HEAD)),
            "From: me\nNo field here\nDate: 1 May 2024 12:30:00 +0000\n\n".into(),
        ] {
            assert_eq!(date(&none), None, "{none:.200}");
            assert!(!begins(none.as_bytes()), "{none:.200}");
        }
        assert_eq!(date(&mail.replace("1 May", "99 May")), None);
        assert!(!begins(mail.replace("Received:", "X-Note:").as_bytes()), "a text with a date");
    }

    #[test]
    fn the_same_mail_in_other_encodings_is_one_text() {
        let plain = format!(
            "{HEADER}Subject: Ebbe\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nDie Flut kommt \
             spät.\r\n> Wann?\r\n"
        );
        let packed = "Message-ID: <1@x>\nFrom: =?utf-8?q?Ann?= <a@example.org>\nDate: Wed, 1 May 2024 12:30:00 +0000\n\
            Subject: =?utf-8?b?RWJiZQ==?=\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n\
            --b\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n\
            Die Flut kommt sp=E4t.\n> Wann?\n\n--b\nContent-Type: text/html\n\n<p>Die Flut</p>\n--b--\n";
        let [a, b] = [plain.as_bytes(), packed.as_bytes()].map(|mail| text(mail).unwrap());
        assert_eq!(a.text, b.text);
        assert_eq!(
            a.text,
            "From: Ann <a@example.org>\nDate: 2024-05-01T12:30:00Z\nSubject: Ebbe\n\nDie Flut kommt spät.\n> Wann?\n"
        );
        // A plain part that does not stand for the page beside it.
        for stub in
            ["Die Flut kommt sp=E4t.\n> Wann?\n\n--b\nContent-Type: text/html", " \n\n--b\nContent-Type: text/html"]
        {
            let (before, _) = packed.split_once("Die Flut kommt sp").unwrap();
            let mail = format!("{before}{stub}\n\n<p>{}</p>\n--b--\n", "The offer is withdrawn. ".repeat(4));
            assert!(text(mail.as_bytes()).unwrap().text.ends_with("offer is withdrawn.\n\n"), "{mail}");
        }
        assert_eq!((a.date, attachments(packed.as_bytes()).unwrap().len()), (Some(1_714_566_600), 0));
    }

    #[test]
    fn every_mail_has_the_line_of_its_date() {
        let line = |date: &str| {
            let mail = format!("From: a@example.org\r\nDate: {date}\r\nMessage-ID: <1@x>\r\n\r\nHello.\r\n");
            let Extracted { text, date, .. } = text(mail.as_bytes()).unwrap();
            (text.lines().find_map(|line| line.strip_prefix("Date: ")).unwrap_or_default().to_owned(), date)
        };
        for date in [
            "Mon, 2 Mar 2020 11:00:00 +0100",
            "Mon, 2 Mar 2020 10:00 +0000",
            "Mon,\r\n 2 March 2020 10:00:00 +0000",
            "2020-03-02 10:00:00",
            "Mon Mar  2 10:00:00 2020",
            "Monday, 2-Mar-20 10:00:00 GMT",
            "Mon, 2 Mar 2020 10:00:00",
        ] {
            assert_eq!(line(date), ("2020-03-02T10:00:00Z".into(), Some(1_583_143_200)), "{date}");
        }
        for date in ["Mon, 32 Mar 2020 10:00:00 +0000", "2. März 2020", "Thu, 1 Jan 1970 00:00:00 +0000"] {
            assert_eq!(line(date), (date.into(), None), "no date that is known");
        }
        assert_eq!(line("a\r\n\tb"), ("a b".into(), None));
    }

    #[test]
    fn what_only_the_page_of_a_mail_says_is_text() {
        let mail = |page: &str| {
            format!(
                "{HEADER}MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n\
                 Content-Type: text/plain\r\n\r\nDear Ann, please pay\r\nto account 17 <https://example.org>.\r\n\
                 \r\n> When?\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n{page}\r\n--b--\r\n"
            )
        };
        let read = |page: &str| text(mail(page).as_bytes()).unwrap().text.split_once("\n\n").unwrap().1.to_owned();
        let plain = "Dear Ann, please pay\nto account 17 <https://example.org>.\n\n> When?\n";
        let page = |number| format!("<p>Dear Ann,<p>please pay to <a href='https://example.org'>account {number}</a>.");
        assert_eq!(read(&page(17)), plain);
        assert_eq!(read(&page(71)), format!("{plain}\nplease pay to account 71.\n"));
    }

    #[test]
    fn receivers_that_others_do_not_see_are_receivers() {
        let mail = format!("{HEADER}To: b@example.org\r\nBcc: c@example.org, Dee <d@example.org>\r\n\r\nHello.\r\n");
        let text = text(mail.as_bytes()).unwrap().text;
        assert!(text.contains("To: b@example.org\nBcc: c@example.org, Dee <d@example.org>\n"), "{text}");
    }

    #[test]
    fn attachments_are_files_and_part_of_the_text_by_their_digests() {
        let mail = |content: &str| {
            format!(
                "{HEADER}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: \
                 text/html\r\n\r\n<p>See the file.</p>\r\n--b\r\nContent-Type: text/plain; name=\"tide.txt\"\r\n\
                 Content-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n{content}\r\n--b\r\n\
                 Content-Type: message/rfc822\r\n\r\nFrom: b@example.org\r\nSubject: inner\r\n\r\nHello.\r\n--b--\r\n"
            )
        };
        let [a, b] = ["aGlnaA==", "bG93"].map(mail);
        let carried = attachments(a.as_bytes()).unwrap();
        assert_eq!(carried[0], Attachment { name: "tide.txt".into(), bytes: b"high".into(), damage: None });
        assert_eq!(carried[1].name, "attachment-2.eml");
        assert!(carried[1].bytes.starts_with(b"From: b@example.org"), "{carried:?}");
        let [a, b] = [a, b].map(|mail| text(mail.as_bytes()).unwrap().text);
        assert!(a.contains("\nSee the file.\n") && a.contains("\nAttachment: tide.txt, 4 bytes, BLAKE3 "), "{a}");
        assert_ne!(a, b);
    }
}
