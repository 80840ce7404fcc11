//! Columns for the fields of JSON objects: their names, and types that hold every value without loss.
//!
//! The type of a column follows from all records. Numbers keep their value, but not their spelling: 1.50 becomes 1.5,
//! and 1 beside 1.5 becomes 1.0. A field that a record lacks becomes null, so a field is refused if it is null in
//! one record and absent in another.
//!
//! Cost: memory for the names, of which there are at most [`MAX_COLUMNS`]; time linear in the bytes, and in records
//! times columns.

use std::collections::HashMap;

use super::{Row, Value, two_fields};

/// The longest prefix of a number or a name that a message shows, in characters.
const SHOWN: usize = 40;

/// The maximum number of columns. A Parquet writer takes about 100 kB for each, so this number takes 400 MB; objects
/// whose keys are data would need any number.
const MAX_COLUMNS: usize = 4096;

/// The columns that hold all records given so far.
#[derive(Debug, Default)]
pub struct Columns {
    list: Vec<Column>,
    places: HashMap<String, usize>,
    /// The number of records given.
    records: u64,
}

/// The type of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    /// Null in all records.
    Null,
    Text,
    Bool,
    /// Signed whole numbers of 64 bits.
    Whole,
    /// Floating-point numbers of 64 bits.
    Float,
}

#[derive(Debug)]
struct Column {
    name: String,
    holds: Type,
    /// True if it is null in some record.
    is_null: bool,
    /// True if some record lacks it.
    is_missing: bool,
    /// The last record that has it, counted from 1.
    last: u64,
    /// The first whole number that a floating-point number would change.
    inexact: Option<String>,
}

impl Columns {
    /// The columns of a table with these names, which holds nothing but strings; `Err` is the reason why Parquet cannot
    /// have them.
    pub(crate) fn of_strings<'a>(names: impl IntoIterator<Item = &'a String>) -> Result<Self, String> {
        let mut columns = Self::default();
        for name in names {
            let place = columns.place(name)?;
            columns.list[place].holds = Type::Text;
        }
        Ok(columns)
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds a record; `Err` is the reason why no columns hold it and the earlier records without loss.
    pub(crate) fn add(&mut self, fields: &Row) -> Result<(), String> {
        self.records += 1;
        for (name, value) in fields {
            let place = self.place(name)?;
            let column = &mut self.list[place];
            if column.last == self.records {
                return Err(two_fields(name));
            }
            column.last = self.records;
            column.admit(value)?;
            if column.is_null && column.is_missing {
                return Err(format!(
                    "its field '{name}' is null in some records and absent in others, which Parquet cannot distinguish"
                ));
            }
        }
        for column in self.list.iter_mut().filter(|column| column.last < self.records) {
            column.is_missing = true;
            if column.is_null {
                return Err(format!(
                    "it has no field '{}', which is null in an earlier record, and Parquet cannot distinguish the two",
                    column.name
                ));
            }
        }
        Ok(())
    }

    /// The names and types of the columns, in the order of their first occurrence.
    pub(crate) fn types(&self) -> impl Iterator<Item = (&str, Type)> {
        self.list.iter().map(|column| (column.name.as_str(), column.holds))
    }

    /// The number of the column with this name.
    pub(crate) fn place_of(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// The number of the column with this name, which is added if it is new.
    fn place(&mut self, name: &str) -> Result<usize, String> {
        if let Some(place) = self.place_of(name) {
            return Ok(place);
        }
        if self.list.len() == MAX_COLUMNS {
            return Err(format!(
                "its field '{}' would be column {}, and at most {MAX_COLUMNS} are written",
                shortened(name),
                MAX_COLUMNS + 1
            ));
        }
        self.places.insert(name.to_owned(), self.list.len());
        self.list.push(Column {
            name: name.to_owned(),
            holds: Type::Null,
            is_null: false,
            is_missing: self.records > 1,
            last: 0,
            inexact: None,
        });
        Ok(self.list.len() - 1)
    }
}

impl Column {
    /// Widens the type so that it holds a value too.
    fn admit(&mut self, value: &Value) -> Result<(), String> {
        let holds = match value {
            Value::Null => Type::Null,
            Value::Text(_) => Type::Text,
            Value::Plain(plain) if matches!(plain.as_str(), "true" | "false") => Type::Bool,
            Value::Plain(number) => self.number(number)?,
        };
        self.is_null |= holds == Type::Null;
        self.holds = match (self.holds, holds) {
            (Type::Null, other) | (other, Type::Null) => other,
            (before, now) if before == now => now,
            (Type::Whole | Type::Float, Type::Whole | Type::Float) => Type::Float,
            (before, now) => {
                return Err(format!(
                    "its field '{}' is {} where earlier records have {}, and a column has one type",
                    self.name,
                    now.in_words(),
                    before.in_words()
                ));
            }
        };
        match &self.inexact {
            Some(number) if self.holds == Type::Float => Err(self.would_change(number)),
            _ => Ok(()),
        }
    }

    /// The type that holds a number without changing its value.
    fn number(&mut self, number: &str) -> Result<Type, String> {
        let float = number.parse::<f64>().ok().filter(|&float| is_exact(number, float));
        // A whole number has no -0.
        if number.contains(['.', 'e', 'E']) || number == "-0" {
            return float.map(|_| Type::Float).ok_or_else(|| self.would_change(number));
        }
        if number.parse::<i64>().is_err() {
            let number = shortened(number);
            return Err(format!("its field '{}' is {number}, beyond signed 64-bit integers", self.name));
        }
        if float.is_none() && self.inexact.is_none() {
            self.inexact = Some(number.to_owned());
        }
        Ok(Type::Whole)
    }

    fn would_change(&self, number: &str) -> String {
        let number = shortened(number);
        format!("its field '{}' has the number {number}, which a column of 64-bit floats would change", self.name)
    }
}

impl Type {
    fn in_words(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Text => "a string",
            Self::Bool => "true or false",
            Self::Whole | Self::Float => "a number",
        }
    }
}

