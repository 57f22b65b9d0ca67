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

    pub(crate) fn branches(&self) -> &[u32] {
        match self {
            Self::Short { depth, branches } => branches.get(..usize::from(*depth)).unwrap_or_default(),
            Self::Long(branches) => branches,
        }
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
mod tests {
    use super::*;

    #[test]
    fn short_and_long_ones_are_ordered_as_their_branches() {
        let long = Address::of(&[1, 2, 3, 4, 5, 6]);
        assert!(matches!(long, Address::Long(_)));
        assert_eq!(long.branches(), [1, 2, 3, 4, 5, 6]);
        assert!(Address::ROOT < Address::of(&[0]) && Address::of(&[0, 9]) < Address::of(&[1]) && Address::of(&[1, 2, 3]) < long);
    }
}
