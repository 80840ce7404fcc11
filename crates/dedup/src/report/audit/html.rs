//! The page of an audit: every file, sorted and searched by a script ([`Parts`]).
//!
//! Cost: some 150 bytes a file.

use std::collections::HashMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::jobs::audit::{Audit, Audited, Class, Plan, Step};
use crate::report::page::{Parts, REASONS, json, legibly};

/// What a page says beside the files.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// The heading; empty for a general one.
    pub title: String,
    /// The inputs as the user named them.
    pub inputs: Vec<String>,
    /// The time of the audit: RFC 3339 in UTC.
    pub made: String,
    /// The command line.
    pub command_line: String,
}

#[derive(Serialize)]
struct Data<'a> {
    version: &'static str,
    title: String,
    inputs: Vec<String>,
    made: &'a str,
    command_line: String,
    classes: [&'static str; Class::ALL.len()],
    /// The short names of reasons.
    problems: Vec<&'static str>,
    /// Each a [`row`].
    files: Vec<serde_json::Value>,
}

/// A file: name, bytes, seconds of its date, origin of the date, language, words, class, other file, Jaccard in per cent,
/// family, problem, reason, the program that read it, true if another file holds it, and of a file in the plan true if only its
/// extracted text was compared; of an archive the files in it, and those that are also outside. What is unknown is null.
fn row(file: &Audited, step: Option<&&Step>, problems: &mut Vec<&'static str>) -> serde_json::Value {
    let (date, origin) = file.date.unzip();
    let class = Class::ALL.iter().position(|class| *class == file.class);
    let problem = file.problem.as_ref().map(|(kind, _)| {
        problems.iter().position(|known| known == kind).unwrap_or_else(|| {
            problems.push(kind);
            problems.len() - 1
        })
    });
    // Rounded down, so that only equal sets have 100.
    let jaccard = file.jaccard.map(|jaccard| (jaccard * 100.0).floor());
    serde_json::json!([
        legibly(&file.name),
        file.bytes,
        date.map(|date| date.div_euclid(1_000_000_000)),
        origin,
        file.language,
        file.words,
        class,
        file.of,
        jaccard,
        file.family,
        problem,
        file.problem.as_ref().map(|(_, reason)| legibly(reason)),
        file.read_by,
        !file.is_file,
        step.map(|step| step.text_alone),
        file.members.map(|members| [members.all, members.outside]),
    ])
}

impl Page {
    /// Writes the page, UTF-8, with what a plan has, if there is one.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, audit: &Audit, plan: Option<&Plan>, out: &mut impl Write) -> io::Result<()> {
        let steps = plan.into_iter().flat_map(|plan| &plan.steps);
        let steps: HashMap<&str, &Step> = steps.map(|step| (&*step.file, step)).collect();
        let mut problems = Vec::new();
        let files = audit.files.iter().map(|file| row(file, steps.get(&*file.name), &mut problems)).collect();
        let data = Data {
            version: env!("CARGO_PKG_VERSION"),
            title: legibly(&self.title),
            inputs: self.inputs.iter().map(|input| legibly(input)).collect(),
            made: &self.made,
            command_line: legibly(&self.command_line),
            classes: Class::ALL.map(Class::name),
            problems,
            files,
        };
        let (style, body) = (include_str!("audit.css"), include_str!("audit.html"));
        let (texts, script) = ([include_str!("texts.js"), REASONS], [include_str!("audit.js")]);
        Parts { title: "dedup audit", style, body, texts: &texts, script: &script }.write(&json(&data)?, out)
    }
}
