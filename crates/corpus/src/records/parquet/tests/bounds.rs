//! Files that stand for far more than their size.

use super::*;

/// A table of one text of this length in so many rows, which a dictionary stores once.
fn repeated(bytes: usize, rows: usize) -> Vec<u8> {
    let text = "x".repeat(bytes);
    table(vec![column("text", StringArray::from_iter_values(std::iter::repeat_n(&*text, rows)))])
}

#[test]
fn a_small_file_that_stands_for_large_texts_is_read_in_part() {
    let story = Story::new().file("a", repeated(512 << 10, 600)).reading(fields("text", None, None));
    let told = story.told();
    assert!((300..514).contains(&told.len()), "{}", told.len());
    assert!(told.last().unwrap().contains("unpacks to far more"), "{:?}", told.last());
}

#[test]
fn a_small_file_that_stands_for_many_rows_is_not_read() {
    let story = Story::new().file("a", repeated(1, MOST_ROWS as usize + 1)).reading(fields("text", None, None));
    let told = story.told();
    assert!(told.len() == 1 && told[0].contains("unpacks to far more"), "{told:?}");
}

#[test]
fn an_empty_file_with_the_name_of_a_table_is_no_text() {
    for name in ["a.parquet", "A.PARQUET"] {
        let told = Story::new().file(name, "").told();
        assert!(told.len() == 1 && told[0].contains("is an empty file of 0 bytes"), "{told:?}");
        for other in ["<Error><Code>NoSuchKey</Code></Error>", "{\"text\":\"one\"}\n", "version https://git-lfs"] {
            let told = Story::new().file(name, other).told();
            assert!(told.len() == 1 && told[0].contains("does not begin as Parquet does"), "{told:?}");
        }
    }
    assert_eq!(Story::new().file("a.txt", "").told().len(), 1);
}

#[test]
fn rows_before_a_damage_are_read() {
    let texts: Vec<String> = (0..1500).map(|row| format!("the text of row {row:04}")).collect();
    let pages = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_write_batch_size(100)
        .set_data_page_row_count_limit(100)
        .build();
    let mut bytes = encoded(&batch(vec![column("text", StringArray::from_iter_values(&texts))]), pages);
    let place = bytes.windows(texts[0].len()).position(|window| window == texts[1250].as_bytes()).unwrap();
    // The length of that text.
    bytes[place - 4..place].copy_from_slice(&u32::MAX.to_le_bytes());
    let told = Story::new().file("a", bytes).reading(fields("text", None, None)).told();
    let (last, read) = told.split_last().unwrap();
    assert!((1200..=1250).contains(&read.len()), "{} {last}", read.len());
    assert!(last.contains(&format!("(from row {} on)", read.len() + 1)), "{last}");
    assert!(read.iter().zip(&texts).all(|(told, text)| told.contains(text.as_str())), "{last}");
}
