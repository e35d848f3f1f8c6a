//! Keys, as a socket sees them.

use custody_core::{KeyId, Scheme};
use quorate_purpose::Kind;

/// A key of a committee.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key {
    /// The id: a hash of scheme and public key.
    pub id: KeyId,
    /// The name that people know it by. Names are not unique by themselves; a configuration sees to that.
    pub name: String,
    /// The scheme.
    pub scheme: Scheme,
    /// The kinds of purposes that the key signs. Empty for every kind that is not opaque.
    pub purposes: Vec<Kind>,
    /// The public key, in the encoding that verifiers of the scheme take: SEC 1, compressed, for ECDSA.
    pub public_key: Vec<u8>,
}

impl Key {
    /// The label of a specification that has the key's name.
    pub const NAME: &'static str = "name";

    /// Returns whether the key signs purposes of this kind, if a policy allows them.
    #[must_use]
    pub fn allows(&self, kind: Kind) -> bool {
        if self.purposes.is_empty() { !kind.is_opaque() } else { self.purposes.contains(&kind) }
    }
}
