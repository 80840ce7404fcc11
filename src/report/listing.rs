//! Clusters, pairs and neighbours, one after another, in any of four forms.
//!
//! [`Listing`] writes items as they come, so that a list may be longer than memory.

use std::io::{self, Write};

use serde::Serialize;

use super::comparison::percent;
use super::table::{self, Cell};
use super::{json, shown};
use crate::similarity::{Figures, Held, Rule, Rules, SHORT_TEXT};

/// What a list is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// For people.
    Text,
    /// One JSON array.
    Json,
    /// A JSON object a line.
    Jsonl,
    /// A table with a heading, of which no text is obeyed ([`table`]).
    Csv,
    /// The same with every text as it is.
    RawCsv,
}

/// Something that stands in a list.
pub trait Item: Serialize {
    /// The names of the table's columns.
    const COLUMNS: &'static [&'static str];

    /// Writes it for a person.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Its rows of a table.
    fn rows(&self) -> Vec<Vec<Cell>>;
}

/// A list in the making.
#[derive(Debug)]
pub struct Listing<W> {
    out: W,
    form: Form,
    items: u64,
}

impl<W: Write> Listing<W> {
    /// Begins a list.
    pub fn new(out: W, form: Form) -> Self {
        Self { out, form, items: 0 }
    }

    /// The number of items so far.
    pub fn items(&self) -> u64 {
        self.items
    }

    /// Adds an item.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn push<I: Item>(&mut self, item: &I) -> io::Result<()> {
        match self.form {
            Form::Text => item.write_text(&mut self.out)?,
            Form::Jsonl => {
                json::write(&mut self.out, item)?;
                self.out.write_all(b"\n")?;
            }
            Form::Json => {
                self.out.write_all(if self.items == 0 { b"[\n" } else { b",\n" })?;
                json::write(&mut self.out, item)?;
            }
            Form::Csv | Form::RawCsv => {
                if self.items == 0 {
                    self.out.write_all(&table::heading(I::COLUMNS)?)?;
                }
                for cells in item.rows() {
                    self.out.write_all(&table::row(&cells, self.form == Form::RawCsv)?)?;
                }
            }
        }
        self.items += 1;
        Ok(())
    }

    /// Ends the list, which may be empty.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn finish<I: Item>(mut self) -> io::Result<()> {
        match self.form {
            Form::Json if self.items == 0 => self.out.write_all(b"[]\n")?,
            Form::Json => self.out.write_all(b"\n]\n")?,
            Form::Csv | Form::RawCsv if self.items == 0 => self.out.write_all(&table::heading(I::COLUMNS)?)?,
            _ => {}
        }
        self.out.flush()
    }
}

/// How alike a document is to another, and by which rules.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Likeness {
    /// The figures, this document being A.
    #[serde(flatten)]
    figures: Figures,
    /// The rules that hold.
    rules: Held,
    /// The Jaccard coefficient that a removal needs at this length of texts; `None` if the two have none.
    jaccard_needed: Option<f64>,
    /// True if one of the two would be removed; `None` if that is not known, as shingles are not kept.
    removable: Option<bool>,
}

/// The names of [`Likeness::cells`].
const LIKENESS: [&str; 8] = [
    "distance",
    "jaccard_estimate",
    "jaccard",
    "containment_a",
    "containment_b",
    "rules",
    "jaccard_needed",
    "removable",
];

impl Likeness {
    /// The likeness of a pair that is listed, and whether `dedup clean` with its defaults would remove one of them.
    pub fn listed(figures: Figures, rules: Held) -> Self {
        let removing = Rules::removing();
        let is_removed = !removing.judge(&figures).is_empty();
        let is_known = is_removed || figures.jaccard.is_some() || figures.jaccard_estimate.is_none();
        let removable = is_known.then_some(is_removed);
        Self { figures, rules, jaccard_needed: needed(&removing, &figures), removable }
    }

    /// The likeness of a document that is removed by these rules.
    pub fn removed(figures: Figures, rules: Held, asked: &Rules) -> Self {
        Self { figures, rules, jaccard_needed: needed(asked, &figures), removable: Some(true) }
    }

    fn cells(&self) -> impl Iterator<Item = Cell> {
        let Figures { distance, jaccard_estimate, jaccard, containment_a, containment_b, .. } = self.figures;
        let rules: Vec<&str> = self.rules.iter().map(name).collect();
        [
            Cell::figure_if(distance),
            Cell::figure_if(jaccard_estimate),
            Cell::figure_if(jaccard),
            Cell::figure_if(containment_a),
            Cell::figure_if(containment_b),
            Cell::figure(rules.join(" ")),
            Cell::figure_if(self.jaccard_needed),
            Cell::figure_if(self.removable),
        ]
        .into_iter()
    }

