//! The time zones of a file's columns, by the Arrow schema that is stored in it.
//!
//! Parquet says of a time only whether it is in UTC; programs store the name of the zone in an Arrow schema beside it. The
//! reader takes the zone from there if the times are in the unit that it has there. Seconds never are, as Parquet has none,
//! nor are nanoseconds in older versions of the format.
//!
//! Cost: linear in the number of columns.

use std::sync::Arc;

use ::parquet::arrow::ARROW_SCHEMA_META_KEY;
use ::parquet::file::metadata::ParquetMetaData;
use arrow_ipc::convert::try_schema_from_ipc_buffer;
use arrow_schema::{DataType, FieldRef, Fields, Schema};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

/// The columns of a file with the zones that are stored; `None` if they have them.
pub(super) fn zoned(schema: &Schema, metadata: &ParquetMetaData) -> Option<Schema> {
    let said = metadata.file_metadata().key_value_metadata()?;
    let stored = said.iter().find(|said| said.key == ARROW_SCHEMA_META_KEY)?.value.as_ref()?;
    let stored = try_schema_from_ipc_buffer(&BASE64_STANDARD.decode(stored).ok()?).ok()?;
    let columns = of_columns(schema.fields(), stored.fields())?;
    Some(Schema::new_with_metadata(columns, schema.metadata().clone()))
}

fn of_columns(read: &Fields, stored: &Fields) -> Option<Fields> {
    let zoned: Vec<Option<FieldRef>> = read.iter().zip(stored).map(|(read, stored)| of_column(read, stored)).collect();
    let is_any = zoned.iter().any(Option::is_some);
    let zoned = zoned.into_iter().chain(std::iter::repeat(None));
    is_any.then(|| read.iter().zip(zoned).map(|(read, zoned)| zoned.unwrap_or_else(|| Arc::clone(read))).collect())
}

fn of_column(read: &FieldRef, stored: &FieldRef) -> Option<FieldRef> {
    use DataType::{FixedSizeList, LargeList, List, Map, Struct, Timestamp};
    let zoned = match (read.data_type(), stored.data_type()) {
        (Timestamp(unit, Some(utc)), Timestamp(_, Some(zone))) if &**utc == "UTC" && utc != zone => {
            Timestamp(*unit, Some(Arc::clone(zone)))
        }
        (Struct(read), Struct(stored)) => Struct(of_columns(read, stored)?),
        (List(read), List(stored)) => List(of_column(read, stored)?),
        (LargeList(read), LargeList(stored)) => LargeList(of_column(read, stored)?),
        (FixedSizeList(read, length), FixedSizeList(stored, _)) => FixedSizeList(of_column(read, stored)?, *length),
        (Map(read, is_sorted), Map(stored, _)) => Map(of_column(read, stored)?, *is_sorted),
        _ => return None,
    };
    Some(Arc::new(read.as_ref().clone().with_data_type(zoned)))
}
