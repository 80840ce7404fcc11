//! Plain texts: texts that several documents have, and that also stand in a longer one with more.
//!
//! By the claim of containment a file of two licences makes 100 files of one of them dispensable. It is no copy of them,
//! though: it says something else too, and a reader who looks for the plain licence wants that. So where a survivor has a
//! text of its own besides ([`LONG_TEXT`] words or more), a text that occurs more than once stays, and represents those
//! that stand in it.
//!
//! A text that only one document has goes all the same: nobody but its author wrote it by itself.
//!
//! Cost: at most [`MOST`] comparisons for each text that goes for a much longer one.

use std::collections::{HashMap, HashSet};

use crate::search::leaders::Led;
use crate::search::plan::Plan;
use crate::similarity::LONG_TEXT;
use crate::store::file::collection::Collection;

/// Maximum number of texts that each is compared with.
const MOST: usize = 64;

/// Lets plain texts stay, given all texts in the order of the policy and the first of the equal texts of each document.
pub(super) fn keep(collection: &Collection, plan: &Plan, texts: &[u32], same: &[u32], led: &mut Led) {
    let words = |document: u32| collection.kept_words(document);
    let is_much_longer = |other: u32, document: u32| words(other) >= words(document) + LONG_TEXT;
    let mut by_survivor: HashMap<u32, Vec<u32>> = HashMap::new();
    for &document in texts {
        let survivor = led.gone[document as usize];
        if survivor != document && is_much_longer(survivor, document) {
            by_survivor.entry(survivor).or_default().push(document);
        }
    }
    if by_survivor.is_empty() {
        return;
    }
    let copies = (0..).zip(same).filter(|(document, text)| document != *text);
    let repeated: HashSet<u32> = copies.map(|(_, &text)| text).collect();
    let stands_in = |document: u32, other: u32| {
        plan.formats_allow(collection, document, other)
            && collection.view(document).is_contained_in(&collection.view(other))
            && !is_much_longer(other, document)
    };
    for (survivor, parts) in by_survivor {
        let mut stay: Vec<u32> = Vec::new();
        for (at, &document) in parts.iter().enumerate() {
            let represented = stay.iter().take(MOST).copied().find(|&other| stands_in(document, other));
            let others = || parts[at + 1..].iter().take(MOST);
            if let Some(other) = represented {
                led.gone[document as usize] = other;
            } else if repeated.contains(&document) || others().any(|&other| stands_in(other, document)) {
                led.gone[document as usize] = document;
                stay.push(document);
                // It may still be an edited copy.
                if led.edited[document as usize] == survivor && !plan.is_near(collection, document, survivor) {
                    led.edited[document as usize] = document;
                }
            }
        }
    }
}
