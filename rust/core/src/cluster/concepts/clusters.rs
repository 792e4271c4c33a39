//! Clusters of items, and the kinds of clusters.

/// Which clusters to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// All closed sets.
    Closed,
    /// Those that are in no other.
    Maximal,
    /// A few maximal ones that contain every document with a partner.
    Cover,
}

/// Clusters of items: their members, end to end, and the number of units that the members of each share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clusters {
    /// All members, cluster by cluster, ascending within each.
    pub members: Vec<u32>,
    /// Where the members of each cluster end.
    pub ends: Vec<usize>,
    /// How many units all members of each share.
    pub units: Vec<u32>,
}

impl Clusters {
    /// Adds a cluster.
    pub fn push(&mut self, members: impl IntoIterator<Item = u32>, units: u32) {
        let start = self.members.len();
        self.members.extend(members);
        self.members[start..].sort_unstable();
        self.ends.push(self.members.len());
        self.units.push(units);
    }

    /// The members of a cluster.
    pub fn of(&self, cluster: usize) -> &[u32] {
        let start = if cluster == 0 { 0 } else { self.ends[cluster - 1] };
        &self.members[start..self.ends[cluster]]
    }

    /// How many clusters there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Joins two lists of clusters, in any order.
    pub fn join(self, other: Self) -> Self {
        let (mut all, rest) = if self.members.len() < other.members.len() { (other, self) } else { (self, other) };
        let start = all.members.len();
        all.members.extend_from_slice(&rest.members);
        all.ends.extend(rest.ends.iter().map(|end| start + end));
        all.units.extend_from_slice(&rest.units);
        all
    }
}
