//! The fields of one line of JSON.
//!
//! Only the requested fields are kept, borrowed from the line where they need no
//! unescaping; everything else is skipped without building values. A value that is no string keeps its spelling: a number
//! of any length has all its digits, so that two ids never become one.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::{Fields, Values};
use crate::error::{Reason, Serves};

/// The fields of one record.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found<'a> {
    /// The text; `None` if it is null.
    pub(super) text: Option<Cow<'a, str>>,
    pub(super) values: Values,
}

/// Extracts the fields from a line. A null or missing id is none, unless `id_is_needed`.
///
/// A name with dots that is not itself a field is a path into nested objects. Of two fields of the
/// same name the last one counts.
///
/// # Errors
///
/// The reason, if the line is not JSON, is not an object, lacks a field or has one of a wrong type.
pub(super) fn parse<'a>(line: &'a str, fields: &Fields, id_is_needed: bool) -> Result<Found<'a>, Reason> {
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let outcome =
        deserializer.deserialize_any(Object { line, fields }).and_then(|found| deserializer.end().map(|()| found));
    let picked = outcome.map_err(|error| Reason::Json(in_line(&error)))?;
    let picked = picked.map_err(Reason::NotObject)?;
    let missing = |wanted: &str| {
        let (wanted, found) = (wanted.to_owned(), names(&picked.names));
        Reason::MissingField { wanted, serves: Serves::TextOrId, found }
    };
    let id = match (&fields.id, picked.id) {
        (None, _) => None,
        (Some(_), None | Some(Picked::Other(NULL, _))) if !id_is_needed => None,
        (Some(name), None) => return Err(missing(name)),
        (Some(name), Some(value)) => Some(match value {
            Picked::Text(text) => text.into_owned(),
            Picked::Other(A_NUMBER, number) => number.to_owned(),
            Picked::Other(found, _) => return Err(wrong(name, found, "a string or a number")),
        }),
    };
    let text = match picked.text {
        None => return Err(missing(&fields.text)),
        Some(Picked::Text(text)) => Some(text),
        Some(Picked::Other(NULL, _)) => None,
        Some(Picked::Other(found, _)) => return Err(wrong(&fields.text, found, "a string")),
    };
    let shown = |value| match value {
        Picked::Text(text) => Some(text.into_owned()),
        Picked::Other(NULL, _) => None,
        Picked::Other(_, spelt) => Some(spelt.to_owned()),
    };
    let (key, origin) = (picked.key.and_then(shown), picked.origin.and_then(shown));
    Ok(Found { text, values: Values { id, key, origin } })
}

/// The names of fields, for a message.
fn names(names: &[Cow<'_, str>]) -> Vec<String> {
    names.iter().map(|name| name.clone().into_owned()).collect()
}

/// The error's message without its "at line 1": the caller knows the line's real number.
fn in_line(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let Some((what, _)) = message.rsplit_once(" at line ") else { return message };
    let why = if what.contains("hex escape") { HALF_A_PAIR } else { "" };
    format!("{what} at column {}{why}", error.column())
}

/// What other programs write for characters that are none.
const HALF_A_PAIR: &str = r"; half of a surrogate pair, such as \ud800, is no character";

fn wrong(field: &str, found: &'static str, wanted: &'static str) -> Reason {
    Reason::WrongType { field: field.to_owned(), found, wanted }
}

const NULL: &str = "null";
const A_NUMBER: &str = "a number";

/// The type of a value that is no string, from its source.
fn name_of(source: &str) -> &'static str {
    match source.as_bytes().first() {
        Some(b'n') => NULL,
        Some(b't' | b'f') => "true or false",
        Some(b'[') => "a list",
        Some(b'{') => "an object",
        _ => A_NUMBER,
    }
}

/// A value; a string is borrowed if it needs no unescaping.
enum Picked<'a> {
    Text(Cow<'a, str>),
    /// The type of any other value and, unless it is in place of a text, its source.
    Other(&'static str, &'a str),
}

