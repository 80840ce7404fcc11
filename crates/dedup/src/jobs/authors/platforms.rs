//! The author's name in a path, as a learning platform exports it:
//!
//! ```text
//! Moodle      Fatima Åkesson_4711_assignsubmission_file/essay.docx, or the same as one name
//! Blackboard  Essay 1_fakesson_attempt_2026-11-20-08-30-00_essay.docx
//! Canvas      akessonfatima_LATE_4711_815_essay.docx
//! ILIAS       Akesson_Fatima_fakesson_4711/essay.docx
//! OpenOLAT    ita_Essay_2026/Akesson_Fatima_fakesson/2_submissions/essay.docx
//! ```
//!
//! ILIAS and OpenOLAT write no spaces, so of a name of three parts or more it is unknown which are the last name.

use nearcopy_corpus::iso_date;

/// A learning platform whose exports name authors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    /// Moodle, with folders or without.
    Moodle,
    /// Blackboard Learn.
    Blackboard,
    /// Canvas.
    Canvas,
    /// ILIAS: the submissions of an exercise.
    Ilias,
    /// OpenOLAT: the archive of a course element "task".
    OpenOlat,
}

impl std::fmt::Display for Platform {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Moodle => "Moodle",
            Self::Blackboard => "Blackboard",
            Self::Canvas => "Canvas",
            Self::Ilias => "ILIAS",
            Self::OpenOlat => "OpenOLAT",
        })
    }
}

/// The platform and the author that folders and a file below an input name, if a platform wrote them.
pub(super) fn named(folders: &[impl AsRef<str>], file: &str) -> Option<(Platform, String)> {
    let folders: Vec<&str> = folders.iter().map(AsRef::as_ref).collect();
    let own = |platform| move |(author, _): (&str, &str)| (platform, author.to_owned());
    let moodle = folders.iter().chain([&file]).find_map(|part| of_moodle(part)).map(own(Platform::Moodle));
    let olat = || of_openolat(&folders).map(|author| (Platform::OpenOlat, author));
    // A name that ends with a number may stand anywhere, but as a folder of the whole export.
    let ilias = || folders.first().and_then(|first| of_ilias(first)).map(|author| (Platform::Ilias, author));
    let found = moodle.or_else(olat).or_else(ilias);
    if found.is_some() || !folders.is_empty() {
        return found;
    }
    let blackboard = of_blackboard(file).map(|author| (Platform::Blackboard, author.to_owned()));
    blackboard.or_else(|| of_canvas(file).map(own(Platform::Canvas)))
}

/// The author in a name that a platform wrote, and the number by which the export tells authors apart.
pub(super) fn numbered(name: &str) -> Option<(&str, &str)> {
    of_moodle(name).or_else(|| of_canvas(name))
}

/// `Fatima Åkesson_4711_assignsubmission_file`: files and online texts of one author.
fn of_moodle(name: &str) -> Option<(&str, &str)> {
    let (author, number) = name.split_once("_assignsubmission_")?.0.rsplit_once('_')?;
    (is_number(number) && !author.is_empty()).then_some((author, number))
}

/// `Essay 1_fakesson_attempt_2026-11-20-08-30-00_essay.docx`.
fn of_blackboard(name: &str) -> Option<&str> {
    let (before, behind) = name.split_once("_attempt_")?;
    let date: Vec<&str> = behind.split(['_', '.']).next()?.split('-').collect();
    let author = before.rsplit_once('_')?.1;
    (date.len() == 6 && date.iter().all(|part| is_number(part)) && !author.is_empty()).then_some(author)
}

/// Number of words that a receipt has at most beside the names of files: what was typed into its field may be an essay.
const LONGEST_RECEIPT: usize = 100;

/// True if a text, given with the name of its file, is Blackboard's receipt of files and little else: it has the name of each,
/// which begins with its own.
pub(in crate::jobs) fn is_receipt(file: &str, text: &str) -> bool {
    let own = file.strip_suffix(".txt").filter(|name| of_blackboard(name).is_some());
    let ends_with_time = |name: &str| name.split_once("_attempt_").is_some_and(|(_, time)| time.len() == 19);
    let is_short = |of_file: &str| {
        let others = text.lines().filter(|line| !line.contains(of_file));
        others.flat_map(str::split_whitespace).take(LONGEST_RECEIPT).count() < LONGEST_RECEIPT
    };
    own.map(|name| (name, format!("{name}_")))
        .is_some_and(|(name, of_file)| ends_with_time(name) && text.contains(&of_file) && is_short(&of_file))
}

/// The time of submission in the name of a Blackboard file, in seconds since 1970, as if in UTC.
pub(in crate::jobs) fn submitted(file: &str) -> Option<i64> {
    of_blackboard(file)?;
    let time = file.split_once("_attempt_")?.1.get(..19)?;
    let [year, month, day, hour, minute, second] = time.split('-').collect::<Vec<_>>().try_into().ok()?;
    iso_date(&format!("{year}-{month}-{day}T{hour}:{minute}:{second}"))
}

/// `akessonfatima_LATE_4711_815_essay.docx`.
fn of_canvas(name: &str) -> Option<(&str, &str)> {
    let (author, rest) = name.split_once('_')?;
    let mut parts = rest.strip_prefix("LATE_").unwrap_or(rest).splitn(3, '_');
    let numbers = [parts.next()?, parts.next()?];
    let has_file = parts.next().is_some_and(|file| !file.is_empty());
    let is_name = !author.is_empty() && author.chars().all(|c| c.is_alphabetic() && !c.is_uppercase());
    (is_name && has_file && numbers.into_iter().all(is_number)).then_some((author, numbers[0]))
}

/// `Akesson_Fatima_fakesson_4711`: last name, first name, login, number of the user.
fn of_ilias(folder: &str) -> Option<String> {
    let (name, number) = folder.rsplit_once('_')?;
    if is_number(number) { person(name) } else { None }
}

/// `Akesson_Fatima_fakesson` above `2_submissions`; in the archive of a task for groups, a group's name and number.
fn of_openolat(folders: &[&str]) -> Option<String> {
    let at = folders.windows(2).position(|pair| is_step(pair[1]))?;
    if at == 0 || !folders[at - 1].starts_with("grouptask_") {
        return person(folders[at]);
    }
    let (name, number) = folders[at].rsplit_once('_')?;
    is_number(number).then(|| name.replace('_', " "))
}

/// True for a folder of one step of a task, such as `2_submissions` or `4_revisions_1`.
fn is_step(folder: &str) -> bool {
    let Some((number, step)) = folder.split_once('_') else { return false };
    let (step, round) = step.split_once('_').map_or((step, "1"), |(step, round)| (step, round));
    let is_known = matches!(step, "task" | "submissions" | "corrections" | "revisions" | "assessment");
    is_known && is_number(number) && is_number(round)
}

/// `Fatima Akesson (fakesson)` for `Akesson_Fatima_fakesson`. The login tells apart who has the same name.
fn person(name: &str) -> Option<String> {
    let parts: Vec<&str> = name.split('_').collect();
    if parts.iter().any(|part| part.trim().is_empty()) {
        return None;
    }
    match parts[..] {
        [last, first, login] => Some(format!("{first} {last} ({login})")),
        [ref names @ .., login] if names.len() > 2 => Some(format!("{} ({login})", names.join(" "))),
        _ => None,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
