//! Single values of a Parquet column.

use std::borrow::Cow;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowTemporalType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, Time32MillisecondType,
    Time32SecondType, Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrowPrimitiveType};
use arrow_schema::{DataType, TimeUnit};

use super::super::Batch;

/// The values of one column in some rows.
pub(super) struct Values<'a> {
    /// The structures around the column: where one is null, its columns are null too.
    pub(super) around: Vec<&'a dyn Array>,
    pub(super) array: &'a dyn Array,
}

/// A string, or bytes that may be one.
#[derive(Clone, Copy)]
pub(super) enum Text<'a> {
    Characters(&'a str),
    Bytes(&'a [u8]),
}

impl<'a> Text<'a> {
    /// The length in bytes.
    pub(super) fn len(self) -> usize {
        match self {
            Self::Characters(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
        }
    }

    /// True if its bytes are these characters in UTF-8.
    pub(super) fn is(self, decoded: &str) -> bool {
        match self {
            Self::Characters(_) => true,
            Self::Bytes(bytes) => bytes == decoded.as_bytes(),
        }
    }

    /// The characters, and the number of malformed sequences.
    pub(super) fn decode(self, batch: &Batch) -> (Cow<'a, str>, usize) {
        match self {
            Self::Characters(text) => (Cow::Borrowed(text), 0),
            Self::Bytes(bytes) => batch.decode(bytes),
        }
    }
}

impl<'a> Values<'a> {
    /// A string; `None` if it is null.
    pub(super) fn text(&self, row: usize) -> Option<Text<'a>> {
        if self.is_null_around(row) { None } else { text(self.array, row) }
    }

    /// A value as text, as [`shown`] has it, but bytes in the encoding of the batch.
    pub(super) fn shown(&self, row: usize, batch: &Batch) -> Option<String> {
        if self.is_null_around(row) {
            return None;
        }
        match text(self.array, row) {
            Some(text) => Some(text.decode(batch).0.into_owned()),
            None => shown(self.array, row),
        }
    }

    fn is_null_around(&self, row: usize) -> bool {
        self.around.iter().any(|array| array.is_null(row))
    }
}

pub(super) fn text(array: &dyn Array, row: usize) -> Option<Text<'_>> {
    if array.is_null(row) {
        return None;
    }
    Some(match array.data_type() {
        DataType::Utf8 => Text::Characters(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => Text::Characters(array.as_string::<i64>().value(row)),
        DataType::Utf8View => Text::Characters(array.as_string_view().value(row)),
        DataType::Binary => Text::Bytes(array.as_binary::<i32>().value(row)),
        DataType::LargeBinary => Text::Bytes(array.as_binary::<i64>().value(row)),
        DataType::BinaryView => Text::Bytes(array.as_binary_view().value(row)),
        DataType::Dictionary(..) => {
            let (values, row) = in_dictionary(array, row)?;
            return text(values, row);
        }
        _ => return None,
    })
}

/// The values of a dictionary, and the index of a row's value among them.
pub(super) fn in_dictionary(array: &dyn Array, row: usize) -> Option<(&dyn Array, usize)> {
    let dictionary = array.as_any_dictionary();
    let place = usize::try_from(whole(dictionary.keys(), row)?).ok()?;
    Some((dictionary.values().as_ref(), place)).filter(|(values, place)| *place < values.len())
}

pub(super) fn whole(array: &dyn Array, row: usize) -> Option<i128> {
    fn value<T: ArrowPrimitiveType<Native: Into<i128>>>(array: &dyn Array, row: usize) -> i128 {
        array.as_primitive::<T>().value(row).into()
    }
    Some(match array.data_type() {
        DataType::Int8 => value::<Int8Type>(array, row),
        DataType::Int16 => value::<Int16Type>(array, row),
        DataType::Int32 => value::<Int32Type>(array, row),
        DataType::Int64 => value::<Int64Type>(array, row),
        DataType::UInt8 => value::<UInt8Type>(array, row),
        DataType::UInt16 => value::<UInt16Type>(array, row),
        DataType::UInt32 => value::<UInt32Type>(array, row),
        DataType::UInt64 => value::<UInt64Type>(array, row),
        _ => return None,
    })
}

/// A value of a column as text, bytes as UTF-8; `None` if it is null, a list or a structure.
///
/// Times are in ISO 8601. Those with a zone are in UTC, without a suffix, so that their alphabetical order is the order
/// of time.
pub fn shown(array: &dyn Array, row: usize) -> Option<String> {
    if array.is_null(row) {
        return None;
    }
    if let DataType::Dictionary(..) = array.data_type() {
        let (values, row) = in_dictionary(array, row)?;
        return shown(values, row);
    }
    match text(array, row) {
        Some(Text::Characters(text)) => return Some(text.to_owned()),
        Some(Text::Bytes(bytes)) => return Some(String::from_utf8_lossy(bytes).into_owned()),
        None => {}
    }
    if let Some(whole) = whole(array, row) {
        return Some(whole.to_string());
    }
    Some(match array.data_type() {
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        // As in JSON: 1.0, not 1.
        DataType::Float16 => format!("{:?}", array.as_primitive::<Float16Type>().value(row).to_f32()),
        DataType::Float32 => format!("{:?}", array.as_primitive::<Float32Type>().value(row)),
        DataType::Float64 => format!("{:?}", array.as_primitive::<Float64Type>().value(row)),
        DataType::Decimal32(..) => array.as_primitive::<Decimal32Type>().value_as_string(row),
        DataType::Decimal64(..) => array.as_primitive::<Decimal64Type>().value_as_string(row),
        DataType::Decimal128(..) => array.as_primitive::<Decimal128Type>().value_as_string(row),
        DataType::Decimal256(..) => array.as_primitive::<Decimal256Type>().value_as_string(row),
        DataType::Date32 => day::<Date32Type>(array, row),
        DataType::Date64 => day::<Date64Type>(array, row),
        DataType::Time32(TimeUnit::Second) => hour::<Time32SecondType>(array, row),
        DataType::Time32(_) => hour::<Time32MillisecondType>(array, row),
        DataType::Time64(TimeUnit::Microsecond) => hour::<Time64MicrosecondType>(array, row),
        DataType::Time64(_) => hour::<Time64NanosecondType>(array, row),
        DataType::Timestamp(TimeUnit::Second, _) => moment::<TimestampSecondType>(array, row),
        DataType::Timestamp(TimeUnit::Millisecond, _) => moment::<TimestampMillisecondType>(array, row),
        DataType::Timestamp(TimeUnit::Microsecond, _) => moment::<TimestampMicrosecondType>(array, row),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => moment::<TimestampNanosecondType>(array, row),
        _ => return None,
    })
}

fn day<T: ArrowTemporalType>(array: &dyn Array, row: usize) -> String
where
    i64: From<T::Native>,
{
    let array = array.as_primitive::<T>();
    in_calendar(array.value_as_date(row), array.value(row).into())
}

fn hour<T: ArrowTemporalType>(array: &dyn Array, row: usize) -> String
where
    i64: From<T::Native>,
{
    let array = array.as_primitive::<T>();
    in_calendar(array.value_as_time(row), array.value(row).into())
}

fn moment<T: ArrowTemporalType>(array: &dyn Array, row: usize) -> String
where
    i64: From<T::Native>,
{
    let array = array.as_primitive::<T>();
    in_calendar(array.value_as_datetime(row), array.value(row).into())
}

/// A time in ISO 8601, or its bare number if it is outside the calendar's range.
fn in_calendar(time: Option<impl std::fmt::Debug>, number: i64) -> String {
    time.map_or_else(|| number.to_string(), |time| format!("{time:?}"))
}
