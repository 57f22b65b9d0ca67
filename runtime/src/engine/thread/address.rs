//! Where a frame is in memory: which branch at each open fork on the way to it. A mount on the way adds nothing.

/// So many forks are kept in line.
const SHORT: usize = 5;

/// The branches on the way from the root frame.
#[derive(Clone, Debug)]
pub(crate) enum Address {
    Short { depth: u8, branches: [u32; SHORT] },
    Long(Box<[u32]>),
}

impl Address {
    pub(crate) const ROOT: Self = Self::Short { depth: 0, branches: [0; SHORT] };

    pub(crate) fn of(branches: &[u32]) -> Self {
        let mut short = [0; SHORT];
        match (short.get_mut(..branches.len()), u8::try_from(branches.len())) {
            (Some(slots), Ok(depth)) => {
                slots.copy_from_slice(branches);
                Self::Short { depth, branches: short }
            }
            _ => Self::Long(branches.into()),
        }
    }

    /// One fork further in.
    pub(crate) fn push(&mut self, branch: u32) {
        if let Self::Short { depth, branches } = self
            && let Some(slot) = branches.get_mut(usize::from(*depth))
        {
            (*slot, *depth) = (branch, *depth + 1);
            return;
        }
        let mut longer = self.branches().to_vec();
        longer.push(branch);
        *self = Self::Long(longer.into());
    }

    /// One fork further out.
    pub(crate) fn pop(&mut self) {
        match self {
            Self::Short { depth, .. } => *depth = depth.saturating_sub(1),
            Self::Long(branches) => *self = branches.split_last().map_or(Self::ROOT, |(_, outer)| Self::of(outer)),
        }
    }

    pub(crate) fn branches(&self) -> &[u32] {
        match self {
            Self::Short { depth, branches } => branches.get(..usize::from(*depth)).unwrap_or_default(),
            Self::Long(branches) => branches,
        }
    }
}

impl Default for Address {
    fn default() -> Self {
        Self::ROOT
    }
}

impl PartialEq for Address {
    fn eq(&self, other: &Self) -> bool {
        self.branches() == other.branches()
    }
}

impl Eq for Address {}

impl std::hash::Hash for Address {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        self.branches().hash(hasher);
    }
}

impl PartialOrd for Address {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The order in which branches are joined.
impl Ord for Address {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.branches().cmp(other.branches())
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_in_and_out_at_any_depth() {
        let mut address = Address::ROOT;
        let deep: Vec<u32> = (0..9).collect();
        for depth in 0..deep.len() {
            assert_eq!(address, Address::of(&deep[..depth]));
            address.push(deep[depth]);
        }
        for depth in (0..deep.len()).rev() {
            address.pop();
            assert_eq!(address, Address::of(&deep[..depth]));
        }
        address.pop();
        assert_eq!(address, Address::ROOT);
    }

    #[test]
    fn short_and_long_ones_are_ordered_as_their_branches() {
        let long = Address::of(&[1, 2, 3, 4, 5, 6]);
        assert!(matches!(long, Address::Long(_)));
        assert_eq!(long.branches(), [1, 2, 3, 4, 5, 6]);
        assert!(Address::ROOT < Address::of(&[0]) && Address::of(&[0, 9]) < Address::of(&[1]) && Address::of(&[1, 2, 3]) < long);
    }
}