impl<'a> Picked<'a> {
    /// A value from its source in a line; `Err` is a message with the column in the line.
    fn of(source: &'a RawValue, line: &str) -> Result<Self, String> {
        let source = source.get();
        if !source.starts_with('"') {
            return Ok(Self::Other(name_of(source), source));
        }
        let text = serde_json::from_str(source).map(|Text(text)| Self::Text(text));
        text.map_err(|error| {
            let message = error.to_string();
            let what = message.rsplit_once(" at line ").map_or(&*message, |(what, _)| what);
            let before = source.as_ptr() as usize - line.as_ptr() as usize;
            format!("{what} at line 1 column {}", before + error.column())
        })
    }
}

impl<'de> serde::Deserialize<'de> for Picked<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// Borrows strings, and names the types of other values.
        struct TextOrType;
        impl<'de> Visitor<'de> for TextOrType {
            type Value = Picked<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Picked::Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Picked::Text(Cow::Owned(text.to_owned())))
            }
            fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
                Ok(Picked::Other(name_of("true"), ""))
            }
            fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
                Ok(Picked::Other(A_NUMBER, ""))
            }
            fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
                Ok(Picked::Other(A_NUMBER, ""))
            }
            fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
                Ok(Picked::Other(A_NUMBER, ""))
            }
            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Picked::Other(NULL, ""))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Picked::Other(name_of("["), ""))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Picked::Other(name_of("{"), ""))
            }
        }
        deserializer.deserialize_any(TextOrType)
    }
}

/// A string, borrowed if it can be.
#[derive(serde::Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// The wanted values found in an object.
#[derive(Default)]
struct Picks<'a> {
    text: Option<Picked<'a>>,
    id: Option<Picked<'a>>,
    key: Option<Picked<'a>>,
    origin: Option<Picked<'a>>,
    /// The names of the object's first fields, for messages.
    names: Vec<Cow<'a, str>>,
}

/// Visits an object; for any other value, `Err` is the name of its type.
struct Object<'de, 'f> {
    line: &'de str,
    fields: &'f Fields,
}

impl<'de> Visitor<'de> for Object<'de, '_> {
    type Value = Result<Picks<'de>, &'static str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let Fields { text, id, key, origin } = self.fields;
        let wanted = [Some(text), id.as_ref(), key.as_ref(), origin.as_ref()];
        let mut slots: [Option<Picked<'de>>; 4] = [const { None }; 4];
        let mut is_itself = [false; 4];
        let mut names = Vec::new();
        while let Some(Text(name)) = map.next_key::<Text<'de>>()? {
            let leads = |wanted: &String| leads(&name, wanted);
            if names.len() <= 16 && !names.contains(&name) {
                names.push(name.clone());
            }
            if wanted.iter().flatten().all(|wanted| !leads(wanted)) {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            // A text may be long, and is parsed in one pass. The source of a value is found in another.
            if name == *text && wanted[1..].iter().flatten().all(|wanted| !leads(wanted)) {
                (slots[0], is_itself[0]) = (Some(map.next_value::<Picked<'de>>()?), true);
                continue;
            }
            let source = map.next_value::<&'de RawValue>()?;
            for ((slot, is_itself), wanted) in slots.iter_mut().zip(&mut is_itself).zip(wanted) {
                // One field may serve several purposes.
                if let Some(wanted) = wanted.filter(|wanted| leads(wanted)) {
                    let path = wanted[name.len()..].strip_prefix('.');
                    // A field whose own name has the dots takes precedence over nested fields.
                    if *is_itself && path.is_some() {
                        continue;
                    }
                    *is_itself |= path.is_none();
                    let found = path.map_or(Some(source), |path| inside(source, path));
                    if let Some(found) = found {
                        *slot = Some(Picked::of(found, self.line).map_err(A::Error::custom)?);
                    }
                }
            }
        }
        let [text, id, key, origin] = slots;
        Ok(Ok(Picks { text, id, key, origin, names }))
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(Err("a string"))
    }
    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Err("true or false"))
    }
    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Err("a number"))
    }
    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Err("a number"))
    }
    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Err("a number"))
    }
    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Err("null"))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Err("a list"))
    }
}

