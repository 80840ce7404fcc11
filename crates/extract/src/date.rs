//! Dates that documents and archives state, in seconds since 1970 (UTC).
//!
//! Each format writes dates in its own way ([`iso`], [`mail`], [`pdf`], [`dos`]). A date without a zone counts as UTC.
//! A date that programs write where they know none ([`PLACEHOLDERS`]) is ignored, and so are malformed ones and those
//! that do not fit 64 bits in nanoseconds, before 1678 or after 2261: file times are compared in nanoseconds.
//!
//! Source: ISO 8601 in the profiles of W3C (*Date and Time Formats*) and RFC 3339; RFC 5322 (3.3); ISO 32000-1 (7.9.4).

use chrono::{DateTime, Month, NaiveDate, SecondsFormat};

/// Dates that programs write where they know none, in seconds since 1970.
const PLACEHOLDERS: [i64; 9] = [
    // The zero of Unix, of MS-DOS, of classic Mac OS, of Excel (three, by its version and its leap-year error) and of
    // Windows.
    0,
    315_532_800,
    -2_082_844_800,
    -2_208_988_800,
    -2_209_075_200,
    -2_209_161_600,
    -11_644_473_600,
    // The dates of the templates of python-docx and python-pptx, 2013-12-23T23:15:00Z and 2013-01-27T09:15:58Z: every
    // document has them that is made without others.
    1_387_840_500,
    1_359_278_158,
];

/// Maximum distance of a date from 1970 in seconds: 64 bits of nanoseconds.
const MAX_DISTANCE: i64 = i64::MAX / 1_000_000_000;

/// Maximum length of a date in bytes; longer ones are malformed.
const MAX_LENGTH: usize = 100;

/// A date that may count; `None` for one that programs write where they know none.
pub fn plausible(seconds: i64) -> Option<i64> {
    let is_within = (-MAX_DISTANCE..=MAX_DISTANCE).contains(&seconds);
    (is_within && !PLACEHOLDERS.contains(&seconds)).then_some(seconds)
}

/// A date such as `2024-05-01`, `2024-05-01T12:30:00.5+02:00` or `2024-05-01 12:30`.
pub fn iso(text: &str) -> Option<i64> {
    let mut rest = Rest(text.trim().as_bytes());
    let year = rest.number(4)?;
    rest.sign(b"-")?;
    let month = rest.number(2)?;
    rest.sign(b"-")?;
    let day = rest.number(2)?;
    let mut time = [0; 3];
    let mut zone = 0;
    if rest.sign(b"Tt ").is_some() {
        time[0] = rest.number(2)?;
        rest.sign(b":")?;
        time[1] = rest.number(2)?;
        if rest.sign(b":").is_some() {
            time[2] = rest.number(2)?;
            if rest.sign(b".,").is_some() {
                while rest.number(1).is_some() {}
            }
        }
        _ = rest.sign(b" ");
        zone = rest.zone(b":")?;
    }
    rest.is_over().then(|| instant([year, month, day], time, zone))?
}

/// A date of a mail or of HTTP, such as `Wed, 1 May 2024 12:30:00 +0200 (CEST)`, or as programs write it there against the
/// standard: by [`iso`], as C prints it (`Wed May  1 12:30:00 2024`), or `Wednesday, 1-May-24 12:30:00 GMT`.
pub fn mail(text: &str) -> Option<i64> {
    if text.trim().len() > MAX_LENGTH {
        return None;
    }
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let is_weekday = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphabetic()) && month(word).is_none();
    // A wrong weekday makes no wrong date. After its comma there may be no space.
    if let Some((_, date)) = words.first()?.split_once(',').filter(|(first, _)| is_weekday(first)) {
        words.splice(..1, (!date.is_empty()).then_some(date));
    } else if is_weekday(words[0]) {
        words.remove(0);
    }
    let day: Vec<&str> = words.first()?.split('-').collect();
    if day.len() == 3 && month(day[1]).is_some() {
        words.splice(..1, day);
    } else if month(words[0]).is_some() && words.len() > 2 {
        let year = words.iter().position(|word| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit()))?;
        let year = words.remove(year);
        words.swap(0, 1);
        words.insert(2, year);
    }
    if let Some(short) = words.get(1).copied().and_then(month) {
        words[1] = short;
    }
    // The only name of that zone that RFC 5322 does not have.
    words.iter_mut().filter(|word| word.eq_ignore_ascii_case("UTC")).for_each(|word| *word = "GMT");
    let date = words.join(" ");
    let parsed = |date: &str| DateTime::parse_from_rfc2822(date).ok();
    let standard = || parsed(&date).or_else(|| parsed(&format!("{date} +0000")));
    iso(&date).or_else(|| plausible(standard()?.timestamp()))
}