    /// `3 bits, Jaccard 93.10 %, by hamming, jaccard`
    fn in_words(&self) -> String {
        let Figures { distance, jaccard, jaccard_estimate, .. } = self.figures;
        let mut parts = Vec::new();
        parts.extend(distance.map(|distance| format!("{distance:>2} bits")));
        parts.push(match (jaccard, jaccard_estimate) {
            (Some(_), _) => format!("Jaccard {:>8}", percent(jaccard)),
            (None, Some(_)) => format!("Jaccard about {}", percent(jaccard_estimate)),
            (None, None) => "no words".into(),
        });
        let rules: Vec<&str> = self.rules.iter().map(name).collect();
        if !rules.is_empty() {
            parts.push(format!("by {}", rules.join(", ")));
            if self.removable == Some(false) {
                parts.push(format!("clean keeps both ({})", self.why_kept()));
            }
        }
        parts.join("  ")
    }

    /// Why neither of the two would be removed, for a person.
    fn why_kept(&self) -> String {
        if self.figures.words <= SHORT_TEXT as u64 {
            "it needs equal texts".into()
        } else if self.figures.jaccard < self.jaccard_needed {
            format!("it needs {}", percent(self.jaccard_needed))
        } else {
            "one word is put for another throughout".into()
        }
    }
}

/// The Jaccard coefficient that a removal needs; `None`: there is no such figure of these two.
fn needed(rules: &Rules, figures: &Figures) -> Option<f64> {
    figures.jaccard.and_then(|_| rules.needed(figures.words))
}

fn name(rule: Rule) -> &'static str {
    match rule {
        Rule::Hamming => "hamming",
        Rule::Jaccard => "jaccard",
        Rule::Identical => "identical",
    }
}

/// Two documents that are near.
#[derive(Debug, Serialize)]
pub struct Pair<'a> {
    /// One document's id.
    pub a: &'a str,
    /// The other's.
    pub b: &'a str,
    /// How alike they are.
    #[serde(flatten)]
    pub likeness: Likeness,
}

impl Item for Pair<'_> {
    const COLUMNS: &'static [&'static str] = &[
        "a",
        "b",
        LIKENESS[0],
        LIKENESS[1],
        LIKENESS[2],
        LIKENESS[3],
        LIKENESS[4],
        LIKENESS[5],
        LIKENESS[6],
        LIKENESS[7],
    ];

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}  {}  {}", shown(self.a), shown(self.b), self.likeness.in_words())
    }

    fn rows(&self) -> Vec<Vec<Cell>> {
        let ids = [self.a, self.b].map(Cell::text);
        vec![ids.into_iter().chain(self.likeness.cells()).collect()]
    }
}

/// A document and how alike it is to another that is named elsewhere.
#[derive(Debug, Serialize)]
pub struct Member<'a> {
    /// The document's id.
    pub id: &'a str,
    /// How alike it is to that other, itself being A.
    #[serde(flatten)]
    pub likeness: Likeness,
}

/// A survivor and the documents that are near to it.
#[derive(Debug, Serialize)]
pub struct Cluster<'a> {
    /// Its number among all, from 1.
    pub group: u64,
    /// The id of the document that stays.
    pub survivor: &'a str,
    /// Those that go.
    pub members: Vec<Member<'a>>,
}

impl Item for Cluster<'_> {
    const COLUMNS: &'static [&'static str] = &[
        "survivor",
        "id",
        LIKENESS[0],
        LIKENESS[1],
        LIKENESS[2],
        LIKENESS[3],
        LIKENESS[4],
        LIKENESS[5],
        LIKENESS[6],
        LIKENESS[7],
        "group",
    ];

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        write_group(out, self.survivor, &self.members)
    }

    fn rows(&self) -> Vec<Vec<Cell>> {
        let rows = group_rows(self.survivor, &self.members).into_iter();
        rows.map(|row| row.into_iter().chain([Cell::figure(self.group)]).collect()).collect()
    }
}

/// A document that was removed.
#[derive(Debug, Serialize)]
pub struct Removed<'a> {
    /// The number of its cluster, as `find` and a dry run count them; `None` where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<u64>,
    /// The document's id.
    pub id: &'a str,
    /// The id of the document that it was compared with, and that stays.
    pub survivor: &'a str,
    /// How alike they are, the removed one being A.
    #[serde(flatten)]
    pub likeness: Likeness,
}

