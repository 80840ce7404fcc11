//! Anchors near to each other in both texts belong together.
//!
//! A grid of [`GAP`] × [`GAP`] words: anchors of a cell are one group with those of the eight
//! cells around it. Cost: linear in the anchors.

use std::collections::BTreeMap;

use super::pair::Anchor;

/// Anchors so many words apart in both texts are of one group, those twice as far not.
pub(super) const GAP: usize = 64;

/// The groups, each sorted.
pub(super) fn groups(anchors: &[Anchor]) -> Vec<Vec<Anchor>> {
    let cell = |&(a, b): &Anchor| (a / GAP as u32, b / GAP as u32);
    let mut cells: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for anchor in anchors {
        let next = cells.len();
        cells.entry(cell(anchor)).or_insert(next);
    }
    let mut leaders: Vec<usize> = (0..cells.len()).collect();
    for (&(x, y), &number) in &cells {
        // The other four of the eight see this one as their neighbour.
        for (right, up) in [(0, 1), (1, -1), (1, 0), (1, 1)] {
            let neighbour = y.checked_add_signed(up).and_then(|y| cells.get(&(x + right, y)));
            if let Some(&neighbour) = neighbour {
                let (one, other) = (leader(&mut leaders, number), leader(&mut leaders, neighbour));
                leaders[one.max(other)] = one.min(other);
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<Anchor>> = BTreeMap::new();
    for anchor in anchors {
        groups.entry(leader(&mut leaders, cells[&cell(anchor)])).or_default().push(*anchor);
    }
    groups.into_values().collect()
}

fn leader(leaders: &mut [usize], mut of: usize) -> usize {
    while leaders[of] != of {
        leaders[of] = leaders[leaders[of]];
        of = leaders[of];
    }
    of
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_anchors_are_one_group_in_whatever_direction() {
        let chain = [(0, 200), (60, 150), (100, 250), (160, 300), (165, 310)];
        let far = [(1000, 10), (1010, 20)];
        let mut all: Vec<Anchor> = chain.iter().chain(&far).copied().collect();
        all.sort_unstable();
        assert_eq!(groups(&all), [chain.to_vec(), far.to_vec()]);
        assert!(groups(&[]).is_empty());
    }
}
