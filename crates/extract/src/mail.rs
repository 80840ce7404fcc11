//! The date of a mail, which is read as plain text.
//!
//! A text is a mail if it begins with header fields, among them `From` and `Date`, up to an empty line. A mailbox of
//! many mails begins with another line and has no date.
//!
//! Cost: linear in the header, of at most [`HEAD`] bytes.
//!
//! Source: RFC 5322 (2.2: header fields, 3.6.1: the date).

use crate::date;

/// Maximum length of a header in bytes.
const HEAD: usize = 64 << 10;

/// The date in the header of a mail; `None` if a text is no mail, or states none.
pub(crate) fn date(text: &str) -> Option<i64> {
    let head = &text[..text.floor_char_boundary(HEAD)];
    let (mut has_sender, mut found, mut is_date) = (false, None::<String>, false);
    for line in head.lines() {
        if line.is_empty() {
            return found.filter(|_| has_sender).and_then(|found| date::mail(&found));
        }
        if line.starts_with([' ', '\t']) {
            // A line that continues the field before.
            found.iter_mut().filter(|_| is_date).for_each(|found| *found += line);
            continue;
        }
        let (name, value) = line.split_once(':')?;
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_graphic()) {
            return None;
        }
        has_sender |= name.eq_ignore_ascii_case("from");
        is_date = name.eq_ignore_ascii_case("date") && found.is_none();
        if is_date {
            found = Some(value.to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_mail_has_the_date_of_its_header() {
        let header =
            "Received: by x\r\n\tfor y\r\nFrom: Ann <a@example.org>\r\nDate: Wed,\r\n 1 May 2024 12:30:00 +0000\r\n";
        let mail = format!("{header}Subject: Tides\r\n\r\nDate: 2 May 2024 12:30:00 +0000\r\n");
        assert_eq!(date(&mail), Some(1_714_566_600));
        assert_eq!(date(&format!("{mail}\nFrom: b\n")), Some(1_714_566_600));
        for none in [
            String::new(),
            header.into(),
            format!("From ann Wed May 1\r\n{mail}"),
            mail.replace("From:", "To:"),
            mail.replace("1 May", "99 May"),
            format!("A letter of that day:\n\n{mail}"),
            format!("From: {}\n{mail}", "ä".repeat(HEAD)),
            "From: me\nNo field here\nDate: 1 May 2024 12:30:00 +0000\n\n".into(),
        ] {
            assert_eq!(date(&none), None, "{none:.200}");
        }
    }
}