/// The short form of an English name of a month, or of its abbreviation.
fn month(name: &str) -> Option<&str> {
    name.parse::<Month>().is_ok().then(|| &name[..3])
}

/// A date as the text of a mail states it: in one zone, as servers state it in others.
pub(crate) fn line(seconds: i64) -> String {
    let date = DateTime::from_timestamp_secs(seconds).unwrap_or_default();
    date.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// A date of a PDF, such as `D:20240501123000+02'00'`; the zone and parts of the time may be missing, and after `D:` the
/// day and the month too, which are then the first.
#[cfg(any(feature = "pdf", test))]
pub(super) fn pdf(bytes: &[u8]) -> Option<i64> {
    // In UTF-16, digits and signs have an upper byte of zero.
    let text: Vec<u8> = match bytes.strip_prefix(b"\xfe\xff") {
        Some(wide) => wide.iter().copied().take(MAX_LENGTH).filter(|&byte| byte != 0).collect(),
        None => bytes.iter().copied().take(MAX_LENGTH).collect(),
    };
    let text = text.trim_ascii();
    let stripped = text.strip_prefix(b"D:");
    let mut rest = Rest(stripped.unwrap_or(text));
    let mut compact = || {
        let mut date = [rest.number(4)?, 1, 1];
        for part in &mut date[1..] {
            // Without the mark four or six digits may be any number.
            if rest.is_over() && stripped.is_some() {
                break;
            }
            *part = rest.number(2)?;
        }
        let time = [(); 3].map(|()| rest.number(2).unwrap_or(0));
        let zone = rest.zone(b"'")?;
        _ = rest.sign(b"'");
        rest.is_over().then(|| instant(date, time, zone))?
    };
    // Some programs write the date of XML.
    compact().or_else(|| iso(std::str::from_utf8(text).ok()?))
}

/// A date of MS-DOS, as in ZIP archives: local time of an unknown zone, in steps of two seconds.
pub(super) fn dos(date: u16, time: u16) -> Option<i64> {
    let [year, month, day] = [date >> 9, date >> 5 & 15, date & 31].map(u32::from);
    let [hour, minute, second] = [time >> 11, time >> 5 & 63, (time & 31) * 2].map(u32::from);
    instant([1980 + year, month, day], [hour, minute, second], 0)
}

/// The instant of a date and a time that are `zone` seconds ahead of UTC.
pub(super) fn instant([year, month, day]: [u32; 3], [hour, minute, second]: [u32; 3], zone: i64) -> Option<i64> {
    let date = NaiveDate::from_ymd_opt(year.try_into().ok()?, month, day)?;
    // A leap second counts as the one before it.
    let time = date.and_hms_opt(hour, minute, second.min(if second == 60 { 59 } else { second }))?;
    plausible(time.and_utc().timestamp() - zone)
}

/// The part of a date that is still to be read.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    /// The number that so many digits give.
    fn number(&mut self, digits: usize) -> Option<u32> {
        let (number, rest) = self.0.split_at_checked(digits)?;
        if !number.iter().all(u8::is_ascii_digit) {
            return None;
        }
        self.0 = rest;
        Some(number.iter().fold(0, |sum, digit| 10 * sum + u32::from(digit - b'0')))
    }

    /// One of these signs.
    fn sign(&mut self, signs: &[u8]) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        signs.contains(&first).then(|| {
            self.0 = rest;
            first
        })
    }

    /// Seconds ahead of UTC: `Z`, or a sign, hours and, after an optional separator, minutes; 0 if there is no zone.
    fn zone(&mut self, separator: &[u8]) -> Option<i64> {
        let Some(sign) = self.sign(b"Zz+-") else { return Some(0) };
        // PDF writers also give `Z00'00'`.
        let hours = match self.number(2) {
            Some(hours) => hours,
            None if sign.eq_ignore_ascii_case(&b'Z') => return Some(0),
            None => return None,
        };
        _ = self.sign(separator);
        let minutes = self.number(2).unwrap_or(0);
        let seconds = i64::from(hours * 3600 + minutes * 60);
        (hours < 24 && minutes < 60).then_some(if sign == b'-' { -seconds } else { seconds })
    }

    fn is_over(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(date: Option<i64>) -> Option<String> {
        date.map(line)
    }

    #[test]
    fn every_way_to_write_a_date() {
        let half_past = Some("2024-05-01T12:30:00Z".to_owned());
        for text in [
            "2024-05-01T12:30:00Z",
            " 2024-05-01T12:30:00.123456789Z\n",
            "2024-05-01T14:30:00+02:00",
            "2024-05-01T14:30:00 +0200",
            "2024-05-01T07:30-05",
            "2024-05-01 12:30",
            "2024-05-01t12:30:00",
        ] {
            assert_eq!(shown(iso(text)), half_past, "{text}");
        }
        assert_eq!(shown(iso("2024-05-01")).as_deref(), Some("2024-05-01T00:00:00Z"));
        assert_eq!(shown(iso("1893-05-01")).as_deref(), Some("1893-05-01T00:00:00Z"));
        assert_eq!(shown(iso("2016-12-31T23:59:60Z")).as_deref(), Some("2016-12-31T23:59:59Z"));
        for text in [
            "Wed, 1 May 2024 12:30:00 +0000",
            "Fri, 01 May 2024 14:30:00 +0200 (CEST)",
            "1 May 2024 12:30 GMT",
            "1 May 2024 12:30:00",
            "1 May 2024 12:30:00 UTC",
            "Wed,1 May 2024 12:30 +0000",
            "Wednesday, 1 may 2024 12:30:00 +0000",
            "Wednesday, 1-May-24 12:30:00 GMT",
            "1-MAY-2024 14:30 +0200",
            "Wed May  1 12:30:00 2024",
            "May 1 12:30 2024",
            "Wed May  1 14:30:00 2024 +0200",
            "Wed May  1 12:30:00 UTC 2024",
            "2024-05-01 12:30:00",
            "Wed, 2024-05-01 14:30:00 +0200",
        ] {
            assert_eq!(shown(mail(text)), half_past, "{text}");
        }
        for text in [
            "D:20240501123000Z",
            "D:20240501143000+02'00'",
            "D:20240501143000+02'00",
            "D:20240501123000Z00'00'",
            "20240501123000",
            "D:202405011230",
            "2024-05-01T12:30:00Z",
        ] {
            assert_eq!(shown(pdf(text.as_bytes())), half_past, "{text}");
            let wide: Vec<u8> = b"\xfe\xff".iter().copied().chain(text.bytes().flat_map(|byte| [0, byte])).collect();
            assert_eq!(shown(pdf(&wide)), half_past, "{text}");
        }
        for (text, day) in [("D:2024", "01-01"), ("D:202405", "05-01"), ("D:20240531", "05-31")] {
            assert_eq!(shown(pdf(text.as_bytes())), Some(format!("2024-{day}T00:00:00Z")), "{text}");
        }
        assert_eq!(mail("2 March 2020 10:00"), mail("Mon, 2 Mar 2020 10:00:00 GMT"));
        assert_eq!(shown(mail("2 March 2020 10:00")).as_deref(), Some("2020-03-02T10:00:00Z"));
        assert_eq!(shown(dos((2024 - 1980) << 9 | 5 << 5 | 1, 12 << 11 | 30 << 5)), half_past);
    }

    #[test]
    fn dates_that_cannot_be_meant_are_ignored() {
        for text in [
            "",
            "2024",
            "2024-05",
            "2024-13-01",
            "2024-02-30",
            "2024-05-01T25:00:00Z",
            "2024-05-01T12:30:00Z and more",
            "2024-05-01T12:30:00+99:00",
            "0001-01-01T00:00:00Z",
            "9999-12-31T23:59:59Z",
            "1601-01-01T00:00:00Z",
            "1899-12-30",
            "1899-12-31",
            "1900-01-01T00:00:00",
            "1904-01-01",
            "1970-01-01T01:00:00+01:00",
            "1980-01-01",
            "2013-12-23T23:15:00Z",
            "2013-01-27T09:15:58Z",
            "yesterday",
            "Mon, 32 Mar 2020 10:00:00 +0000",
            "Mon Mar 32 10:00:00 2020",
            "Mon, 2 Marble 2020 10:00:00 +0000",
            "Mon",
            "March 2",
            "Mon,",
            ",",
        ] {
            assert_eq!(mail(text), None, "{text}");
            assert_eq!(pdf(text.as_bytes()), None, "{text}");
        }
        assert_eq!(dos(0, 0), None);
        assert_eq!(dos(33, 0), None, "the first day of MS-DOS");
        for malformed in ["D:", "D:202", "D:20240", "D:202413", "D:202405Z", "D:2024-05", "202405"] {
            assert_eq!(pdf(malformed.as_bytes()), None, "{malformed}");
        }
        assert_eq!(mail(&format!("1 May 2024 12:30:00 +0000 {}", "(".repeat(1 << 20))), None);
    }

    proptest! {
        #[test]
        fn no_date_is_fatal(
            text in "(D:)?[0-9]{0,16}[-T:Z+' ]{0,2}[0-9]{0,4}|\\PC{0,40}|(Mon,? )?[0-9]{1,3}[- ](May|Jan)[- ][0-9]{1,6} [0-9:]{0,9}|\
                    (Mon )?(May|March) {0,2}[0-9]{0,3} [0-9:]{0,9} [0-9]{0,5}",
            numbers: (u16, u16),
        ) {
            let _ = (mail(&text), pdf(text.as_bytes()), dos(numbers.0, numbers.1));
        }
    }
}
