//! `dedup clean` between Parquet and other formats.
#![cfg(feature = "parquet")]

use std::collections::BTreeMap;
use std::fs::File;
use std::sync::Arc;

use arrow_array::builder::{MapBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, DictionaryArray, FixedSizeListArray, Int8Array, LargeStringArray, RecordBatch,
    StringArray, StructArray, TimestampSecondArray,
};
use arrow_schema::Field;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, GzipLevel};
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::properties::{WriterProperties, WriterVersion};
use proptest::prelude::*;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::folder::Folder;
use crate::texts::{BEES, CLOCK, HARBOUR, MILL, jsonl, parquet as table, parquet_of, unpacked};

/// The names and types of a file's columns.
fn types(folder: &Folder, name: &str) -> Vec<String> {
    let file = ParquetRecordBatchReaderBuilder::try_new(File::open(folder.path().join(name)).unwrap()).unwrap();
    file.schema().fields().iter().map(|it| format!("{} {}", it.name(), it.data_type())).collect()
}

/// The texts of a column of strings or bytes, which may be in a structure.
fn texts_of(folder: &Folder, name: &str, field: &str) -> Vec<String> {
    let file = ParquetRecordBatchReaderBuilder::try_new(File::open(folder.path().join(name)).unwrap()).unwrap();
    let rows = file.build().unwrap().next().unwrap().unwrap();
    let column = rows.column(0);
    let column = if field.contains('.') { column.as_struct().column(0) } else { column };
    let of = |row: usize| nearcopy_corpus::records::shown(column, row).unwrap();
    (0..rows.num_rows()).map(of).collect()
}

