//! Groups of anchors that are close to each other in both texts.
//!
//! The places form a grid of cells of [`BLOCK`] × [`BLOCK`] words, the blocks in which two texts become candidates. The
//! anchors of a cell are in one group with those of the eight cells around it: anchors no further apart than a block in
//! both texts are in one group, and anchors twice as far apart only if others link them. Cost: sorting the cells; 12 bytes
//! a cell.

use super::pair::Anchor;
use super::passage_keys::BLOCK;

/// Groups anchors, which must be sorted. Each group is sorted; groups come in the order of their first cells.
pub(super) fn groups(anchors: &[Anchor]) -> Vec<Vec<Anchor>> {
    let cell = |&(a, b): &Anchor| (a / BLOCK as u32, b / BLOCK as u32);
    let mut cells: Vec<(u32, u32)> = anchors.chunk_by(|x, y| cell(x) == cell(y)).map(|same| cell(&same[0])).collect();
    cells.sort_unstable();
    cells.dedup();
    let mut leaders: Vec<u32> = (0..cells.len() as u32).collect();
    for (&(x, y), number) in cells.iter().zip(0..) {
        // The other four of the eight see this cell as their neighbour.
        for (right, up) in [(0, 1), (1, -1), (1, 0), (1, 1)] {
            let neighbour = y.checked_add_signed(up).and_then(|y| cells.binary_search(&(x + right, y)).ok());
            if let Some(neighbour) = neighbour {
                let (one, other) = (leader(&mut leaders, number), leader(&mut leaders, neighbour as u32));
                leaders[one.max(other) as usize] = one.min(other);
            }
        }
    }
    // The group of each cell, and the number of anchors per group, to allocate no more than needed.
    let (mut of_cell, mut sizes): (Vec<u32>, Vec<usize>) = (Vec::with_capacity(cells.len()), Vec::new());
    for number in 0..cells.len() as u32 {
        let leader = leader(&mut leaders, number);
        // A leader precedes the cells that it leads.
        let group = if leader == number { sizes.len() as u32 } else { of_cell[leader as usize] };
        sizes.resize(sizes.len().max(group as usize + 1), 0);
        of_cell.push(group);
    }
    let group = |same: &[Anchor]| of_cell[cells.binary_search(&cell(&same[0])).unwrap_or_default()] as usize;
    let in_cells = || anchors.chunk_by(|x, y| cell(x) == cell(y));
    in_cells().for_each(|same| sizes[group(same)] += same.len());
    let mut groups: Vec<Vec<Anchor>> = sizes.iter().map(|&size| Vec::with_capacity(size)).collect();
    in_cells().for_each(|same| groups[group(same)].extend_from_slice(same));
    groups
}

fn leader(leaders: &mut [u32], mut of: u32) -> u32 {
    while leaders[of as usize] != of {
        leaders[of as usize] = leaders[leaders[of as usize] as usize];
        of = leaders[of as usize];
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
