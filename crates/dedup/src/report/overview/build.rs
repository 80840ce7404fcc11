//! Builds an overview of clusters: all are counted, the largest are shown.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};
use std::time::SystemTime;

use nearcopy::search::cluster::{Cluster, Clusters};
use nearcopy::search::keep::Policy;
use nearcopy::search::plan::Plan;
use nearcopy::similarity::Overlap;
use nearcopy::store::file::collection::Collection;

use super::{Claims, Overview, Shown, ShownDocument, Similarities};
use crate::jobs::fingerprint::Tally;

/// Maximum number of clusters shown.
const SHOWN: usize = 20;

/// Maximum number of members shown of each cluster.
const MEMBERS: usize = 5;

/// Number of characters of a text shown in a warning.
const SAMPLE: usize = 60;

/// Minimum number of documents for a warning: in a smaller corpus a cluster's share means nothing.
const LEAST_DOCUMENTS: u64 = 50;

/// The share of all documents beyond which a cluster is warned of.
const WARNED_SHARE: f64 = 0.1;

/// The sources of an overview.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "functions have none")]
pub struct Origin<'a> {
    /// The command: `find` or `clean`.
    pub command: &'a str,
    /// The whole command line as typed.
    pub command_line: &'a str,
    /// The inputs as the user named them.
    pub inputs: &'a [String],
    /// The tally of files and records read; `None` if only fingerprint files were searched.
    pub tally: Option<&'a Tally>,
    /// Returns the texts of some documents, or their beginnings, as far as they can be had.
    pub texts: &'a dyn Fn(&[u32]) -> HashMap<u32, String>,
    /// The fingerprints.
    pub collection: &'a Collection,
    /// The clusters.
    pub clusters: &'a Clusters,
    /// The policy that chooses the survivor of each.
    pub keep: &'a Policy,
    /// The plan by which they were found.
    pub plan: &'a Plan,
    /// True if texts are shown where they differ.
    pub with_texts: bool,
    /// The counts of removed documents; `None` if near-duplicates are only listed.
    pub claims: Option<Claims>,
}

impl Overview {
    /// Counts all clusters and selects the largest to show.
    pub fn of(origin: &Origin<'_>) -> Self {
        let Origin { collection, clusters, plan, .. } = *origin;
        let documents = collection.len() as u64;
        let mut overview = Self {
            command: origin.command.to_owned(),
            command_line: origin.command_line.to_owned(),
            made: SystemTime::now(),
            keep: origin.keep.clone(),
            inputs: origin.inputs.to_vec(),
            tally: origin.tally.cloned(),
            documents,
            empty: 0,
            exact: 0,
            near: 0,
            languages: BTreeMap::new(),
            similarities: Similarities::default(),
            sizes: BTreeMap::new(),
            largest: Vec::new(),
            plan: plan.clone(),
            recipe: collection.recipe().clone(),
            warnings: Vec::new(),
            crowded: clusters.crowded.clone(),
            claims: origin.claims,
            review: None,
        };
        for document in 0..collection.len() as u32 {
            overview.empty += u64::from(collection.is_empty_document(document));
            if overview.recipe.simhash {
                let language = collection.language(document);
                match overview.languages.get_mut(language) {
                    Some(count) => *count += 1,
                    None => _ = overview.languages.insert(language.to_owned(), 1),
                }
            }
        }
        // The largest so far; among equal sizes the first.
        let mut largest: BinaryHeap<Reverse<(usize, Reverse<usize>)>> = BinaryHeap::new();
        let mut shown: BTreeMap<usize, (u64, Cluster)> = BTreeMap::new();
        for (number, mut cluster) in clusters.clusters().enumerate() {
            let mut texts = HashSet::from([collection.digest(cluster.survivor)]);
            for &member in &cluster.members {
                if texts.insert(collection.digest(member)) {
                    overview.near += 1;
                    let [a, b] = &[member, cluster.survivor].map(|document| collection.shingles(document));
                    Overlap::of(a, b).jaccard().into_iter().for_each(|jaccard| overview.similarities.add(jaccard));
                } else {
                    overview.exact += 1;
                }
            }
            let size = cluster.members.len() + 1;
            *overview.sizes.entry(size as u64).or_default() += 1;
            cluster.members.truncate(MEMBERS);
            largest.push(Reverse((size, Reverse(number))));
            shown.insert(number, (size as u64, cluster));
            if largest.len() > SHOWN
                && let Some(Reverse((_, Reverse(number)))) = largest.pop()
            {
                shown.remove(&number);
            }
        }
        let mut shown: Vec<(u64, Cluster)> = shown.into_values().collect();
        shown.sort_by_key(|(size, _)| Reverse(*size));
        overview.show(origin, &shown);
        overview
    }

    fn show(&mut self, origin: &Origin<'_>, clusters: &[(u64, Cluster)]) {
        let Origin { collection, plan, .. } = *origin;
        let is_swallowing =
            |size: u64| self.documents >= LEAST_DOCUMENTS && size as f64 > WARNED_SHARE * self.documents as f64;
        let wanted: Vec<u32> = clusters
            .iter()
            .filter(|(size, _)| origin.with_texts || is_swallowing(*size))
            .flat_map(|(_, cluster)| std::iter::once(cluster.survivor).chain(cluster.members.iter().copied()))
            .collect();
        let mut texts = (origin.texts)(&wanted);
        let mut document = |document: u32, survivor: u32| ShownDocument {
            id: collection.id(document).to_owned(),
            text: texts.remove(&document),
            language: collection.language(document).to_owned(),
            bytes: collection.counts(document).bytes,
            figures: (document != survivor).then(|| collection.judge(document, survivor, &plan.rules)),
        };
        for (size, cluster) in clusters {
            let survivor = document(cluster.survivor, cluster.survivor);
            let members: Vec<ShownDocument> =
                cluster.members.iter().map(|&member| document(member, cluster.survivor)).collect();
            if is_swallowing(*size) {
                self.warnings.push(warning(*size, self.documents, &survivor, &members));
            }
            self.largest.push(Shown { size: *size, survivor, members });
        }
    }
}

/// The warning that one cluster holds much of the corpus: perhaps its texts share only a notice.
fn warning(size: u64, documents: u64, survivor: &ShownDocument, members: &[ShownDocument]) -> String {
    let beginning = |document: &ShownDocument| {
        let words: String = document.text.as_deref().unwrap_or_default().chars().take(SAMPLE).collect();
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("{} (“{}…”)", document.id, words.replace(char::is_control, " "))
    };
    let samples: Vec<String> = std::iter::once(survivor).chain(members.iter().take(2)).map(beginning).collect();
    format!(
        "one cluster holds {size} of {documents} documents, {:.0} %: check if they are alike or share only a notice: {}",
        100.0 * size as f64 / documents as f64,
        samples.join("; ")
    )
}
