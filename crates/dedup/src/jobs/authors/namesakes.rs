//! People of one name: an export gives each a number.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use nearcopy::screen::Text;

use super::one_form;
use super::platforms::numbered;

/// Adds the number of an export to the author's name where it has several of that name, as in `Anna Berg (12)`.
///
/// Each export, which is a folder or an archive, has numbers of its own.
pub(in crate::jobs) fn tell_apart(texts: &mut [Text]) {
    let mut numbers: HashMap<(&str, Cow<'_, str>), BTreeSet<&str>> = HashMap::new();
    for text in &*texts {
        if let Some((export, author, number)) = called(text) {
            numbers.entry((export, one_form(author))).or_default().insert(number);
        }
    }
    let several = |(export, author, number)| {
        let author = one_form(author);
        (numbers[&(export, author.clone())].len() > 1).then(|| format!("{author} ({number})"))
    };
    let names: Vec<Option<String>> = texts.iter().map(|text| called(text).and_then(several)).collect();
    for (text, name) in texts.iter_mut().zip(names) {
        text.author = name.or_else(|| text.author.take());
    }
}

/// The folder of the export that a text is in, its author's name, as in the path, and number, if they named its author.
fn called(text: &Text) -> Option<(&str, &str, &str)> {
    let wanted = text.author.as_deref()?;
    let mut start = 0;
    text.id.split('/').find_map(|part| {
        let export = &text.id[..start];
        start += part.len() + 1;
        let (author, number) = numbered(part)?;
        (one_form(author) == wanted).then_some((export, author, number))
    })
}

#[cfg(test)]
mod tests {
    use nearcopy::screen::Preparer;

    use super::*;

    fn names(texts: &[(&str, &str)]) -> Vec<String> {
        let of = |&(id, author): &(&str, &str)| Preparer::new(None).prepare(id.into(), Some(author.into()), "x".into());
        let mut texts: Vec<Text> = texts.iter().map(of).collect();
        tell_apart(&mut texts);
        texts.into_iter().filter_map(|text| text.author).collect()
    }

    #[test]
    fn one_name_with_two_numbers_is_two_people() {
        let (anna, same, other) = (
            ("class.zip/A\u{30a}nna Berg_12_assignsubmission_file/essay.txt", "Ånna Berg"),
            ("class.zip/A\u{30a}nna Berg_12_assignsubmission_onlinetext/onlinetext.html", "Ånna Berg"),
            ("class.zip/A\u{30a}nna Berg_15_assignsubmission_file/essay.txt", "Ånna Berg"),
        );
        assert_eq!(names(&[anna, same]), ["Ånna Berg", "Ånna Berg"]);
        assert_eq!(names(&[anna, same, other]), ["Ånna Berg (12)", "Ånna Berg (12)", "Ånna Berg (15)"]);
        let composed = ("class.zip/Ånna Berg_15_assignsubmission_file/essay.txt", "Ånna Berg");
        assert_eq!(names(&[anna, composed]), ["Ånna Berg (12)", "Ånna Berg (15)"]);
        // Each export has numbers of its own.
        let (new, old) =
            ("Bo Li_12_assignsubmission_file/essay.txt", "2025.zip/Bo Li_3_assignsubmission_file/essay.txt");
        assert_eq!(names(&[(new, "Bo Li"), (old, "Bo Li")]), ["Bo Li", "Bo Li"]);
        let canvas = [("c.zip/libo_4_8_essay.txt", "libo"), ("c.zip/libo_LATE_5_9_essay.txt", "libo")];
        assert_eq!(names(&canvas), ["libo (4)", "libo (5)"]);
        // Another part of the path named the author.
        let folders = [("c/ann/libo_4_8_essay.txt", "ann"), ("c/ann/libo_5_8_essay.txt", "ann")];
        assert_eq!(names(&folders), ["ann", "ann"]);
    }
}
