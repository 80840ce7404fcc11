//! The fields of one line of JSON.
//!
//! Only the requested fields are kept, borrowed from the line where they need no
//! unescaping; everything else is skipped without building values.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize as _;
use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use super::{Fields, Values};
use crate::error::{Reason, Serves};

/// The fields of one record.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found<'a> {
    /// The text; `None` if it is null.
    pub(super) text: Option<Cow<'a, str>>,
    pub(super) values: Values,
}

/// Extracts the fields from a line.
///
/// A name with dots that is not itself a field is a path into nested objects. Of two fields of the
/// same name the last one counts.
///
/// # Errors
///
/// The reason, if the line is not JSON, is not an object, lacks a field or has one of a wrong type.
pub(super) fn parse<'a>(line: &'a str, fields: &Fields) -> Result<Found<'a>, Reason> {
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let outcome = deserializer.deserialize_any(Object(fields)).and_then(|found| deserializer.end().map(|()| found));
    let picked = outcome.map_err(|error| Reason::Json(in_line(&error)))?;
    let picked = picked.map_err(Reason::NotObject)?;
    let missing = |wanted: &str| {
        let (wanted, found) = (wanted.to_owned(), names(&picked.names));
        Reason::MissingField { wanted, serves: Serves::TextOrId, found }
    };
    let id = match (&fields.id, picked.id) {
        (None, _) => None,
        (Some(name), None) => return Err(missing(name)),
        (Some(name), Some(value)) => Some(match value {
            Picked::Text(text) => text.into_owned(),
            Picked::Other(Value::Number(number)) => number.to_string(),
            Picked::Other(other) => return Err(wrong(name, &other, "a string or a number")),
        }),
    };
    let text = match picked.text {
        None => return Err(missing(&fields.text)),
        Some(Picked::Text(text)) => Some(text),
        Some(Picked::Other(Value::Null)) => None,
        Some(Picked::Other(other)) => return Err(wrong(&fields.text, &other, "a string")),
    };
    let shown = |value| match value {
        Picked::Text(text) => Some(text.into_owned()),
        Picked::Other(Value::Null) => None,
        Picked::Other(other) => Some(other.to_string()),
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

fn wrong(field: &str, value: &Value, wanted: &'static str) -> Reason {
    Reason::WrongType { field: field.to_owned(), found: name_of(value), wanted }
}

fn name_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A value; a string is borrowed if it needs no unescaping.
enum Picked<'a> {
    Text(Cow<'a, str>),
    Other(Value),
}

impl<'de> serde::Deserialize<'de> for Picked<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// Borrows strings; parses anything else as a `Value`.
        struct AnyValue;
        impl<'de> Visitor<'de> for AnyValue {
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
            fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
                Ok(Picked::Other(value.into()))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
                Ok(Picked::Other(value.into()))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
                Ok(Picked::Other(value.into()))
            }
            fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
                Ok(Picked::Other(value.into()))
            }
            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Picked::Other(Value::Null))
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
                let list = serde::de::value::SeqAccessDeserializer::new(list);
                Value::deserialize(list).map(Picked::Other)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                let map = serde::de::value::MapAccessDeserializer::new(map);
                Value::deserialize(map).map(Picked::Other)
            }
        }
        deserializer.deserialize_any(AnyValue)
    }
}

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
struct Object<'f>(&'f Fields);

impl<'de> Visitor<'de> for Object<'_> {
    type Value = Result<Picks<'de>, &'static str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let Fields { text, id, key, origin } = self.0;
        let wanted = [Some(text), id.as_ref(), key.as_ref(), origin.as_ref()];
        let mut slots: [Option<Picked<'de>>; 4] = [const { None }; 4];
        let mut is_itself = [false; 4];
        let mut names = Vec::new();
        while let Some(Name(name)) = map.next_key::<Name<'de>>()? {
            let leads = |wanted: &String| {
                wanted.strip_prefix(&*name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            if names.len() <= 16 && !names.contains(&name) {
                names.push(name.clone());
            }
            if wanted.iter().flatten().all(|wanted| !leads(wanted)) {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let mut value = Some(map.next_value::<Picked<'de>>()?);
            let last = wanted.iter().rposition(|wanted| wanted.is_some_and(leads));
            for (i, ((slot, is_itself), wanted)) in slots.iter_mut().zip(&mut is_itself).zip(wanted).enumerate() {
                // One field may serve several purposes.
                if let Some(wanted) = wanted.filter(|wanted| leads(wanted)) {
                    let path = &wanted[name.len()..];
                    // A field whose own name has the dots takes precedence over nested fields.
                    if *is_itself && !path.is_empty() {
                        continue;
                    }
                    *is_itself |= path.is_empty();
                    // The last purpose of a whole value takes it, as a text may be long.
                    let found = if path.is_empty() && Some(i) == last {
                        value.take()
                    } else {
                        value.as_ref().and_then(|value| inside(value, path.strip_prefix('.').unwrap_or(path)))
                    };
                    if found.is_some() {
                        *slot = found;
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
    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Err("a list"))
    }
}

/// The value at a path of names separated by dots; the value itself if the path is empty.
fn inside<'a>(value: &Picked<'a>, path: &str) -> Option<Picked<'a>> {
    match value {
        Picked::Text(text) if path.is_empty() => Some(Picked::Text(text.clone())),
        Picked::Text(_) => None,
        Picked::Other(value) => {
            let value =
                if path.is_empty() { value } else { path.split('.').try_fold(value, |at, name| at.get(name))? };
            Some(match value {
                Value::String(text) => Picked::Text(Cow::Owned(text.clone())),
                other => Picked::Other(other.clone()),
            })
        }
    }
}

/// A field's name, borrowed if it can be.
struct Name<'a>(Cow<'a, str>);

impl<'de> serde::Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Picked::deserialize(deserializer)? {
            Picked::Text(name) => Ok(Self(name)),
            Picked::Other(_) => Err(D::Error::custom("a name that is not a string")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    }

    #[test]
    fn a_plain_text_is_borrowed() {
        let found = parse(r#"{"text":"as it is"}"#, &fields("text", None, None)).unwrap();
        assert!(matches!(found.text, Some(Cow::Borrowed("as it is"))));
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
