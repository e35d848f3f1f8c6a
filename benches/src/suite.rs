//! The ciphersuites, by the names that the command line uses.

/// A FROST ciphersuite of the registry, `quorate::for_each_frost_suite`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suite(&'static str);

macro_rules! all {
    ($($module:ident: $suite:ty, $name:literal, $title:literal;)*) => {
        &[$(Self($name)),*]
    };
}

impl Suite {
    /// Every suite, in the registry's order.
    pub const ALL: &[Self] = quorate::for_each_frost_suite!(all);

    /// The name on the command line and in the output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0
    }

    /// The suite of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|suite| suite.name() == name)
    }
}
