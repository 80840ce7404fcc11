//! Names that systems and browsers give a second file: `report (1).docx`, `Copy of report.docx`, `report - Kopie.docx`.
//!
//! A name is a copy's if it, without folders and ending, closes with a number of one or two digits in brackets, or begins or
//! ends with the word for a copy, a number behind it or not.

/// The word for a copy, as file managers write it in several languages. macOS joins it to the name in Japanese and Chinese.
const COPY: [&str; 14] = [
    "copy",
    "kopie",
    "copie",
    "copia",
    "cópia",
    "kopia",
    "копия",
    "副本",
    "的副本",
    "拷貝",
    "複製",
    "コピー",
    "のコピー",
    "نسخة",
];

/// True if the name of a file is that of a copy, or it is in an archive whose name is. It says nothing of the content.
pub fn is_of_copy(path: &str) -> bool {
    let (around, file) = path.rsplit_once('/').unwrap_or(("", path));
    // Archives have an ending.
    is_name_of_copy(file) || around.split('/').any(|name| name.contains('.') && is_name_of_copy(name))
}

fn is_name_of_copy(file: &str) -> bool {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_lowercase();
    let inner = stem.strip_suffix(')');
    let closing = inner.unwrap_or(&stem);
    let before = closing.trim_end_matches(|c: char| c.is_ascii_digit());
    // More digits are a year.
    let is_numbered = inner.is_some() && matches!(closing.len() - before.len(), 1 | 2);
    if is_numbered && before.strip_suffix('(').is_some_and(|name| !name.is_empty()) {
        return true;
    }
    let words = before.trim_end();
    COPY.iter().any(|copy| {
        let last = words.strip_suffix(copy).and_then(|rest| rest.chars().next_back());
        let ends = last.is_some_and(|last| !last.is_alphanumeric());
        let begins = stem.strip_prefix(copy).is_some_and(|rest| rest.starts_with(' '));
        ends || begins
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_copies_are_recognised() {
        for copy in [
            "report (1).docx",
            "report(12).docx",
            "report (1)",
            "in/Copy of report.docx",
            "reports (1).zip/in/report.docx",
            "Copy (2) of report.docx",
            "report - Copy.docx",
            "report - Copy (2).docx",
            "report copy.docx",
            "report copy 2.docx",
            "report_copy2.docx",
            "report (copy).docx",
            "report (another copy).docx",
            "Kopie von report.docx",
            "report - Kopie.docx",
            "report Kopie 3.docx",
            "report - copie.docx",
            "Copia de report.docx",
            "report - копия.docx",
            "报告 - 副本.docx",
            "报告 的副本.docx",
            "報告 拷貝 2.docx",
            "報告 - 複製.docx",
            "報告 のコピー.docx",
            "r のコピー2.txt",
        ] {
            assert!(is_of_copy(copy), "{copy}");
        }
        for other in [
            "report.docx",
            "report 2.docx",
            "minutes (2019).docx",
            "photocopy.docx",
            "hardcopy 2.docx",
            "copy.docx",
            "copyright.txt",
            "copying of files.txt",
            "report (1)/all.docx",
            "(1).docx",
            "report (v1).docx",
            "report (a1).docx",
            "",
            ".docx",
        ] {
            assert!(!is_of_copy(other), "{other}");
        }
    }
}
