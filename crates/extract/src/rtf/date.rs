//! The date that an RTF document states: of its last change, else of its creation.
//!
//! Source: Rich Text Format Specification 1.9.1 (information group).

use memchr::memmem;

use super::words::{Token, Tokens};
use crate::date;

/// Maximum length of the beginning in which the date is looked for, in bytes: fonts and styles come before it.
const HEAD: usize = 256 << 10;

/// The date in the information group.
pub(super) fn date(bytes: &[u8]) -> Option<i64> {
    let head = &bytes[..bytes.len().min(HEAD)];
    ["{\\revtim", "{\\creatim"].iter().find_map(|group| {
        let start = memmem::find(head, group.as_bytes())?;
        let (mut day, mut time) = ([0; 3], [0; 3]);
        for token in Tokens::new(&head[start + 1..]).skip(1) {
            let Token::Word(word, Some(parameter)) = token else { break };
            let place = match word {
                "yr" => &mut day[0],
                "mo" => &mut day[1],
                "dy" => &mut day[2],
                "hr" => &mut time[0],
                "min" => &mut time[1],
                "sec" => &mut time[2],
                _ => break,
            };
            *place = u32::try_from(parameter).ok()?;
        }
        date::instant(day, time, 0)
    })
}
