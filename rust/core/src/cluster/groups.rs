//! From linked pairs to groups: connected components, or stars around leaders.

/// Returns the smallest member of the connected component of each node.
pub fn components(nodes: usize, pairs: &[(u32, u32)]) -> Vec<u32> {
    let mut parents: Vec<u32> = (0..nodes as u32).collect();
    for &(a, b) in pairs {
        let (a, b) = (find(&mut parents, a), find(&mut parents, b));
        parents[a.max(b) as usize] = a.min(b);
    }
    (0..nodes as u32).map(|node| find(&mut parents, node)).collect()
}

fn find(parents: &mut [u32], mut node: u32) -> u32 {
    while parents[node as usize] != node {
        parents[node as usize] = parents[parents[node as usize] as usize];
        node = parents[node as usize];
    }
    node
}

/// Returns the leader of each node under star linkage.
///
/// In the given order, each node joins the most similar of its partners that is a leader (the first in the order, if
/// several are equally similar), else it becomes a leader itself. So every member is linked to its leader, and there
/// are no chains.
pub fn stars(order: &[u32], pairs: &[(u32, u32)], similarities: &[f64]) -> Vec<u32> {
    let mut rank = vec![0u32; order.len()];
    for (index, &node) in order.iter().enumerate() {
        rank[node as usize] = index as u32;
    }
    let mut starts = vec![0u32; order.len() + 1];
    // Only the later node of a pair can join the earlier one.
    let later = |&(a, b): &(u32, u32)| if rank[a as usize] > rank[b as usize] { (a, b) } else { (b, a) };
    pairs.iter().for_each(|pair| starts[later(pair).0 as usize + 1] += 1);
    for node in 0..order.len() {
        starts[node + 1] += starts[node];
    }
    let mut ends = starts.clone();
    let mut partners = vec![(0u32, 0f64); pairs.len()];
    for (pair, &similarity) in pairs.iter().zip(similarities) {
        let (node, partner) = later(pair);
        partners[ends[node as usize] as usize] = (partner, similarity);
        ends[node as usize] += 1;
    }
    let mut leaders: Vec<u32> = (0..order.len() as u32).collect();
    for &node in order {
        let own = &partners[starts[node as usize] as usize..starts[node as usize + 1] as usize];
        let leading = own.iter().filter(|(partner, _)| leaders[*partner as usize] == *partner);
        let best = leading.max_by(|x, y| x.1.total_cmp(&y.1).then(rank[y.0 as usize].cmp(&rank[x.0 as usize])));
        if let Some(&(leader, _)) = best {
            leaders[node as usize] = leader;
        }
    }
    leaders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_the_connected_nodes() {
        assert_eq!(components(6, &[(4, 5), (1, 4), (0, 2)]), [0, 1, 0, 3, 1, 1]);
    }

    #[test]
    fn stars_do_not_chain() {
        let pairs = [(0, 1), (1, 2), (2, 3), (3, 4)];
        assert_eq!(stars(&[0, 1, 2, 3, 4], &pairs, &[0.9; 4]), [0, 0, 2, 2, 4]);
        assert_eq!(stars(&[2, 0, 1, 3, 4], &pairs, &[0.9; 4]), [0, 2, 2, 2, 4]);
    }

    #[test]
    fn a_node_joins_the_most_similar_leader_or_the_earlier_of_equal_ones() {
        assert_eq!(stars(&[0, 1, 2], &[(0, 2), (1, 2)], &[0.8, 0.9]), [0, 1, 1]);
        assert_eq!(stars(&[1, 0, 2], &[(0, 2), (1, 2)], &[0.9, 0.9]), [0, 1, 1]);
    }
}