fn shortened(value: &str) -> String {
    match value.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}

/// True if the shortest spelling of a float has exactly the value of this number.
fn is_exact(number: &str, float: f64) -> bool {
    float.is_finite() && decimal(number).is_some_and(|value| decimal(&format!("{float:?}")) == Some(value))
}

/// A decimal number as its sign, its digits d without outer zeros, and the exponent e in 0.ddd × 10ᵉ.
fn decimal(number: &str) -> Option<(bool, String, i64)> {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let unsigned = mantissa.strip_prefix('-').unwrap_or(mantissa);
    let (whole, part) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let digits = [whole, part].concat();
    let significant = digits.trim_start_matches('0');
    let zeros = (digits.len() - significant.len()).cast_signed();
    let is_negative = unsigned.len() < mantissa.len();
    if significant.is_empty() {
        return Some((is_negative, String::new(), 0));
    }
    let exponent = exponent.parse::<i64>().ok()?.checked_add((whole.len().cast_signed() - zeros) as i64)?;
    Some((is_negative, significant.trim_end_matches('0').to_owned(), exponent))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::of_json;
    use super::*;

    fn types(lines: &[&str]) -> Result<Vec<(String, Type)>, String> {
        let mut columns = Columns::default();
        lines.iter().try_for_each(|line| columns.add(&of_json(line)?))?;
        Ok(columns.types().map(|(name, holds)| (name.to_owned(), holds)).collect())
    }

    #[test]
    fn a_column_has_the_type_that_holds_all_values() {
        for (lines, expected) in [
            (&["{\"a\":\"x\"}", "{\"a\":\"\"}"][..], Type::Text),
            (&["{\"a\":null}", "{\"a\":true}"], Type::Bool),
            (&["{\"a\":null}"], Type::Null),
            (&["{\"a\":-9223372036854775808}", "{\"a\":9223372036854775807}"], Type::Whole),
            (&["{\"a\":9007199254740992}", "{\"a\":1.50}", "{\"a\":-2E+9}"], Type::Float),
            (&["{\"a\":-0}", "{\"a\":0e99999999999999999999}", "{\"a\":1e-7}"], Type::Float),
            (&["{}", "{\"a\":1}"], Type::Whole),
        ] {
            assert_eq!(types(lines), Ok(vec![("a".to_owned(), expected)]), "{lines:?}");
        }
    }

    #[test]
    fn a_loss_is_refused() {
        let changed = |number: &str| {
            format!("its field 'a' has the number {number}, which a column of 64-bit floats would change")
        };
        let undistinguished = "which Parquet cannot distinguish";
        for (lines, expected) in [
            (&["{\"a\":0.10000000000000000001}"][..], changed("0.10000000000000000001")),
            (&["{\"a\":1e400}"], changed("1e400")),
            (&["{\"a\":1e-400}"], changed("1e-400")),
            (&["{\"a\":9007199254740993}", "{\"a\":1.5}"], changed("9007199254740993")),
            (&["{\"a\":1.5}", "{\"a\":9007199254740993}"], changed("9007199254740993")),
            (
                &["{\"a\":9223372036854775808}"],
                "its field 'a' is 9223372036854775808, beyond signed 64-bit integers".into(),
            ),
            (
                &["{\"a\":1}", "{\"a\":\"1\"}"],
                "its field 'a' is a string where earlier records have a number, and a column has one type".into(),
            ),
            (
                &["{}", "{\"a\":null}"],
                format!("its field 'a' is null in some records and absent in others, {undistinguished}"),
            ),
            (
                &["{\"a\":null}", "{}"],
                "it has no field 'a', which is null in an earlier record, and Parquet cannot distinguish the two"
                    .into(),
            ),
            (&["{\"a\":1,\"a\":1}"], "it has two fields 'a'".into()),
            (&["{\"a\":[1]}"], "its field 'a' is a list or an object".into()),
        ] {
            assert_eq!(types(lines).unwrap_err(), expected, "{lines:?}");
        }
        let long = types(&[&format!("{{\"a\":{}}}", "1".repeat(60))]).unwrap_err();
        assert!(long.contains(&format!("is {}…,", "1".repeat(SHOWN))), "{long}");
    }

    #[test]
    fn columns_are_limited() {
        let names: Vec<String> = (0..=MAX_COLUMNS).map(|number| format!("n{number}")).collect();
        let field = |name: &String| (name.clone(), Value::Text(String::new()));
        let mut columns = Columns::of_strings(&names[1..]).unwrap();
        assert_eq!(columns.add(&names[1..].iter().map(field).collect()), Ok(()));
        let refused = |name| Err(format!("its field '{name}' would be column 4097, and at most 4096 are written"));
        assert_eq!(columns.add(&vec![field(&names[0])]), refused("n0"));
        assert_eq!(Columns::of_strings(&names).map(|_| ()), refused("n4096"));
    }

    proptest! {
        #[test]
        fn floats_are_exact_as_they_are_written(bits: u64) {
            let float = f64::from_bits(bits);
            prop_assume!(float.is_finite());
            for number in [format!("{float:?}"), format!("{float}"), format!("{float:e}")] {
                prop_assert!(is_exact(&number, float));
            }
        }
    }
}
