//! The relations of a document to its reference copy, and the flags of what was done to it.

/// How a document relates to its reference copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// The same words.
    Exact,
    /// A few words altered.
    MinorChange,
    /// Fewer than 200 words added in blocks.
    BlockAdded,
    /// Fewer than 200 words removed in blocks.
    BlockDeleted,
    /// Small changes and blocks, or blocks added and removed.
    MinorChangeBlockEdit,
    /// The same blocks in another order.
    BlockReordered,
    /// The whole reference several times.
    Repeated,
    /// At least one paragraph of the reference.
    KeyBlock,
    /// More than 80 % of the words in common.
    BagOfWords,
    /// None of these.
    Other,
}

impl Relation {
    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            Relation::Exact => "exact",
            Relation::MinorChange => "minor_change",
            Relation::BlockAdded => "block_added",
            Relation::BlockDeleted => "block_deleted",
            Relation::MinorChangeBlockEdit => "minor_change_block_edit",
            Relation::BlockReordered => "block_reordered",
            Relation::Repeated => "repeated",
            Relation::KeyBlock => "key_block",
            Relation::BagOfWords => "bag_of_words",
            Relation::Other => "other",
        }
    }
}

/// Everything that was done to the reference, for any relation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// A block was added.
    pub added: bool,
    /// A block was removed.
    pub deleted: bool,
    /// Words were changed.
    pub changed: bool,
    /// A block has another position.
    pub moved: bool,
    /// A part of the reference occurs more than once.
    pub repeated: bool,
}
