//! Stories of tables, written by the library that reads them.

mod bounds;
mod form;
mod times;

use std::sync::Arc;

use ::parquet::arrow::ArrowWriter;
use ::parquet::basic::{BrotliLevel, Compression, GzipLevel, ZstdLevel};
use ::parquet::file::properties::WriterProperties;
use arrow_array::types::Int8Type;
use arrow_array::*;
use arrow_schema::{DataType, Field, Schema};
use proptest::prelude::*;

use super::super::tests::{Story, gzip};
use super::super::{Content, Fields};
use super::*;

type Column = (&'static str, ArrayRef);

fn column(name: &'static str, array: impl Array + 'static) -> Column {
    (name, Arc::new(array))
}

fn texts<const N: usize>(texts: [&str; N]) -> Column {
    column("text", StringArray::from_iter_values(texts))
}

fn encoded(batch: &RecordBatch, properties: WriterProperties) -> Vec<u8> {
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

fn table(columns: Vec<Column>) -> Vec<u8> {
    encoded(&batch(columns), WriterProperties::default())
}

fn batch(columns: Vec<Column>) -> RecordBatch {
    let may_be_null = |array: &ArrayRef| array.logical_null_count() > 0;
    let columns = columns.into_iter().map(|(name, array)| (name, Arc::clone(&array), may_be_null(&array)));
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

fn fields(text: &str, id: Option<&str>, key: Option<&str>) -> impl FnOnce(&mut Reading) {
    let fields = Fields { text: text.into(), id: id.map(Into::into), key: key.map(Into::into), origin: None };
    |reading| reading.fields = fields
}

/// The batches of rows in a story.
fn rows(story: &Story) -> Vec<Batch> {
    story.batches().map(|batch| batch.unwrap()).filter(|batch| matches!(batch.content, Content::Table(_))).collect()
}

fn keys(story: &Story) -> Vec<Option<String>> {
    let mut keys = Vec::new();
    for batch in rows(story) {
        batch.each(|record| keys.push(record.unwrap().key));
    }
    keys
}

#[test]
fn every_compression_is_read() {
    let columns = vec![texts(["one", "two", "three"]), column("n", UInt16Array::from(vec![7, 8, 9]))];
    let batch = batch(columns);
    for compression in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::BROTLI(BrotliLevel::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
        Compression::ZSTD(ZstdLevel::default()),
    ] {
        let bytes = encoded(&batch, WriterProperties::builder().set_compression(compression).build());
        let story = Story::new().file("a", bytes).reading(fields("text", Some("n"), None));
        assert_eq!(story.told(), ["7|one", "8|two", "9|three"], "{compression}");
    }
}

#[test]
fn a_table_that_is_compressed_as_a_whole_is_read() {
    let bytes = table(vec![texts(["one", "two"])]);
    let story = Story::new().file("a.parquet", &bytes).file("b.parquet.gz", gzip(&bytes));
    assert_eq!(story.told(), ["a.parquet:1|one", "a.parquet:2|two", "b.parquet.gz:1|one", "b.parquet.gz:2|two"]);
}

#[test]
fn the_copy_of_such_a_table_goes_where_it_is_told() {
    let bytes = gzip(&table(vec![texts(["one", "two"])]));
    let told =
        |temp: &str| Story::new().file("a.gz", &bytes).reading(|reading| reading.temp = Some(temp.into())).told();
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(told(folder.path().to_str().unwrap()), ["a.gz:1|one", "a.gz:2|two"]);
    let [problem] = &told("no/such/folder")[..] else { panic!("the file is a problem") };
    assert!(problem.starts_with("! a.gz: its copy in no/such/folder cannot be written ("), "{problem}");
}

#[test]
fn every_kind_of_string_is_a_text_and_an_id() {
    let dictionary: DictionaryArray<Int8Type> = ["tide", "ebb", "tide"].into_iter().collect();
    let strings: [ArrayRef; 6] = [
        Arc::new(StringArray::from_iter_values(["tide", "ebb", "tide"])),
        Arc::new(LargeStringArray::from_iter_values(["tide", "ebb", "tide"])),
        Arc::new(StringViewArray::from_iter_values(["tide", "ebb", "tide"])),
        Arc::new(BinaryArray::from_iter_values(["tide", "ebb", "tide"])),
        Arc::new(BinaryViewArray::from_iter_values(["tide", "ebb", "tide"])),
        Arc::new(dictionary),
    ];
    for all_columns in [false, true] {
        for array in &strings {
            let story = Story::new()
                .file("a", table(vec![("text", Arc::clone(array))]))
                .reading(fields("text", Some("text"), None))
                .reading(|reading| reading.all_columns = all_columns);
            assert_eq!(story.told(), ["tide|tide", "ebb|ebb", "tide|tide"], "{}", array.data_type());
        }
    }
}

#[test]
fn every_whole_number_is_an_id() {
    let numbers: [ArrayRef; 8] = [
        Arc::new(Int8Array::from(vec![100])),
        Arc::new(Int16Array::from(vec![100])),
        Arc::new(Int32Array::from(vec![100])),
        Arc::new(Int64Array::from(vec![100])),
        Arc::new(UInt8Array::from(vec![100])),
        Arc::new(UInt16Array::from(vec![100])),
        Arc::new(UInt32Array::from(vec![100])),
        Arc::new(UInt64Array::from(vec![100])),
    ];
    for array in numbers {
        let bytes = table(vec![("id", array), texts(["x"])]);
        assert_eq!(Story::new().file("a", bytes).reading(fields("text", Some("id"), None)).told(), ["100|x"]);
    }
    let bytes = table(vec![column("id", UInt64Array::from(vec![u64::MAX])), texts(["x"])]);
    let story = Story::new().file("a", bytes).reading(fields("text", Some("id"), None));
    assert_eq!(story.told(), ["18446744073709551615|x"]);
}

#[test]
fn bytes_are_decoded_as_they_may_be() {
    let bytes = || table(vec![column("text", BinaryArray::from_iter_values([b"caf\xe9".as_slice(), b"caf\xc3\xa9"]))]);
    assert_eq!(Story::new().file("a", bytes()).told(), ["a:1|caf\u{fffd}", "a:2|café"]);
    let latin = "windows-1252".parse().unwrap();
    let story = Story::new().file("a", bytes()).reading(|reading| reading.encoding = Some(latin));
    assert_eq!(story.told(), ["a:1|café", "a:2|cafÃ©"]);
    // Strings of a table are Unicode, whatever the bytes of other files are.
    let story = Story::new().file("a", table(vec![texts(["café"])])).reading(|reading| reading.encoding = Some(latin));
    assert_eq!(story.told(), ["a:1|café"]);
}

/// A structure of `lang` and `text`, null where `text` is `None`.
fn nested(texts: Vec<Option<&str>>) -> StructArray {
    let is_there = texts.iter().map(Option::is_some).collect::<Vec<_>>().into();
    let langs: ArrayRef = Arc::new(Int32Array::from_iter_values((0..).take(texts.len())));
    let texts: ArrayRef = Arc::new(StringArray::from_iter_values(texts.into_iter().map(Option::unwrap_or_default)));
    let fields = vec![Field::new("lang", DataType::Int32, false), Field::new("text", DataType::Utf8, false)];
    StructArray::new(fields.into(), vec![langs, texts], Some(is_there))
}

#[test]
fn nested_columns_are_found() {
    let inner: ArrayRef = Arc::new(nested(vec![Some("deep"), None]));
    let outer = StructArray::from(vec![(Arc::new(Field::new("b", inner.data_type().clone(), true)), inner)]);
    let columns = || vec![column("x", Int8Array::from(vec![1, 2])), column("a", outer.clone())];
    let bytes = table(columns());
    let story = Story::new().file("a", &bytes).reading(fields("a.b.text", None, Some("a.b.lang")));
    assert_eq!(story.told(), ["a:1|deep", "a:2|(null)"]);
    let dotted = column("a.b.text", StringArray::from(vec!["shallow", "low"]));
    let story = Story::new().file("a", table([columns(), vec![dotted]].concat())).reading(fields(
        "a.b.text",
        None,
        Some("a.b.lang"),
    ));
    assert_eq!(story.told(), ["a:1|shallow", "a:2|low"]);
    assert_eq!(keys(&story), [Some("0".to_owned()), None]);
    let story = Story::new().file("a", bytes).reading(fields("a.b.c", None, None));
    assert_eq!(story.told(), ["! a: has no field 'a.b.c'; it has x, a: name one with --text-field or --id-field"]);
}

#[test]
fn a_null_text_is_no_problem_and_a_null_id_is() {
    let bytes = table(vec![
        column("id", Int32Array::from(vec![Some(1), None, Some(3)])),
        column("text", StringArray::from(vec![Some("one"), Some("two"), None])),
    ]);
    let story = Story::new().file("a", bytes).reading(fields("text", Some("id"), None));
    let no_id = "! a, row 2: the field 'id' is null, not a string or a whole number";
    assert_eq!(story.told(), ["1|one", no_id, "3|(null)"]);
    let values = StringArray::from(vec![Some("tide"), None]);
    let dictionary = DictionaryArray::new(Int8Array::from(vec![Some(0), Some(1), None]), Arc::new(values));
    let story = Story::new().file("a", table(vec![column("text", dictionary)]));
    assert_eq!(story.told(), ["a:1|tide", "a:2|(null)", "a:3|(null)"]);
    let story = Story::new().file("a", table(vec![column("text", NullArray::new(1))]));
    assert_eq!(story.told(), ["a:1|(null)"]);
}

#[test]
fn keys_are_shown() {
    let dictionary: DictionaryArray<Int8Type> = [Some("tide"), None].into_iter().collect();
    let keys_shown: [(ArrayRef, &str); 17] = [
        (Arc::new(StringArray::from(vec![Some("a \"b\""), None])), "a \"b\""),
        (Arc::new(dictionary), "tide"),
        (Arc::new(BooleanArray::from(vec![Some(true), None])), "true"),
        (Arc::new(Int64Array::from(vec![Some(-5), None])), "-5"),
        (Arc::new(Float32Array::from(vec![Some(0.1), None])), "0.1"),
        (Arc::new(Float64Array::from(vec![Some(1.0), None])), "1.0"),
        (Arc::new(Decimal128Array::from(vec![Some(12345), None]).with_precision_and_scale(9, 2).unwrap()), "123.45"),
        (Arc::new(Date32Array::from(vec![Some(20_455), None])), "2026-01-02"),
        (Arc::new(Date64Array::from(vec![Some(20_455 * 86_400_000), None])), "2026-01-02"),
        (Arc::new(Time32SecondArray::from(vec![Some(3661), None])), "01:01:01"),
        (Arc::new(Time32MillisecondArray::from(vec![Some(3_661_500), None])), "01:01:01.500"),
        (Arc::new(Time64MicrosecondArray::from(vec![Some(3_661_000_001), None])), "01:01:01.000001"),
        (Arc::new(TimestampSecondArray::from(vec![Some(1_767_323_045), None])), "2026-01-02T03:04:05"),
        (Arc::new(TimestampMillisecondArray::from(vec![Some(1_767_323_045_500), None])), "2026-01-02T03:04:05.500"),
        (
            Arc::new(TimestampMicrosecondArray::from(vec![Some(1_767_323_045_000_000), None]).with_timezone("+02:00")),
            "2026-01-02T03:04:05",
        ),
        (Arc::new(TimestampNanosecondArray::from(vec![Some(1), None])), "1970-01-01T00:00:00.000000001"),
        (Arc::new(TimestampSecondArray::from(vec![Some(i64::MAX), None])), "9223372036854775807"),
    ];
    for (array, shown) in keys_shown {
        let kind = array.data_type().clone();
        let bytes = table(vec![("key", array), texts(["x", "y"])]);
        let story = Story::new().file("a", bytes).reading(fields("text", None, Some("key")));
        assert_eq!(keys(&story), [Some(shown.to_owned()), None], "{kind}");
    }
    let bytes = table(vec![column("key", NullArray::new(1)), texts(["x"])]);
    assert_eq!(keys(&Story::new().file("a", bytes).reading(fields("text", None, Some("key")))), [None]);
}

/// Programs give columns without values a type of their own.
#[test]
fn columns_without_values_may_have_any_type() {
    let bytes = table(vec![column("text", Float32Array::from(Vec::<f32>::new())), column("id", NullArray::new(0))]);
    assert_eq!(Story::new().file("a", bytes).reading(fields("text", Some("id"), None)).told(), [""; 0]);
}

#[test]
fn fields_that_cannot_serve_are_one_problem() {
    let list = FixedSizeListArray::from_iter_primitive::<types::Int8Type, _, _>([Some(vec![Some(1)])], 1);
    let bytes = table(vec![
        texts(["x"]),
        column("n", Int8Array::from(vec![1])),
        column("f", Float32Array::from(vec![1.0])),
        column("list", list),
        column("day", Date32Array::from(vec![1])),
        column("none", NullArray::new(1)),
        column("deep", nested(vec![Some("x")])),
    ]);
    for (text, id, key, expected) in [
        ("body", None, None, "has no field 'body'; it has text, n, f, list, day, none, deep: name one with"),
        ("text", None, Some("date"), "has no field 'date'; it has text, n,"),
        ("n", None, None, "the field 'n' is a number, not a string"),
        ("deep", None, None, "the field 'deep' is an object, not a string"),
        ("deep.lang", None, None, "the field 'deep.lang' is a number, not a string"),
        ("text", Some("f"), None, "the field 'f' is a number, not a string or a whole number"),
        ("text", Some("day"), None, "the field 'day' is a time, not a string or a whole number"),
        ("text", None, Some("list"), "the field 'list' is a list, not a string, a number or a time"),
    ] {
        let told = Story::new().file("a", &bytes).reading(fields(text, id, key)).told();
        assert_eq!(told.len(), 1);
        assert!(told[0].starts_with(&format!("! a: {expected}")), "{told:?}");
    }
}

#[test]
fn long_rows_are_named() {
    let bytes = table(vec![texts(["short", "rather long", "short"])]);
    let story = Story::new().file("a", bytes).reading(|reading| reading.max_document = 10);
    let too_long = "! a, row 2: is longer than 10 bytes; raise --max-document or --max-memory to read it";
    assert_eq!(story.told(), ["a:1|short", too_long, "a:3|short"]);
}

#[test]
fn rows_are_numbered_through_batches_and_row_groups() {
    let batch = batch(vec![column("text", StringArray::from_iter_values(numbers(0..2500)))]);
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(700)).build();
    let story = Story::new().file("a", encoded(&batch, properties));
    let expected = (0..2500).map(|n| format!("a:{}|number {n}", n + 1));
    assert_eq!(story.told(), expected.collect::<Vec<_>>());
    let batches = rows(&story);
    let first = batches.iter().map(|batch| batch.table().unwrap().1);
    assert_eq!(first.collect::<Vec<_>>(), [1, 1001, 2001]);
    assert_eq!(batches.iter().map(|batch| batch.is_last).collect::<Vec<_>>(), [false, false, true]);
    assert_eq!(batches.iter().map(|batch| batch.bytes_read).sum::<u64>(), batches[0].file.size);
}

fn numbers(range: std::ops::Range<usize>) -> impl Iterator<Item = String> {
    range.map(|n| format!("number {n}"))
}

#[test]
fn a_text_in_a_thousand_rows_is_in_memory_once() {
    let text = "tide ".repeat(20_000);
    let bytes = table(vec![column("text", StringArray::from_iter_values(std::iter::repeat_n(&text, 1000)))]);
    assert!(bytes.len() < 200_000, "a dictionary holds it once: {}", bytes.len());
    let batches = rows(&Story::new().file("a", bytes));
    assert!(batches.len() > 20, "{} batches of 4 MiB", batches.len());
    let memory = batches.iter().map(|batch| batch.table().unwrap().0.get_array_memory_size()).max();
    assert!(memory < Some(1 << 20), "{memory:?}");
}

#[test]
fn only_the_wanted_columns_are_read() {
    let bytes =
        table(vec![texts(["x"]), column("n", Int8Array::from(vec![1])), column("deep", nested(vec![Some("y")]))]);
    let names = |story: Story| {
        let batches = rows(&story);
        let schema = batches[0].table().unwrap().0.schema();
        schema.fields().iter().map(|column| format!("{} {}", column.name(), column.data_type())).collect::<Vec<_>>()
    };
    let story = || Story::new().file("a", &bytes).reading(fields("deep.text", None, None));
    assert_eq!(names(story()), ["deep Struct(\"text\": non-null Utf8View)"]);
    let all = names(story().reading(|reading| reading.all_columns = true));
    assert_eq!(all, ["text Utf8", "n Int8", "deep Struct(\"lang\": non-null Int32, \"text\": non-null Utf8)"]);
}

#[test]
fn a_table_without_rows_has_a_schema() {
    let story = Story::new().file("a", table(vec![texts([])]));
    assert_eq!(story.told(), Vec::<String>::new());
    let batches = rows(&story);
    assert_eq!(batches.len(), 1);
    let (batch, _) = batches[0].table().unwrap();
    assert_eq!((batch.num_rows(), batch.schema().field(0).name().as_str()), (0, "text"));
}

/// A table of many pages and of each encoding.
fn intricate() -> Vec<u8> {
    let columns = vec![
        column("text", StringArray::from_iter_values(numbers(0..60))),
        column("id", Int64Array::from_iter_values((0..60).map(|n| n * n))),
        column(
            "key",
            (0..60).map(|n| (n % 7 != 0).then_some(["a", "b"][n % 2])).collect::<DictionaryArray<Int8Type>>(),
        ),
        column("deep", nested((0..60).map(|n| (n % 5 != 0).then_some("deep")).collect())),
    ];
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_data_page_row_count_limit(20)
        .set_write_batch_size(10)
        .set_max_row_group_row_count(Some(40))
        .build();
    encoded(&batch(columns), properties)
}

#[test]
fn a_table_cut_short_is_a_problem() {
    let bytes = intricate();
    for end in 4..bytes.len() {
        let told = Story::new().file("a", &bytes[..end]).told();
        assert_eq!(told.len(), 1, "{end}: {told:?}");
        assert!(told[0].starts_with("! a: is not valid Parquet: "), "{told:?}");
    }
}

#[test]
fn a_damaged_table_is_never_fatal() {
    let bytes = intricate();
    let change = fields("text", Some("id"), Some("key"));
    let mut story = Story::new().file("a", &bytes).reading(change);
    let sound = story.told();
    assert_eq!(sound.len(), 60);
    let mut unlike = 0;
    for place in 4..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << (place % 8);
        story = story.file("a", damaged);
        let told = story.told();
        unlike += usize::from(told != sound);
        let read = told.iter().filter(|line| !line.starts_with("! a")).count();
        assert!(read == 60 || read < told.len(), "byte {place}: {} rows are lost without a word", 60 - read);
    }
    // The rest is statistics and columns that are not read.
    assert!(unlike > bytes.len() / 4, "{unlike} of {}", bytes.len());
}

#[test]
fn a_false_number_of_rows_is_a_problem() {
    // A field of 64 bits that follows the one before it, and 60 in it: in the footer,
    // the rows of the file, of the row group and of its columns.
    let (said, false_ones) = ([0x16, 0x78], [[0x16, 0x76], [0x16, 0x7a]]);
    let bytes = table(vec![column("text", StringArray::from_iter_values(numbers(0..60)))]);
    let places = || (4..bytes.len() - 2).filter(|&place| bytes[place..place + 2] == said);
    assert!(places().count() >= 2);
    for false_one in false_ones {
        let mut one = Vec::new();
        let mut all = bytes.clone();
        for place in places() {
            one = bytes.clone();
            one[place..place + 2].copy_from_slice(&false_one);
            all[place..place + 2].copy_from_slice(&false_one);
        }
        for damaged in [one, all] {
            let told = Story::new().file("a", damaged).told();
            assert!(told.last().unwrap().starts_with("! a: is not valid Parquet: "), "{told:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn kept_rows_are_those_that_were_to_be_kept(keep in prop::collection::vec(any::<bool>(), 60)) {
        let story = Story::new().file("a", intricate()).reading(|reading| reading.all_columns = true);
        let batches = rows(&story);
        let (batch, _) = batches[0].table().unwrap();
        let mut kept = KeptRows::create(Vec::new(), batch.schema(), batches[0].form().unwrap()).unwrap();
        kept.write(batch, |row| keep[row]).unwrap();
        let again = Story::new().file("a", kept.finish().unwrap()).reading(|reading| reading.all_columns = true);
        let again = rows(&again);
        let (read, _) = again[0].table().unwrap();
        prop_assert_eq!(read.schema(), batch.schema());
        let expected: Vec<_> = (0..60).filter(|&row| keep[row]).map(|row| batch.slice(row, 1)).collect();
        let found: Vec<_> = (0..read.num_rows()).map(|row| read.slice(row, 1)).collect();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn what_a_file_says_of_itself_is_kept() {
    let text = Field::new("text", DataType::LargeUtf8, true)
        .with_metadata(std::collections::HashMap::from([("unit".into(), "words".into())]));
    let schema =
        Schema::new(vec![text]).with_metadata(std::collections::HashMap::from([("made by".into(), "hand".into())]));
    let array: ArrayRef = Arc::new(LargeStringArray::from(vec![Some("x"), None]));
    let batch = RecordBatch::try_new(Arc::new(schema), vec![array]).unwrap();
    let story = Story::new()
        .file("a", encoded(&batch, WriterProperties::default()))
        .reading(|reading| reading.all_columns = true);
    let read = rows(&story);
    let (read, form) = (read[0].table().unwrap().0, read[0].form().unwrap());
    assert_eq!(read, &batch);
    let mut kept = KeptRows::create(tempfile::tempfile().unwrap(), read.schema(), form).unwrap();
    kept.write(read, |_| true).unwrap();
    let file = ParquetRecordBatchReaderBuilder::try_new(kept.finish().unwrap()).unwrap();
    let said = file.metadata().file_metadata().key_value_metadata().unwrap();
    assert!(said.iter().any(|pair| pair.key == "made by" && pair.value.as_deref() == Some("hand")), "{said:?}");
    assert_eq!(file.schema(), &batch.schema());
}
