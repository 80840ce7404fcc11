//! Labelled data in the layout of the PAN text alignment tasks.

use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::measures::{Case, Scores};
use super::{found, head, row, screen};

pub(crate) fn run(suspicious: &Path, sources: &Path, truth: &Path, pairs: &Path) -> Result<(), Box<dyn Error>> {
    let pairs = fs::read_to_string(pairs)?;
    let pairs = self::pairs(&pairs);
    let cases = cases(truth)?;
    let mut found = found(&screen(vec![suspicious.to_owned()], vec![sources.to_owned()])?);
    let all = found.len();
    found.retain(|case| pairs.contains(&(&*case.suspicious, &*case.source)));
    head("documents");
    // Sets whose levels are in the names: suspicious-high-0001.txt, wiki_fr-012.txt.
    let mut levels: Vec<&str> = pairs.iter().map(|pair| level(pair.0)).collect();
    levels.sort_unstable();
    levels.dedup();
    for of in levels.iter().filter(|_| levels.len() > 1) {
        let of_level = |cases: &[Case]| -> Vec<Case> {
            cases.iter().filter(|case| level(&case.suspicious) == *of).cloned().collect()
        };
        row(of, &Scores::new(&of_level(&cases), &of_level(&found)));
    }
    row("all", &Scores::new(&cases, &found));
    println!("\n{} passages were found in pairs that are not scored", all - found.len());
    Ok(())
}

/// Writes the passages of a JSON Lines file of `dedup screen` as XML of the PAN tasks: a file for each document with
/// passages.
pub(crate) fn write_xml(passages: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    let name = |id: &Value| {
        let id = id.as_str().unwrap_or_default();
        let name = id.rsplit('/').next().unwrap_or(id).replace('&', "&amp;");
        name.replace('<', "&lt;").replace('"', "&quot;")
    };
    let mut features: BTreeMap<String, String> = BTreeMap::new();
    for line in fs::read_to_string(passages)?.lines() {
        let passage: Value = serde_json::from_str(line)?;
        let part =
            ["suspicious_offset", "suspicious_length", "source_offset", "source_length"].map(|key| &passage[key]);
        let [this_offset, this_length, offset, length] = part;
        writeln!(
            features.entry(name(&passage["suspicious"])).or_default(),
            "<feature name=\"detected-plagiarism\" this_offset=\"{this_offset}\" this_length=\"{this_length}\" \
             source_reference=\"{}\" source_offset=\"{offset}\" source_length=\"{length}\"/>",
            name(&passage["source"])
        )?;
    }
    fs::create_dir_all(folder)?;
    for (document, features) in features {
        let path = folder.join(format!("{}.xml", document.strip_suffix(".txt").unwrap_or(&document)));
        let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
        fs::write(path, format!("{head}\n<document reference=\"{document}\">\n{features}</document>\n"))?;
    }
    Ok(())
}

/// The pairs of names in a text, one a line.
pub(super) fn pairs(text: &str) -> HashSet<(&str, &str)> {
    text.lines().filter_map(|line| line.trim().split_once(' ')).collect()
}

/// What stands before the number of a name, if a hyphen does.
fn level(name: &str) -> &str {
    name.trim_start_matches("suspicious-").rsplit_once('-').map_or("all", |(level, _)| level)
}

/// The cases of all XML files of a folder.
pub(super) fn cases(folder: &Path) -> Result<Vec<Case>, Box<dyn Error>> {
    let mut cases = Vec::new();
    for entry in fs::read_dir(folder)? {
        let text = fs::read_to_string(entry?.path())?;
        let suspicious = value(&text, "reference").unwrap_or_default().to_owned();
        for feature in text.split("<feature ").skip(1) {
            let feature = feature.split('>').next().unwrap_or_default();
            let Some(source) = value(feature, "source_reference") else { continue };
            let range = |offset, length| -> Result<_, Box<dyn Error>> {
                let number = |name| -> Result<usize, Box<dyn Error>> {
                    Ok(value(feature, name).ok_or_else(|| format!("no {name} in {feature}"))?.parse()?)
                };
                Ok(number(offset)?..number(offset)? + number(length)?)
            };
            cases.push(Case {
                suspicious: suspicious.clone(),
                source: source.to_owned(),
                here: range("this_offset", "this_length")?,
                there: range("source_offset", "source_length")?,
            });
        }
    }
    Ok(cases)
}

/// The value of an attribute.
fn value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.split_once(&format!(" {name}=\""))?.1.split('"').next()
}
