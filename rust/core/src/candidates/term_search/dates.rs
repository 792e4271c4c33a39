//! Days of publication, and whether two documents were published near each other.

/// The days on which each document was published: ascending, without repeats; none if they are unknown.
#[derive(Clone, Copy)]
pub struct Dates<'a> {
    /// The offset of each document's days, and the end of the last.
    pub offsets: &'a [u64],
    /// The days.
    pub days: &'a [i32],
}

impl Dates<'_> {
    pub(super) fn of(&self, document: usize) -> &[i32] {
        &self.days[self.offsets[document] as usize..self.offsets[document + 1] as usize]
    }

    /// Whether two documents have days at most `window` apart; a document without days is near to all.
    pub fn near(&self, a: usize, b: usize, window: u32) -> bool {
        let (a, b) = (self.of(a), self.of(b));
        if a.is_empty() || b.is_empty() {
            return true;
        }
        let (mut i, mut j) = (0, 0);
        while i < a.len() && j < b.len() {
            if a[i].abs_diff(b[j]) <= window {
                return true;
            }
            if a[i] < b[j] { i += 1 } else { j += 1 }
        }
        false
    }
}
