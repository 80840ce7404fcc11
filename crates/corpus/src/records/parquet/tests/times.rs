//! Times and days that are written in another type than they are stored in.

use ::parquet::data_type::{ByteArray, ByteArrayType, Int96, Int96Type};
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::parser::parse_message_type;

use super::form::again;
use super::*;

/// Midnight of this day, counted from 1970-01-01, as INT96 has it: the nanoseconds of the day, and the Julian day.
fn midnight(day: i32) -> Int96 {
    let mut time = Int96::new();
    time.set_data(0, 0, 2_440_588_u32.wrapping_add_signed(day));
    time
}

#[test]
fn old_times_of_any_year_are_kept() {
    let schema = "message schema { required binary text (UTF8); required int96 at; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap();
    let mut rows = writer.next_row_group().unwrap();
    let mut column = rows.next_column().unwrap().unwrap();
    let words: Vec<ByteArray> = ["one", "two", "three"].map(ByteArray::from).into();
    column.typed::<ByteArrayType>().write_batch(&words, None, None).unwrap();
    column.close().unwrap();
    let mut column = rows.next_column().unwrap().unwrap();
    // The last day of the year 9999, and the first of the year 1.
    let days = [2_932_896, -719_162, 0];
    column.typed::<Int96Type>().write_batch(&days.map(midnight), None, None).unwrap();
    column.close().unwrap();
    rows.close().unwrap();
    let kept = again(writer.into_inner().unwrap());
    let story = Story::new().file("a", kept).reading(|reading| reading.all_columns = true);
    let batch = &super::rows(&story)[0];
    let times = batch.table().unwrap().0.column(1).as_any().downcast_ref::<TimestampMicrosecondArray>().unwrap();
    // The second row is left out.
    assert_eq!(times.values(), &[days[0], days[2]].map(|day: i32| i64::from(day) * 86_400_000_000));
}

#[test]
fn days_in_milliseconds_stay_days() {
    let days = [1_i64, -1, 10_000].map(|day| day * 86_400_000);
    let stored =
        Schema::new(vec![Field::new("text", DataType::Utf8, false), Field::new("day", DataType::Date64, false)]);
    let batch = batch(vec![texts(["one", "two", "three"]), column("day", Date32Array::from(vec![1, -1, 10_000]))]);
    let kept = again(super::form::stating_schema(&batch, &stored));
    let story = Story::new().file("a", kept).reading(|reading| reading.all_columns = true);
    let read = super::rows(&story)[0].table().unwrap().0.column(1).to_data();
    assert_eq!(read.data_type(), &DataType::Date32);
    assert_eq!(Date32Array::from(read).values(), &[days[0], days[2]].map(|day| (day / 86_400_000) as i32));
}