impl Item for Removed<'_> {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "survivor",
        LIKENESS[0],
        LIKENESS[1],
        LIKENESS[2],
        LIKENESS[3],
        LIKENESS[4],
        LIKENESS[5],
        LIKENESS[6],
        LIKENESS[7],
    ];

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}  resembles  {}  {}", shown(self.id), shown(self.survivor), self.likeness.in_words())
    }

    fn rows(&self) -> Vec<Vec<Cell>> {
        let ids = [self.id, self.survivor].map(Cell::text);
        vec![ids.into_iter().chain(self.likeness.cells()).collect()]
    }
}

/// A document and those that are nearest to it.
#[derive(Debug, Serialize)]
pub struct Nearest<'a> {
    /// The document's id.
    pub id: &'a str,
    /// The others, the nearest first.
    pub neighbours: Vec<Member<'a>>,
}

impl Item for Nearest<'_> {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "neighbour",
        LIKENESS[0],
        LIKENESS[1],
        LIKENESS[2],
        LIKENESS[3],
        LIKENESS[4],
        LIKENESS[5],
        LIKENESS[6],
        LIKENESS[7],
    ];

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        write_group(out, self.id, &self.neighbours)
    }

    fn rows(&self) -> Vec<Vec<Cell>> {
        group_rows(self.id, &self.neighbours)
    }
}

/// A head, and the others below it in a column of their own.
fn write_group(out: &mut dyn Write, head: &str, members: &[Member<'_>]) -> io::Result<()> {
    writeln!(out, "{}", shown(head))?;
    let width = members.iter().map(|member| member.id.chars().count()).max().unwrap_or(0).min(60);
    for Member { id, likeness } in members {
        writeln!(out, "   {:<width$}  {}", shown(id), likeness.in_words())?;
    }
    Ok(())
}

fn group_rows(head: &str, members: &[Member<'_>]) -> Vec<Vec<Cell>> {
    let row =
        |member: &Member<'_>| [head, member.id].map(Cell::text).into_iter().chain(member.likeness.cells()).collect();
    members.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::similarity::Rules;

    fn likeness() -> Likeness {
        let figures = Figures {
            distance: Some(2),
            jaccard_estimate: Some(0.96),
            jaccard: Some(0.9375),
            containment_a: Some(1.0),
            containment_b: Some(0.9375),
            words: 40,
            ..Figures::default()
        };
        Likeness::listed(figures, Rules::default().judge(&figures))
    }

    fn written(form: Form, clusters: usize) -> String {
        let mut out = Vec::new();
        let mut listing = Listing::new(&mut out, form);
        for _ in 0..clusters {
            let members = vec![Member { id: "b,1", likeness: likeness() }];
            listing.push(&Cluster { group: 1, survivor: "a\x1b[2J", members }).unwrap();
        }
        listing.finish::<Cluster<'_>>().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_form_of_a_cluster() {
        assert_eq!(written(Form::Text, 1), "a\u{FFFD}[2J\n   b,1   2 bits  Jaccard  93.75 %  by hamming, jaccard\n");
        let json = "{\"group\":1,\"survivor\":\"a\\u001b[2J\",\"members\":[{\"id\":\"b,1\",\"distance\":2,\"jaccard_estimate\":0.96,\
                    \"jaccard\":0.9375,\"containment_a\":1.0,\"containment_b\":0.9375,\"rules\":[\"hamming\",\"jaccard\"],\"jaccard_needed\":0.8,\"removable\":true}]}";
        assert_eq!(written(Form::Jsonl, 2), format!("{json}\n{json}\n"));
        assert_eq!(written(Form::Json, 2), format!("[\n{json},\n{json}\n]\n"));
        let csv = "survivor,id,distance,jaccard_estimate,jaccard,containment_a,containment_b,rules,jaccard_needed,removable,group\n";
        let row = "a\\u001B[2J,\"b,1\",2,0.96,0.9375,1,0.9375,hamming jaccard,0.8,true,1\n";
        assert_eq!(written(Form::Csv, 1), format!("{csv}{row}"));
    }

    #[test]
    fn what_clean_does_is_not_guessed_without_shingles() {
        let known = Figures { words: 60, jaccard_estimate: Some(0.9), ..Figures::default() };
        for (jaccard, needed, removable) in
            [(Some(0.69), Some(0.7), Some(false)), (Some(0.71), Some(0.7), Some(true)), (None, None, None)]
        {
            let likeness = Likeness::listed(Figures { jaccard, ..known }, Held::default());
            assert_eq!((likeness.jaccard_needed, likeness.removable), (needed, removable));
        }
        assert_eq!(Likeness::listed(Figures::default(), Held::default()).removable, Some(false), "one has no words");
    }

    #[test]
    fn an_empty_list_is_one_all_the_same() {
        assert_eq!([Form::Text, Form::Json, Form::Jsonl].map(|form| written(form, 0)), ["", "[]\n", ""]);
        assert!(written(Form::Csv, 0).starts_with("survivor,id,"));
    }
}
