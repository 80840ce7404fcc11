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
