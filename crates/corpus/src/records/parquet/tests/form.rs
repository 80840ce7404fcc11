//! The form of a file that is kept.

use std::io::Write;

use ::parquet::arrow::arrow_writer::ArrowWriterOptions;
use ::parquet::arrow::{ARROW_SCHEMA_META_KEY, encode_arrow_schema};
use ::parquet::column::page::Page;
use ::parquet::file::metadata::{KeyValue, RowGroupMetaData};
use ::parquet::file::properties::WriterVersion;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::schema::parser::parse_message_type;
use ::parquet::schema::types::SchemaDescriptor;
use arrow_schema::TimeUnit;

use super::*;

fn opened(bytes: &[u8]) -> SerializedFileReader<File> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    SerializedFileReader::new(file).unwrap()
}

/// The version that a file states, that of its pages, the codec of each column, and the rows of each row group.
fn form(bytes: &[u8]) -> (i32, i32, Vec<String>, Vec<i64>) {
    let file = opened(bytes);
    let metadata = file.metadata();
    let mut pages = file.get_row_group(0).unwrap().get_column_page_reader(0).unwrap();
    let page = pages.find(|page| !matches!(page, Ok(Page::DictionaryPage { .. }))).unwrap().unwrap();
    let codecs = metadata.row_group(0).columns().iter();
    (
        metadata.file_metadata().version(),
        if matches!(page, Page::DataPageV2 { .. }) { 2 } else { 1 },
        codecs.map(|column| column.compression_codec().to_string()).collect(),
        metadata.row_groups().iter().map(RowGroupMetaData::num_rows).collect(),
    )
}

/// The rows of a file, written again, but for the second.
pub(super) fn again(bytes: Vec<u8>) -> Vec<u8> {
    let story = Story::new().file("a", bytes).reading(|reading| reading.all_columns = true);
    let batches = rows(&story);
    let mut kept = KeptRows::create(Vec::new(), batches[0].table().unwrap().0.schema(), batches[0].form().unwrap());
    for batch in &batches {
        let (table, first) = batch.table().unwrap();
        kept.as_mut().unwrap().write(table, |row| first + row as u64 != 2).unwrap();
    }
    let kept = kept.unwrap().finish().unwrap();
    let story = Story::new().file("a", &kept).reading(|reading| reading.all_columns = true);
    let read = rows(&story);
    assert_eq!(read[0].table().unwrap().0.slice(0, 1), batches[0].table().unwrap().0.slice(0, 1));
    kept
}

