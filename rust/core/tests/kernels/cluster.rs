use neardup_core::cluster::groups::{components, stars};
use neardup_core::support::hash;
use proptest::prelude::*;

use crate::cases;

/// Pairs of different nodes below `nodes`, each once.
fn pairs(nodes: usize) -> impl Strategy<Value = Vec<(u32, u32)>> {
    prop::collection::btree_set((0..nodes as u32, 0..nodes as u32), 0..nodes * 2)
        .prop_map(|pairs| pairs.into_iter().filter(|pair| pair.0 < pair.1).collect())
}

/// The smallest node that can be reached from each.
fn slow_components(nodes: usize, pairs: &[(u32, u32)]) -> Vec<u32> {
    let mut smallest: Vec<u32> = (0..nodes as u32).collect();
    loop {
        let before = smallest.clone();
        for &(a, b) in pairs {
            let least = smallest[a as usize].min(smallest[b as usize]);
            smallest[a as usize] = least;
            smallest[b as usize] = least;
        }
        if smallest == before {
            return smallest;
        }
    }
}

fn slow_stars(order: &[u32], pairs: &[(u32, u32)], similarities: &[f64]) -> Vec<u32> {
    let mut leaders: Vec<Option<u32>> = vec![None; order.len()];
    for &node in order {
        let mut best: Option<(f64, u32)> = None;
        // In order, so that of equally similar leaders the first is kept.
        for &leader in order.iter().filter(|&&other| leaders[other as usize] == Some(other)) {
            let place = pairs.iter().position(|&pair| pair == (node.min(leader), node.max(leader)));
            if let Some(similarity) = place.map(|place| similarities[place])
                && best.is_none_or(|best| similarity > best.0)
            {
                best = Some((similarity, leader));
            }
        }
        leaders[node as usize] = Some(best.map_or(node, |best| best.1));
    }
    leaders.into_iter().map(|leader| leader.unwrap()).collect()
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn components_are_the_nodes_that_can_be_reached(pairs in pairs(30)) {
        prop_assert_eq!(components(30, &pairs), slow_components(30, &pairs));
    }

    #[test]
    fn stars_join_the_most_similar_earlier_leader(pairs in pairs(25), seed in any::<u64>()) {
        let mut order: Vec<u32> = (0..25).collect();
        order.sort_by_key(|&node| hash::mix(seed ^ u64::from(node)));
        let similarities: Vec<f64> =
            (0..pairs.len()).map(|pair| (hash::mix(seed ^ pair as u64) % 4) as f64 / 4.0).collect();
        prop_assert_eq!(stars(&order, &pairs, &similarities), slow_stars(&order, &pairs, &similarities));
    }
}