fn values(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn objects_become_columns_and_objects_again() {
    let record = |id: i64, text: &str, ratio: &str, more: &str| {
        format!("{{\"id\":{id},\"text\":\"{text}\",\"ratio\":{ratio},\"good\":{},\"none\":null{more}}}\n", id > 2)
    };
    let last = i64::MAX;
    let lines = record(1, HARBOUR, "1.50", "")
        + "\n"
        + &record(2, HARBOUR, "\"of a removed document\"", ",\"gone\":[]")
        + &record(last, CLOCK, "-3", ",\"late\":\"\\ud83d\\ude00\"")
        + &record(4, BEES, "1e-300", ",\"late\":\"\"");
    let folder = Folder::new().file("in.jsonl", &lines);
    folder.dedup("clean -q --id-field id in.jsonl -o out.parquet").quietly(0);
    let expected = ["id Int64", "text Utf8", "ratio Float64", "good Boolean", "none Null", "late Utf8"];
    assert_eq!(types(&folder, "out.parquet"), expected);
    folder.dedup("clean -q --id-field id out.parquet -o again.jsonl.gz").quietly(0);
    let again = String::from_utf8(unpacked(&folder.read("again.jsonl.gz"))).unwrap();
    let object = |id: i64, text: &str, ratio: f64, late: Value| json!({"id": id, "text": text, "ratio": ratio, "good": id > 2, "none": null, "late": late});
    assert_eq!(
        values(&again),
        [
            object(1, HARBOUR, 1.5, Value::Null),
            object(last, CLOCK, -3.0, json!("😀")),
            object(4, BEES, 1e-300, json!(""))
        ]
    );
    assert!(again.starts_with("{\"id\":1,\"text\":"), "{again}");
    // An existing file is replaced only if asked for.
    let before = folder.read("out.parquet");
    folder.dedup("clean -q --id-field id in.jsonl -o out.parquet").fails_saying("--force");
    folder.dedup("clean -q --id-field id in.jsonl --force -o out.parquet").quietly(0);
    assert_eq!(folder.read("out.parquet"), before);
}

#[test]
fn rows_become_columns_of_strings_and_rows_again() {
    for (ending, separator) in [("csv", ","), ("tsv", "\t")] {
        let row = |fields: [&str; 3]| fields.join(separator) + "\n";
        let heading = row(["n", "text", "a b"]);
        let first = row(["007", "a text without commas", ""]);
        let last = row(["1e5", "\"two\nlines\"", "ü"]);
        let name = |stem: &str| format!("{stem}.{ending}");
        let folder = Folder::new()
            .file(&name("in"), [&*heading, &first, &row(["2", "a text without commas", "x"]), &last].concat())
            .file(&name("twice"), row(["text", "a", "a"]) + &row(["x", "1", "2"]));
        folder.dedup(&format!("clean -q in.{ending} -o out.parquet")).quietly(0);
        assert_eq!(types(&folder, "out.parquet"), ["n Utf8", "text Utf8", "a b Utf8"]);
        folder.dedup(&format!("clean -q out.parquet -o again.{ending}")).quietly(0);
        assert_eq!(folder.read_text(&name("again")), [heading, first, last].concat());
        folder
            .dedup(&format!("clean -q twice.{ending} -o twice.parquet"))
            .fails_saying("row 1: cannot be converted without loss: it has two fields 'a'");
    }
}

/// The rows of each row group.
fn groups(folder: &Folder, name: &str) -> Vec<i64> {
    let file = ParquetRecordBatchReaderBuilder::try_new(File::open(folder.path().join(name)).unwrap()).unwrap();
    file.metadata().row_groups().iter().map(RowGroupMetaData::num_rows).collect()
}

/// Each way of leaving something out, of a table with a codec for each column, in pages of version 2 and small row groups.
#[test]
fn parquet_keeps_codecs_version_and_row_groups() {
    let codecs = |folder: &Folder, name: &str| {
        let file = ParquetRecordBatchReaderBuilder::try_new(File::open(folder.path().join(name)).unwrap()).unwrap();
        let columns = file.metadata().row_group(0).columns().iter().map(ColumnChunkMetaData::compression_codec);
        (file.metadata().file_metadata().version(), columns.map(|codec| codec.to_string()).collect::<Vec<_>>())
    };
    let notice = "Nobody may copy this page without the leave of the old miller.\n";
    let texts = [HARBOUR, HARBOUR, CLOCK, BEES].map(|text| format!("{notice}{text}\n"));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("text", Arc::new(StringArray::from_iter_values(&texts))),
        ("id", Arc::new(StringArray::from(vec!["a", "b", "c", "d"]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_max_row_group_row_count(Some(2))
        .set_compression(Compression::SNAPPY)
        .set_column_compression("id".into(), Compression::GZIP(GzipLevel::default()));
    let mut writer =
        parquet::arrow::ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties.build())).unwrap();
    writer.write(&batch).unwrap();
    let folder = Folder::new()
        .file("in.parquet", writer.into_inner().unwrap())
        .file("items.jsonl", json!({"text": CLOCK}).to_string());
    let expected = (2, vec!["SNAPPY".to_owned(), "GZIP".into()]);
    assert_eq!(codecs(&folder, "in.parquet"), expected);
    for (line, output) in [
        ("clean -q in.parquet -o a.parquet", "a.parquet"),
        ("clean -q in.parquet --lines --max-documents 1 -o b.parquet", "b.parquet"),
        ("clean -q in.parquet --repeats=10 --max-cut 1 -o c.parquet", "c.parquet"),
        ("decontaminate -q in.parquet --against items.jsonl --field text --drop -o d.parquet", "d.parquet"),
        ("decontaminate -q in.parquet --against items.jsonl --field text --cut -o e.parquet", "e.parquet"),
        ("clean -q in.parquet -o f/*.parquet", "f/00000.parquet"),
    ] {
        folder.dedup(line).quietly(0);
        assert_eq!(codecs(&folder, output), expected, "{line}");
        assert_eq!(groups(&folder, output)[0], 2, "{line}");
        assert!(folder.read(output) != folder.read("in.parquet"), "{line}");
    }
}

/// Of a damaged row group only the rows before the damage stay; those of the others do.
#[test]
fn row_groups_behind_a_damaged_one_are_kept() {
    let texts = [HARBOUR, CLOCK, BEES, MILL, "A short text."];
    let column: ArrayRef = Arc::new(StringArray::from(texts.to_vec()));
    let batch = RecordBatch::try_from_iter([("text", column)]).unwrap();
    let properties =
        WriterProperties::builder().set_dictionary_enabled(false).set_max_row_group_row_count(Some(2)).build();
    let mut writer = parquet::arrow::ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    let mut bytes = writer.into_inner().unwrap();
    // The length of the fourth text.
    let place = bytes.windows(texts[3].len()).position(|window| window == texts[3].as_bytes()).unwrap();
    bytes[place - 4..place].copy_from_slice(&u32::MAX.to_le_bytes());
    let folder = Folder::new().file("in.parquet", bytes).file("items.jsonl", json!({"text": "none"}).to_string());
    for line in [
        "clean in.parquet",
        "clean in.parquet --lines",
        "clean in.parquet --repeats",
        "decontaminate in.parquet --against items.jsonl --field text --cut",
    ] {
        let answer = folder.dedup(&format!("{line} -o out.parquet --problems p.jsonl --force"));
        answer.code_is(2);
        assert_eq!(texts_of(&folder, "out.parquet", "text"), [HARBOUR, CLOCK, BEES, texts[4]], "{answer:?}");
        let problems = folder.read_text("p.jsonl");
        let problem: Value = serde_json::from_str(problems.lines().last().unwrap()).unwrap();
        assert_eq!((&problem["record"], &problem["fate"]), (&json!(4), &json!("goes")), "{answer:?}");
        assert!(problem["reason"].as_str().unwrap().contains("(rows 4 to 4 are lost)"), "{problem}");
    }
}

/// `--attributes` as a table has the rows of its JSON Lines.
#[test]
fn spans_are_listed_in_parquet() {
    let notice = "Nobody may copy this page without the leave of the old miller.\n";
    let texts = [HARBOUR, CLOCK, BEES].map(|text| format!("Ünder {notice}{text}\n{notice}"));
    let texts: Vec<(&str, &str)> = texts.iter().map(|text| ("x", &**text)).collect();
    let folder = Folder::new().file("in.jsonl", jsonl(&texts)).file("items.jsonl", json!({"text": CLOCK}).to_string());
    for line in [
        "clean -q in.jsonl --lines --max-documents 1",
        "clean -q in.jsonl --repeats=10 --max-cut 1",
        "decontaminate -q in.jsonl --against items.jsonl --field text",
    ] {
        for list in ["spans.jsonl", "spans.parquet"] {
            folder.dedup(&format!("{line} --attributes {list} --force")).quietly(0);
        }
        let lines: Vec<Value> =
            folder.read_text("spans.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(!lines.is_empty(), "{line}");
        let table = ParquetRecordBatchReaderBuilder::try_new(File::open(folder.path().join("spans.parquet")).unwrap());
        let rows = table.unwrap().build().unwrap().flat_map(|batch| rows(&batch.unwrap()));
        assert_eq!(rows.collect::<Vec<Value>>(), lines, "{line}");
        folder.dedup(&format!("{line} --attributes spans.parquet")).fails_saying("spans.parquet: already exists");
        folder
            .dedup(&format!("{line} --attributes spans.parquet.gz"))
            .fails_saying("is plain text; end its name with .jsonl, or .parquet for a table");
    }
}

/// The rows of a list of spans.
fn rows(batch: &RecordBatch) -> Vec<Value> {
    let name = |column: &str, row| batch[column].as_string::<i32>().value(row).to_owned();
    let spans = |column: &str, row| -> Value {
        let spans = batch[column].as_list::<i32>().value(row);
        let spans = spans.as_list::<i32>();
        (0..spans.len()).map(|span| spans.value(span).as_primitive::<UInt64Type>().values().to_vec()).collect()
    };
    let of = |row| {
        let record = batch["record"].as_primitive::<UInt64Type>().value(row);
        let [id, file] = ["id", "file"].map(|column| name(column, row));
        let [spans, spans_bytes] = ["spans", "spans_bytes"].map(|column| spans(column, row));
        json!({"id": id, "file": file, "record": record, "spans": spans, "spans_bytes": spans_bytes})
    };
    (0..batch.num_rows()).map(of).collect()
}

/// Texts in a dictionary, in a structure and as bytes. A dictionary becomes its values, other types stay.
#[test]
fn texts_of_any_column_are_cut() {
    let notice = "Nobody may copy this page without the leave of the old miller.";
    let texts = [HARBOUR, CLOCK, BEES].map(|text| format!("{notice}\n{text}\n"));
    let of_dictionary: DictionaryArray<Int8Type> = texts.iter().map(String::as_str).collect();
    let plain: ArrayRef = Arc::new(StringArray::from_iter_values(&texts));
    let numbers: ArrayRef = Arc::new(Int8Array::from(vec![1, 2, 3]));
    let nested = StructArray::try_from(vec![("text", Arc::clone(&plain)), ("n", Arc::clone(&numbers))]).unwrap();
    let in_both = StructArray::try_from(vec![("text", Arc::new(of_dictionary.clone()) as ArrayRef)]).unwrap();
    let columns: [(&str, ArrayRef, &str); 5] = [
        ("a", Arc::new(of_dictionary), "Utf8"),
        ("b.text", Arc::new(nested), "Struct(\"text\": Utf8, \"n\": Int8)"),
        ("c.text", Arc::new(in_both), "Struct(\"text\": Utf8)"),
        ("d", Arc::new(BinaryArray::from_iter_values(&texts)), "Binary"),
        ("e", Arc::new(LargeStringArray::from_iter_values(&texts)), "LargeUtf8"),
    ];
    for (field, column, of) in columns {
        let name = field.split('.').next().unwrap();
        let other: DictionaryArray<Int8Type> = ["x", "y", "x"].into_iter().collect();
        let table = parquet_of([(name, column), ("n", Arc::clone(&numbers)), ("other", Arc::new(other))]);
        let folder = Folder::new().file("in.parquet", table).file("items.jsonl", json!({"text": notice}).to_string());
        for (line, left) in [
            ("clean in.parquet --lines --max-documents 1", [format!("{notice}\n{HARBOUR}\n"), format!("{CLOCK}\n")]),
            (
                "decontaminate in.parquet --against items.jsonl --field text --cut",
                [format!("\n{HARBOUR}\n"), format!("\n{CLOCK}\n")],
            ),
        ] {
            folder.dedup(&format!("{line} -q --text-field {field} -o out.parquet --force")).quietly(0);
            let types = types(&folder, "out.parquet");
            assert_eq!(types[0].replace("non-null ", ""), format!("{name} {of}"), "{line}");
            assert_eq!(types[1..], ["n Int8", "other Dictionary(Int8, Utf8)"], "{line}");
            assert_eq!(texts_of(&folder, "out.parquet", field)[..2], left, "{line} {field}");
        }
    }
}

/// What is not in UTF-8 stays whole.
#[test]
fn bytes_that_are_no_text_are_not_cut() {
    let notice = "Nobody may copy this page without the leave of the old miller.\n";
    let rows = [&b"one"[..], b"two \xff", b"three"].map(|text| [notice.as_bytes(), text].concat());
    let bytes: ArrayRef = Arc::new(BinaryArray::from_iter_values(rows));
    let folder = Folder::new().file("in.parquet", parquet_of([("text", bytes)]));
    folder.dedup("clean -q in.parquet --lines --max-documents 1 -o out.parquet").quietly(0);
    let file = File::open(folder.path().join("out.parquet")).unwrap();
    let left = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap().next().unwrap().unwrap();
    let texts = left.column_by_name("text").unwrap().as_binary::<i32>();
    let expected = [[notice.as_bytes(), b"one"].concat(), [notice.as_bytes(), b"two \xff"].concat(), b"three".to_vec()];
    assert!(texts.iter().flatten().eq(expected.iter().map(|text| &text[..])));
}

/// Parts in structures, lists and maps, whichever is named first.
#[test]
fn parts_of_items_are_read_from_any_column() {
    let halves = [&MILL[..MILL.len() / 2], &MILL[MILL.len() / 2..]];
    let text: ArrayRef = Arc::new(StringArray::from(halves.to_vec()));
    let choices = StructArray::try_from(vec![("text", text)]).unwrap();
    let item = Arc::new(Field::new_list_field(choices.data_type().clone(), true));
    let list = FixedSizeListArray::new(item, 2, Arc::new(choices), None);
    let mut map = MapBuilder::new(None, StringBuilder::new(), StringBuilder::new());
    for (key, half) in ["a", "b"].into_iter().zip(halves) {
        map.keys().append_value(key);
        map.values().append_value(half);
    }
    map.append(true).unwrap();
    let words: DictionaryArray<Int8Type> = [MILL].into_iter().collect();
    let table = parquet_of([
        ("choices", Arc::new(list) as ArrayRef),
        ("question", Arc::new(map.finish())),
        ("words", Arc::new(words)),
    ]);
    let folder = Folder::new()
        .file("test.parquet", table)
        .file("test.csv", format!("id,words\n1,\"{MILL}\"\n"))
        .file("corpus.jsonl", jsonl(&[("a", HARBOUR), ("b", MILL)]));
    let search = |set: &str, field: &str| {
        folder.dedup(&format!("decontaminate corpus.jsonl --against {set} --field {field} --dry-run"))
    };
    for field in ["choices.text", "question.a,question.b", "words"] {
        let answer = search("test.parquet", field);
        assert!(answer.stderr.contains("1 item of 1 test set: 1 contaminated"), "{field}: {answer:?}");
    }
    // Which of its fields are labels, nobody knows.
    for (field, has) in [("choices", "choices.text"), ("words,question", "question.a, question.b")] {
        let said = format!("not a text; it has {has}: name its parts with --field");
        let answer = search("test.parquet", field);
        assert!(answer.code == 2 && answer.stderr.contains(&said), "{answer:?}");
    }
    for set in ["test.parquet", "test.csv"] {
        search(set, "note,words").fails_saying("no item of a test set has the field 'note'");
        let answer = search(set, "note");
        assert!(answer.stderr.contains("has no text in the field 'note'; it has "), "{answer:?}");
        assert!(answer.stderr.contains(": name its parts with --field"), "{answer:?}");
    }
}

#[test]
fn a_table_without_records_has_columns() {
    let lines = "{\"id\":7,\"text\":\"one\",\"more\":[]}\n";
    let folder = Folder::new().file("in.jsonl", lines).file("in.csv", "id,text,n\n7,one,\n").file("gone.txt", "7\n");
    for (input, expected) in
        [("in.jsonl", &["text Utf8", "id Utf8"][..]), ("in.csv", &["id Utf8", "text Utf8", "n Utf8"])]
    {
        let clean = "clean -q --force --id-field id";
        folder.dedup(&format!("{clean} --apply gone.txt {input} -o out.parquet")).quietly(0);
        assert_eq!(types(&folder, "out.parquet"), expected);
        folder.dedup(&format!("{clean} out.parquet -o again.jsonl")).quietly(0);
        assert_eq!(folder.read_text("again.jsonl"), "");
    }
}

#[test]
fn what_would_be_lost_is_refused() {
    let dates: Vec<(&str, ArrayRef)> = vec![
        ("text", Arc::new(StringArray::from(vec!["one", "other"]))),
        ("at", Arc::new(TimestampSecondArray::from(vec![None, Some(7)]))),
    ];
    let batch = RecordBatch::try_from_iter(dates).unwrap();
    let mut writer = parquet::arrow::ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    let folder = Folder::new()
        .file("dates.parquet", writer.into_inner().unwrap())
        .file("texts.parquet", table(&[("text", &["one", "other"])]))
        .file("mixed.jsonl", "{\"text\":\"one\",\"n\":1}\n\n{\"text\":\"other\",\"n\":\"1\"}\n")
        .file("long.jsonl", "{\"text\":\"one\",\"n\":0.10000000000000000001}\n")
        .file("list.jsonl", "{\"text\":\"one\",\"n\":[1]}\n")
        .file("heading.csv", b"text,caf\xe9\none,1\n")
        .file("wide.csv", (0..4096).fold("text".to_owned(), |names, number| format!("{names},n{number}")) + "\n")
        .file("lines.txt", "a one\nb other\n");
    let before = folder.names();
    for (line, expected) in [
        (
            "mixed.jsonl -o out.parquet",
            "mixed.jsonl, line 3: cannot be converted without loss: its field 'n' is a string",
        ),
        ("long.jsonl -o out.parquet", "line 1: cannot be converted without loss: its field 'n' has the number 0.1000"),
        ("list.jsonl -o out.parquet", "line 1: cannot be converted without loss: its field 'n' is a list or an object"),
        (
            "dates.parquet -o out.jsonl",
            "dates.parquet, row 2: cannot be converted without loss: its field 'at' is of the type Timestamp(s), which \
             the output's format lacks; nothing was written",
        ),
        ("dates.parquet -o out.csv", "row 1: cannot be converted without loss: its field 'at' is null"),
        (
            "wide.csv -o out.parquet",
            "wide.csv, heading: cannot be converted without loss: its field 'n4095' would be column 4097, and at most \
             4096 are written",
        ),
        ("heading.csv -o out.parquet", "row 1: cannot be converted without loss: its heading has malformed characters"),
        ("heading.csv -o out.jsonl", "row 1: cannot be converted without loss: its heading has malformed characters"),
        ("texts.parquet -o out.parquet.gz", "Parquet is compressed inside; end its name with .parquet"),
        ("mixed.jsonl -o out.parquet.zst", "Parquet is compressed inside; end its name with .parquet"),
        ("--input lines lines.txt -o out.parquet", "its name says Parquet, but the documents are lines"),
    ] {
        folder.dedup(&format!("clean -q {line}")).fails_saying(expected);
        assert_eq!(folder.names(), before, "{line}");
    }
}

/// A column's values in all records, of one type.
fn column() -> impl Strategy<Value = Vec<Value>> {
    let of = |value: BoxedStrategy<Value>| prop::collection::vec(value, 4).boxed();
    let float = any::<f64>().prop_filter("JSON has finite numbers only", |float| float.is_finite());
    prop_oneof![
        of(".{0,9}".prop_map(Value::from).boxed()),
        of(any::<i64>().prop_map(Value::from).boxed()),
        of(float.prop_map(Value::from).boxed()),
        of(any::<bool>().prop_map(Value::from).boxed()),
        of(prop_oneof![Just(Value::Null), ".{0,3}".prop_map(Value::from)].boxed()),
        of(prop_oneof![Just(Value::Null), any::<i64>().prop_map(Value::from)].boxed()),
    ]
}

/// The values of an object by name; floats in one spelling, as `serde_json` may read their last digit wrongly.
fn exact(line: &str) -> BTreeMap<String, String> {
    let fields: BTreeMap<String, Box<RawValue>> = serde_json::from_str(line).unwrap();
    let spelt = |raw: &str| match raw.parse::<f64>() {
        Ok(float) if raw.contains(['.', 'e', 'E']) => format!("{float:?}"),
        _ => serde_json::from_str::<Value>(raw).unwrap().to_string(),
    };
    fields.into_iter().map(|(name, raw)| (name, spelt(raw.get()))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn flat_records_come_back(columns in prop::collection::btree_map("[a-c.\" ü]{1,3}", column(), 0..5)) {
        let mut records: Vec<Value> = (0..4).map(|row| {
            let mut record = json!({"text": format!("text {row}"), "key": row});
            for (name, values) in &columns {
                record[name.as_str()] = values[row].clone();
            }
            record
        }).collect();
        let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
        let folder = Folder::new().file("in.jsonl", lines).file("gone.txt", "2\n");
        folder.dedup("clean -q --id-field key --apply gone.txt in.jsonl -o out.parquet").quietly(0);
        folder.dedup("clean -q --id-field key --remove edited --threshold-alone --similarity 1 out.parquet -o again.jsonl").quietly(0);
        records.remove(2);
        let exact = |lines: &str| lines.lines().map(exact).collect::<Vec<_>>();
        let kept: String = records.iter().map(|record| format!("{record}\n")).collect();
        prop_assert_eq!(exact(&folder.read_text("again.jsonl")), exact(&kept));
    }
}
