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

/// What is told of 21 rows in three row groups, in which these have a length that no text has: the numbers of the rows that are
/// read, and the problems.
fn with_damage(damaged: &[usize]) -> (Vec<usize>, Vec<String>) {
    let texts: Vec<String> = (0..21).map(|row| format!("the text of row {row:04}")).collect();
    let groups = WriterProperties::builder().set_dictionary_enabled(false).set_max_row_group_row_count(Some(7)).build();
    let mut bytes = encoded(&batch(vec![column("text", StringArray::from_iter_values(&texts))]), groups);
    for &row in damaged {
        // The last place is that of the text: statistics stand before it.
        let text = texts[row].as_bytes();
        let mut places = bytes.windows(4 + text.len()).enumerate();
        let is_text = |(_, window): &(usize, &[u8])| window[..4] == [text.len() as u8, 0, 0, 0] && window[4..] == *text;
        let place = places.rfind(is_text).unwrap().0;
        bytes[place..place + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    }
    let told = Story::new().file("a", bytes).reading(fields("text", None, None)).told();
    let (read, problems): (Vec<_>, Vec<_>) = told.into_iter().partition(|line| line.contains("the text of row"));
    let number = |line: String| texts.iter().position(|text| line.contains(text)).unwrap() + 1;
    (read.into_iter().map(number).collect(), problems)
}

#[test]
fn row_groups_behind_a_damage_are_read() {
    // The damaged rows, counted from 0, and the first and the last of the lost ones, from 1.
    let cases: [(&[usize], &[[usize; 2]]); 4] =
        [(&[0], &[[1, 7]]), (&[7], &[[8, 14]]), (&[0, 7], &[[1, 14]]), (&[0, 9], &[[1, 7], [10, 14]])];
    for (damaged, lost) in cases {
        let (read, problems) = with_damage(damaged);
        assert_eq!(problems.len(), lost.len(), "{problems:?}");
        for (problem, [first, last]) in problems.iter().zip(lost) {
            let named = format!("(rows {first} to {last} are lost)");
            assert!(problem.contains(&named), "{damaged:?} {problem}");
        }
        let expected: Vec<usize> =
            (1..22).filter(|row| !lost.iter().any(|[first, last]| (first..=last).contains(&row))).collect();
        assert_eq!(read, expected, "{damaged:?} {problems:?}");
    }
    let (read, problems) = with_damage(&[14]);
    assert_eq!(read, (1..15).collect::<Vec<_>>());
    assert!(problems.len() == 1 && problems[0].contains("(from row 15 on)"), "{problems:?}");
    let (read, problems) = with_damage(&[0, 7, 14]);
    assert!(read.is_empty() && problems.len() == 1 && !problems[0].contains("row"), "{problems:?}");
}
