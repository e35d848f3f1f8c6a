//! Hooks of a laboratory. The program `custody` has none.

use core::fmt;
use std::sync::Arc;

use custody_core::Versions;
use quorate_envelope::Name;
use zeroize::Zeroizing;

/// A function that replaces a message of a node, before it is sealed, by others of the same kind: (recipient, kind, message).
pub type Alter = Arc<dyn Fn(&Name, u16, Vec<u8>) -> Vec<Vec<u8>> + Send + Sync>;

/// The changes that a laboratory makes to a machine that it runs.
#[derive(Clone)]
pub struct Hooks {
    /// The versions of the wire format.
    pub versions: Versions,
    /// The change of packets and answers of a node before they are sealed.
    pub alter: Option<Alter>,
}

impl Default for Hooks {
    fn default() -> Self {
        Self { versions: Versions::OWN, alter: None }
    }
}

impl Hooks {
    /// The messages that a node sends instead of one.
    pub(crate) fn altered(
        &self,
        to: &Name,
        kind: u16,
        message: Zeroizing<Vec<u8>>,
    ) -> Vec<Zeroizing<Vec<u8>>> {
        match &self.alter {
            Some(alter) => {
                alter(to, kind, message.to_vec()).into_iter().map(Zeroizing::new).collect()
            }
            None => vec![message],
        }
    }
}

impl fmt::Debug for Hooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hooks").field("versions", &self.versions).finish_non_exhaustive()
    }
}