/// True if the field of this name is a wanted one, or one that it is nested in.
pub(super) fn leads(name: &str, wanted: &str) -> bool {
    wanted.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The value of a field in an object; `None` if there is none. A name with dots that is no field itself leads into nested
/// objects, whose names may have dots too. Of two fields of the same name the last one counts.
pub(super) fn inside<'a>(object: &'a RawValue, path: &str) -> Option<&'a RawValue> {
    let fields = Leading(path).deserialize(&mut serde_json::Deserializer::from_str(object.get())).ok()?;
    let itself = fields.iter().rev().find(|(name, _)| name == path).map(|(_, value)| *value);
    let nested = |(name, value): &(Cow<'a, str>, &'a RawValue)| inside(value, path[name.len()..].strip_prefix('.')?);
    itself.or_else(|| fields.iter().rev().find_map(nested))
}

/// The fields of an object that lead to a path, in order, with the sources of their values.
struct Leading<'n>(&'n str);

impl<'de> DeserializeSeed<'de> for Leading<'_> {
    type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Leading<'_> {
    type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::new();
        while let Some(Text(name)) = map.next_key::<Text<'de>>()? {
            if leads(&name, self.0) {
                fields.push((name, map.next_value()?));
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse<'a>(line: &'a str, fields: &Fields) -> Result<Found<'a>, Reason> {
        super::parse(line, fields, true)
    }

    fn fields(text: &str, id: Option<&str>, key: Option<&str>) -> Fields {
        Fields { text: text.into(), id: id.map(Into::into), key: key.map(Into::into), origin: None }
    }

    #[test]
    fn fields_are_found_wherever_they_stand() {
        let line = r#"{"n":[1,{"text":"no"}],"text":"the \"tide\"","id":7,"date":"2026-01-02","meta":{"lang":"en"}}"#;
        let found = parse(line, &fields("text", Some("id"), Some("date"))).unwrap();
        assert_eq!((found.text.as_deref().unwrap(), found.values.id.as_deref()), ("the \"tide\"", Some("7")));
        assert_eq!(found.values.key.as_deref(), Some("2026-01-02"));
        let found = parse(line, &fields("meta.lang", None, Some("n"))).unwrap();
        assert_eq!((found.text.as_deref().unwrap(), found.values.key.as_deref()), ("en", Some(r#"[1,{"text":"no"}]"#)));
        let found = parse(r#"{"a.b":"dotted","t":"x"}"#, &fields("a.b", Some("a.b"), None)).unwrap();
        assert_eq!((found.text.as_deref().unwrap(), found.values.id.as_deref()), ("dotted", Some("dotted")));
        let found = parse(r#"{"t":"a\nb","m":{"id":1}}"#, &fields("t", Some("t"), Some("t"))).unwrap();
        assert_eq!((found.text.as_deref().unwrap(), found.values.id.as_deref()), ("a\nb", Some("a\nb")));
        assert_eq!(found.values.key.as_deref(), Some("a\nb"));
        let found = parse(r#"{"m":{"id":1},"t":"x"}"#, &fields("t", Some("m.id"), Some("m"))).unwrap();
        assert_eq!((found.values.id.as_deref(), found.values.key.as_deref()), (Some("1"), Some(r#"{"id":1}"#)));
        for line in [r#"{"a.b":"whole","a":{"b":"nested"}}"#, r#"{"a":{"b":"nested"},"a.b":"whole"}"#] {
            assert_eq!(parse(line, &fields("a.b", None, None)).unwrap().text.as_deref(), Some("whole"), "{line}");
        }
        let line = r#"{"a":{"b":{"c":"two"},"b.c":"one"},"a.b":{"d":"x"}}"#;
        let found = parse(line, &fields("a.b.c", Some("a.b.d"), None)).unwrap();
        assert_eq!((found.text.as_deref(), found.values.id.as_deref()), (Some("one"), Some("x")));
    }

    #[test]
    fn a_plain_text_is_borrowed() {
        let found = parse(r#"{"text":"as it is"}"#, &fields("text", None, None)).unwrap();
        assert!(matches!(found.text, Some(Cow::Borrowed("as it is"))));
    }

    #[test]
    fn numbers_keep_their_digits() {
        for number in ["12345678901234567890001", "1.50", "1e2", "-0", "1e400", "0.10000000000000000001"] {
            for line in [
                format!(r#"{{"id":{number},"text":"x","date": {number} }}"#),
                format!(r#"{{"m":{{"id":{number}}},"text":"x","date":{number}}}"#),
            ] {
                let id = if line.contains("m\"") { "m.id" } else { "id" };
                let found = parse(&line, &fields("text", Some(id), Some("date"))).unwrap();
                let expected = Some(number.to_owned());
                assert_eq!((&found.values.id, &found.values.key), (&expected, &expected), "{line}");
            }
        }
    }

    #[test]
    fn of_two_fields_of_a_name_the_last_counts() {
        let line = r#"{"text":"a","text":"b","m":{"id":1,"id":2}}"#;
        let found = parse(line, &fields("text", Some("m.id"), None)).unwrap();
        assert_eq!((found.text.as_deref(), found.values.id.as_deref()), (Some("b"), Some("2")));
    }

    #[test]
    fn an_id_may_be_null_or_missing() {
        let fields = fields("text", Some("m.id"), None);
        for line in [r#"{"text":"x","m":{"id":null}}"#, r#"{"text":"x","m":{}}"#, r#"{"text":"x"}"#] {
            assert_eq!(super::parse(line, &fields, false).unwrap().values.id, None, "{line}");
            assert!(parse(line, &fields).is_err(), "{line}");
        }
        assert!(super::parse(r#"{"text":"x","m":{"id":[]}}"#, &fields, false).is_err());
    }

    #[test]
    fn a_null_text_is_no_text() {
        for (line, field) in [(r#"{"text":null,"id":1}"#, "text"), (r#"{"a":{"text":null}}"#, "a.text")] {
            assert_eq!(parse(line, &fields(field, None, None)).unwrap().text, None, "{line}");
        }
        let missing = parse(r#"{"a":null}"#, &fields("a.text", None, None)).unwrap_err();
        assert!(matches!(missing, Reason::MissingField { .. }), "{missing}");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let said = |line: &str| parse(line, &fields("text", Some("id"), None)).unwrap_err().to_string();
        for (line, expected) in [
            (r#"{"text":"a","id":"#, "is not valid JSON: EOF while parsing a value at column 17"),
            (r#"{"text":"a","id":1} x"#, "is not valid JSON: trailing characters at column 21"),
            (r#"["text"]"#, "is a list, not a JSON object"),
            ("3", "is a number, not a JSON object"),
            (r#"{"text":{"text":"a"},"id":1}"#, "the field 'text' is an object, not a string"),
            (r#"{"text":"a","id":[1]}"#, "the field 'id' is a list, not a string or a number"),
            (r#"{"text":"a"}"#, "has no field 'id'; it has text: name one with --text-field or --id-field"),
            ("{}", "has no field 'id' (it has no fields)"),
            (
                r#"{"text":"\ud800","id":1}"#,
                r"is not valid JSON: unexpected end of hex escape at column 16; half of a surrogate pair, such as \ud800, is no character",
            ),
        ] {
            assert_eq!(said(line), expected, "{line}");
        }
    }
}