/// A file with this schema beside its columns.
pub(super) fn stating_schema(batch: &RecordBatch, stored: &Schema) -> Vec<u8> {
    let stored = KeyValue::new(ARROW_SCHEMA_META_KEY.to_owned(), encode_arrow_schema(stored));
    let properties = WriterProperties::builder().set_key_value_metadata(Some(vec![stored])).build();
    let options = ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
    let mut writer = ArrowWriter::try_new_with_options(Vec::new(), batch.schema(), options).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn time_zones_are_kept_whatever_the_unit_is() {
    let times = |zone: &str| Arc::new(TimestampMillisecondArray::from(vec![1_000, 2_000, 3_000]).with_timezone(zone));
    let zone = |unit, zone: &str| DataType::Timestamp(unit, Some(zone.into()));
    // As pyarrow writes seconds.
    let inner = |kind| vec![Field::new("at", kind, false)].into();
    let deep = StructArray::new(inner(zone(TimeUnit::Millisecond, "UTC")), vec![times("UTC")], None);
    let batch = batch(vec![
        texts(["one", "two", "three"]),
        ("at", times("UTC")),
        ("utc", times("UTC")),
        ("deep", Arc::new(deep)),
    ]);
    let stored = Schema::new(vec![
        Field::new("text", DataType::Utf8, false),
        Field::new("at", zone(TimeUnit::Second, "Europe/Berlin"), false),
        Field::new("utc", zone(TimeUnit::Second, "UTC"), false),
        Field::new("deep", DataType::Struct(inner(zone(TimeUnit::Second, "+02:00"))), false),
    ]);
    let expected = [
        DataType::Utf8,
        zone(TimeUnit::Millisecond, "Europe/Berlin"),
        zone(TimeUnit::Millisecond, "UTC"),
        DataType::Struct(inner(zone(TimeUnit::Millisecond, "+02:00"))),
    ];
    let file = stating_schema(&batch, &stored);
    let kept = Story::new().file("a", again(file.clone())).reading(|reading| reading.all_columns = true);
    let types = rows(&kept)[0].table().unwrap().0.schema();
    assert_eq!(types.fields().iter().map(|field| field.data_type().clone()).collect::<Vec<_>>(), expected);
    let shown = keys(&Story::new().file("a", file).reading(fields("text", None, Some("deep.at"))));
    assert_eq!(shown[0].as_deref(), Some("1970-01-01T00:00:01"), "in UTC");
}

#[test]
fn codecs_of_columns_and_versions_are_kept() {
    let columns = || vec![texts(["one", "two", "three"]), column("n", UInt16Array::from(vec![7, 8, 9]))];
    let codecs = [
        (Compression::UNCOMPRESSED, "UNCOMPRESSED"),
        (Compression::SNAPPY, "SNAPPY"),
        (Compression::GZIP(GzipLevel::default()), "GZIP"),
        (Compression::BROTLI(BrotliLevel::default()), "BROTLI"),
        (Compression::LZ4, "LZ4"),
        (Compression::LZ4_RAW, "LZ4_RAW"),
        (Compression::ZSTD(ZstdLevel::default()), "ZSTD"),
    ];
    for (codec, name) in codecs {
        for (version, number) in [(WriterVersion::PARQUET_1_0, 1), (WriterVersion::PARQUET_2_0, 2)] {
            let properties = WriterProperties::builder().set_writer_version(version).set_compression(codec);
            let properties = properties.set_column_compression("n".into(), Compression::SNAPPY);
            let kept = again(encoded(&batch(columns()), properties.build()));
            assert_eq!(form(&kept), (number, number, vec![name.to_owned(), "SNAPPY".into()], vec![2]));
        }
    }
}

/// A file that states another version than its writer: the first two bytes of the metadata.
fn stating(version: u8, mut bytes: Vec<u8>) -> Vec<u8> {
    let length = u32::from_le_bytes(*bytes[bytes.len() - 8..].first_chunk().unwrap()) as usize;
    let metadata = bytes.len() - 8 - length;
    assert_eq!(bytes[metadata], 0x15, "a 32-bit integer, field 1");
    bytes[metadata + 1] = 2 * version;
    bytes
}

#[test]
fn a_file_may_state_another_version_than_its_pages_have() {
    let codecs = || vec!["UNCOMPRESSED".to_owned()];
    // As pyarrow writes by default, and as it can.
    for (version, pages, writer) in [(2, 1, WriterVersion::PARQUET_1_0), (1, 2, WriterVersion::PARQUET_2_0)] {
        let properties = WriterProperties::builder().set_writer_version(writer).build();
        let written = encoded(&batch(vec![texts(["one", "two", "three"])]), properties);
        let stated = stating(version, written.clone());
        assert_eq!(form(&stated), (version.into(), pages, codecs(), vec![3]));
        assert_eq!(form(&again(stated)), (version.into(), pages, codecs(), vec![2]));
        assert_eq!(form(&again(written)).0, pages);
    }
}

#[test]
fn columns_with_other_names_in_the_file_keep_their_codec() {
    let lists = ListArray::from_iter_primitive::<arrow_array::types::Int32Type, _, _>([Some(vec![Some(1)]), None]);
    let batch =
        batch(vec![texts(["one", "two"]), column("deep", nested(vec![Some("x"), None])), column("list", lists)]);
    let schema = parse_message_type(
        "message schema {
            REQUIRED BYTE_ARRAY text (STRING);
            OPTIONAL GROUP deep { REQUIRED INT32 lang; REQUIRED BYTE_ARRAY text (STRING); }
            OPTIONAL GROUP list (LIST) { REPEATED GROUP bag { OPTIONAL INT32 array_element; } }
        }",
    );
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_column_compression(vec!["deep".to_owned(), "text".into()].into(), Compression::LZ4_RAW)
        .set_column_compression(
            vec!["list".to_owned(), "bag".into(), "array_element".into()].into(),
            Compression::UNCOMPRESSED,
        );
    let options = ArrowWriterOptions::new()
        .with_properties(properties.build())
        .with_parquet_schema(SchemaDescriptor::new(Arc::new(schema.unwrap())));
    let mut writer = ArrowWriter::try_new_with_options(Vec::new(), batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    let expected = ["SNAPPY", "SNAPPY", "LZ4_RAW", "UNCOMPRESSED"];
    assert_eq!(form(&again(writer.into_inner().unwrap())).2, expected);
}

#[test]
fn row_groups_of_several_have_as_many_rows() {
    let batch = batch(vec![column("text", StringArray::from_iter_values(numbers(0..2500)))]);
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(700)).build();
    assert_eq!(form(&again(encoded(&batch, properties))).3, [700, 700, 700, 399]);
    // As a program leaves them that writes as it goes.
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(10)).build();
    let mut expected = [10; 250];
    expected[249] = 9;
    assert_eq!(form(&again(encoded(&batch, properties))).3, expected);
}

/// The end of a large file describes no more row groups than fit in the memory.
#[test]
fn small_row_groups_of_many_rows_become_larger() {
    let table = |rows| batch(vec![column("text", StringArray::from_iter_values(numbers(rows)))]);
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(2)).build();
    let story = Story::new().file("a", encoded(&table(0..6), properties)).reading(|reading| reading.all_columns = true);
    let batches = rows(&story);
    let mut kept = KeptRows::create(Vec::new(), table(0..0).schema(), batches[0].form().unwrap()).unwrap();
    for first in (0..200_000).step_by(1000) {
        kept.write(&table(first..first + 1000), |row| row % 500 != 7).unwrap();
    }
    let kept = opened(&kept.finish().unwrap());
    let groups: Vec<i64> = kept.metadata().row_groups().iter().map(RowGroupMetaData::num_rows).collect();
    assert_eq!(groups.iter().sum::<i64>(), 200_000 / 500 * 499);
    assert!(groups[..6000].iter().all(|&rows| rows == 2));
    assert!(groups[..groups.len() - 1].is_sorted());
    assert!(groups.len() < 20_000, "{}", groups.len());
}

#[test]
fn a_file_without_rows_keeps_its_version() {
    let properties = WriterProperties::builder().set_writer_version(WriterVersion::PARQUET_2_0).build();
    let bytes = encoded(&batch(vec![texts([])]), properties);
    let story = Story::new().file("a", bytes).reading(|reading| reading.all_columns = true);
    let batches = rows(&story);
    let kept = KeptRows::create(Vec::new(), batches[0].table().unwrap().0.schema(), batches[0].form().unwrap());
    let kept = opened(&kept.unwrap().finish().unwrap());
    assert_eq!((kept.metadata().file_metadata().version(), kept.metadata().num_row_groups()), (2, 0));
}
