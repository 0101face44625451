//! How much the entities of a document may stand for.

/// How much text the entities of a document may stand for. Without an end to it, a few of them
/// that refer to one another would stand for any amount.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    left: usize,
}

impl Allowance {
    /// What every document may use.
    pub(super) const DOCUMENT: usize = 16 << 20;
    /// What it may use besides, for each byte that it has.
    pub(super) const BYTE: usize = 256;

    /// So much, and no more.
    pub(crate) fn of(bytes: usize) -> Allowance {
        Allowance { left: bytes }
    }

    /// For so many bytes of the document.
    pub(crate) fn earn(&mut self, bytes: usize) {
        self.left = self.left.saturating_add(bytes.saturating_mul(Self::BYTE));
    }

    /// Whether there is enough left.
    pub(super) fn spend(&mut self, bytes: usize) -> bool {
        let left = self.left.checked_sub(bytes);
        self.left = left.unwrap_or_default();
        left.is_some()
    }
}

impl Default for Allowance {
    fn default() -> Allowance {
        Allowance::of(Self::DOCUMENT)
    }
}
