//! Types that values can be written in again.
//!
//! - Times of the old type INT96, which Spark and Impala write by default, have nanoseconds of any year. Nanoseconds in 64 bits
//!   reach from 1677 to 2262 only, and Spark does not read them, so such times are read in microseconds, which are all that
//!   Spark has. Where the file has an Arrow schema, the times fit the unit that it states.
//! - Days that the Arrow schema counts in milliseconds (`date64`) are stored as days, and are read as such.
//!
//! Cost: linear in the number of columns.

use std::sync::Arc;

use ::parquet::arrow::ARROW_SCHEMA_META_KEY;
use ::parquet::basic::Type;
use ::parquet::file::metadata::ParquetMetaData;
use arrow_schema::{DataType, FieldRef, Schema, TimeUnit};

/// The columns of a file with such types; `None` if they have them.
pub(super) fn writable(schema: &Schema, metadata: &ParquetMetaData) -> Option<Schema> {
    let file = metadata.file_metadata();
    let said = file.key_value_metadata().into_iter().flatten();
    let mut types = Types {
        leaves: file.schema_descr().columns().iter().map(|column| column.physical_type()),
        has_units: said.into_iter().any(|said| said.key == ARROW_SCHEMA_META_KEY),
        is_changed: false,
    };
    let columns: Vec<FieldRef> = schema.fields().iter().map(|field| types.of_field(field)).collect();
    types.is_changed.then(|| Schema::new_with_metadata(columns, schema.metadata().clone()))
}

/// Goes through the types of columns.
struct Types<L> {
    /// How each column that is left is stored.
    leaves: L,
    has_units: bool,
    is_changed: bool,
}

impl<L: Iterator<Item = Type>> Types<L> {
    fn of_field(&mut self, field: &FieldRef) -> FieldRef {
        use DataType::{Date32, Date64, FixedSizeList, LargeList, List, Map, Struct, Timestamp};
        let kind = match field.data_type() {
            Struct(fields) => Struct(fields.iter().map(|field| self.of_field(field)).collect()),
            List(item) => List(self.of_field(item)),
            LargeList(item) => LargeList(self.of_field(item)),
            FixedSizeList(item, length) => FixedSizeList(self.of_field(item), *length),
            Map(entry, is_sorted) => Map(self.of_field(entry), *is_sorted),
            kind => match (kind, self.leaves.next()) {
                (Timestamp(TimeUnit::Nanosecond, zone), Some(Type::INT96)) if !self.has_units => {
                    self.is_changed = true;
                    Timestamp(TimeUnit::Microsecond, zone.clone())
                }
                (Date64, Some(Type::INT32)) => {
                    self.is_changed = true;
                    Date32
                }
                _ => return Arc::clone(field),
            },
        };
        Arc::new(field.as_ref().clone().with_data_type(kind))
    }
}
