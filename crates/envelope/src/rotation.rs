//! The announcement of a member's next keys under its current one.

use alloc::vec::Vec;

use quorate_session::Transcript;
use quorate_session::container::{Kind, Label, NO_CURVE};
use quorate_session::wire::Reader;

use crate::identity::Identity;
use crate::keys::{KeyId, PublicIdentity};
use crate::malformed::Malformed;
use crate::name::Name;

const ROTATION: Label = Label {
    kind: Kind { code: 122, name: "a rotation of keys", version: 1 },
    curve: NO_CURVE,
    family: "quorate-envelope",
    family_code: 0,
};

/// The announcement of a member's next keys, signed by its current key. It changes no directory by itself: whoever makes
/// the next version [takes it into it](crate::Draft::rotate).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rotation {
    /// The deployment.
    pub deployment: Name,
    /// The member.
    pub name: Name,
    /// The id of the keys that are replaced.
    pub replaces: KeyId,
    /// The next keys.
    pub next: PublicIdentity,
    signature: [u8; 64],
}

const MALFORMED: Malformed = Malformed("a rotation of keys");

impl Rotation {
    /// Announces the next keys of a member in a deployment.
    #[must_use]
    pub fn announce(deployment: &Name, current: &Identity, next: &PublicIdentity) -> Self {
        let mut rotation = Self {
            deployment: deployment.clone(),
            name: current.name().clone(),
            replaces: current.id(),
            next: next.clone(),
            signature: [0; 64],
        };
        rotation.signature = current.sign(rotation.signed());
        rotation
    }

    pub(crate) fn is_signed_by(&self, current: &PublicIdentity) -> bool {
        current.verifies(self.signed(), &self.signature)
    }

    /// The form in which a rotation is sent.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = ROTATION.start(2 * (Name::MAX + 1) + 144);
        self.deployment.write(&mut out);
        self.name.write(&mut out);
        out.extend_from_slice(self.replaces.as_bytes());
        out.extend_from_slice(&self.next.to_bytes());
        out.extend_from_slice(&self.signature);
        ROTATION.end_public(out)
    }

    /// Reads what [`to_bytes`](Self::to_bytes) gives. [`Draft::rotate`](crate::Draft::rotate) verifies the signature.
    ///
    /// # Errors
    /// [`Malformed`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let (_, mut reader) = ROTATION.open(bytes).map_err(|_| MALFORMED)?;
        let rotation = Self::read(&mut reader).ok_or(MALFORMED)?;
        reader.finish().map_err(|_| MALFORMED)?;
        Ok(rotation)
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let (deployment, name) = (Name::read(reader)?, Name::read(reader)?);
        let replaces = KeyId::new(reader.array().ok()?);
        let next = PublicIdentity::from_bytes(reader.bytes(PublicIdentity::LENGTH).ok()?).ok()?;
        Some(Self { deployment, name, replaces, next, signature: reader.array().ok()? })
    }

    fn signed(&self) -> Transcript {
        let mut transcript = Transcript::new("envelope rotation");
        transcript.append("deployment", self.deployment.as_str().as_bytes());
        transcript.append("name", self.name.as_str().as_bytes());
        transcript.append("replaces", self.replaces.as_bytes());
        transcript.append("next", &self.next.to_bytes());
        transcript
    }
}
