//! The overview as values for programs, under the keys that every command uses.

use std::collections::BTreeMap;

use nearcopy::similarity::{Figures, RuleSet};
use nearcopy::sketch::recipe::Recipe;
use serde::ser::{Serialize, Serializer};

use super::{Overview, Shown, ShownDocument};
use crate::jobs::fingerprint::Tally;
use crate::report::hex;

#[derive(serde::Serialize)]
struct Values<'a> {
    command: &'a str,
    inputs: &'a [String],
    read: Option<Tally>,
    documents: u64,
    empty: u64,
    exact_duplicates: u64,
    near_duplicates: u64,
    kept: u64,
    clusters: u64,
    cluster_sizes: Vec<Size>,
    largest: Vec<Cluster<'a>>,
    /// Absent if no language was detected, as only terms need one.
    #[serde(skip_serializing_if = "Option::is_none")]
    languages: Option<&'a BTreeMap<String, u64>>,
    /// Numbers of members by their Jaccard coefficient.
    similarities: Vec<Step>,
    max_distance: Option<u32>,
    min_similarity: Option<f64>,
    recall: Vec<Recall>,
    crowded: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<super::Claims>,
    warnings: &'a [String],
    recipe_id: String,
    recipe: &'a Recipe,
}

#[derive(serde::Serialize)]
struct Size {
    size: u64,
    clusters: u64,
}

#[derive(serde::Serialize)]
struct Step {
    from: f64,
    to: f64,
    members: u64,
}

#[derive(serde::Serialize)]
struct Recall {
    jaccard: f64,
    recall: f64,
}

#[derive(serde::Serialize)]
struct Cluster<'a> {
    survivor: &'a str,
    size: u64,
    members: Vec<Member<'a>>,
}

#[derive(serde::Serialize)]
struct Member<'a> {
    id: &'a str,
    #[serde(flatten)]
    figures: Option<&'a Figures>,
    rules: Option<RuleSet>,
}

impl<'a> Cluster<'a> {
    fn new(Shown { size, survivor, members }: &'a Shown) -> Self {
        let member = |ShownDocument { id, figures, .. }: &'a ShownDocument| Member {
            id,
            figures: figures.as_ref().map(|(figures, _)| figures),
            rules: figures.map(|(_, held)| held),
        };
        Self { survivor: &survivor.id, size: *size, members: members.iter().map(member).collect() }
    }
}

impl Serialize for Overview {
    /// An object without the texts.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let has_languages = self.recipe.simhash;
        let shown = |languages| if has_languages { languages } else { BTreeMap::new() };
        let hundredth = |percent: usize| percent as f64 / 100.0;
        Values {
            command: &self.command,
            inputs: &self.inputs,
            read: self.tally.clone().map(|tally| Tally { languages: shown(tally.languages), ..tally }),
            documents: self.documents,
            empty: self.empty,
            exact_duplicates: self.exact,
            near_duplicates: self.near,
            kept: self.kept(),
            clusters: self.clusters(),
            cluster_sizes: self.sizes.iter().map(|(&size, &clusters)| Size { size, clusters }).collect(),
            largest: self.largest.iter().map(Cluster::new).collect(),
            languages: has_languages.then_some(&self.languages),
            similarities: self
                .similarities
                .steps()
                .map(|(from, to, members)| Step { from: hundredth(from), to: hundredth(to), members })
                .collect(),
            max_distance: self.plan.rules.max_distance,
            min_similarity: self.plan.rules.min_similarity,
            recall: self.recall().into_iter().map(|(jaccard, recall)| Recall { jaccard, recall }).collect(),
            crowded: self.crowded.documents(),
            removed: self.claims,
            warnings: &self.warnings,
            recipe_id: hex(self.recipe.id()),
            recipe: &self.recipe,
        }
        .serialize(serializer)
    }
}
