//! The public side of a threshold key.

#[cfg(not(target_has_atomic = "ptr"))]
use alloc::rc::Rc as Shared;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc as Shared;
use alloc::vec::Vec;
use core::fmt;

use quorate_session::container::{Kind, Label, NO_CURVE};
use quorate_session::wire::Reader;
use quorate_session::{Parties, PartyId, Transcript};

use crate::error::{DecodeError, KeyError};
use crate::level::Level;
use crate::matrix::Matrix;
use crate::packing::{FULL_LEN, full, put_full};
use crate::poly::{Poly, add_all, zeros};
use crate::profile::Profile;
use crate::set::ParameterSet;
use crate::subset::{Shape, Subset};
use crate::verify::VerifyingKey;

const PACKAGE: Kind =
    Kind { code: 112, name: "the public side of a threshold ML-DSA key", version: 1 };

/// The label of a container for a level.
pub(crate) const fn label(kind: Kind, level: Level) -> Label {
    Label { kind, curve: NO_CURVE, family: family(level), family_code: code(level) }
}

/// The name of a family of keys.
const fn family(level: Level) -> &'static str {
    match level {
        Level::MlDsa44 => "quorate-mldsa ML-DSA-44 v1",
        Level::MlDsa65 => "quorate-mldsa ML-DSA-65 v1",
        Level::MlDsa87 => "quorate-mldsa ML-DSA-87 v1",
    }
}

/// The code of a family of keys.
const fn code(level: Level) -> u8 {
    match level {
        Level::MlDsa44 => 44,
        Level::MlDsa65 => 65,
        Level::MlDsa87 => 87,
    }
}

/// The public side of a threshold key, the same at all its parties. It has the verifying key, the parties, the
/// threshold, and for each subset S of N − T + 1 parties the value t_S = A·s1_S + s2_S of its secret.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKeyPackage {
    pub(crate) set: ParameterSet,
    pub(crate) shape: Shape,
    parties: Parties,
    rho: [u8; 32],
    /// t_S, with coefficients from 0 to q − 1, in the order of [`Shape::subsets`].
    images: Vec<Vec<Poly>>,
    key: VerifyingKey,
    /// The matrix A that follows from ρ.
    a: Shared<Matrix>,
    /// The digest of the stored form.
    digest: [u8; 32],
}

impl PublicKeyPackage {
    /// The parameters of a key of these parties, of which `threshold` sign.
    pub(crate) fn parameters(
        (level, profile): (Level, Profile),
        threshold: u16,
        parties: &Parties,
    ) -> Result<(ParameterSet, Shape), KeyError> {
        let not_offered =
            KeyError::NotOffered { level, profile, threshold, parties: parties.len() };
        let [Ok(threshold), Ok(count)] = [u8::try_from(threshold), u8::try_from(parties.len())]
        else {
            return Err(not_offered);
        };
        let shape = Shape { threshold, parties: count };
        Ok((ParameterSet::of(level, profile, shape).ok_or(not_offered)?, shape))
    }

    /// The key of the values t_S that `image` gives, with k polynomials for each subset: t = Σ t_S.
    pub(crate) fn new(
        (set, shape): (ParameterSet, Shape),
        parties: Parties,
        rho: [u8; 32],
        image: impl FnMut(Subset) -> Vec<Poly>,
    ) -> Self {
        let images: Vec<Vec<Poly>> = shape.subsets().map(image).collect();
        let mut t = zeros(set.level.k());
        images.iter().for_each(|image| add_all(&mut t, image));
        t.iter_mut().for_each(Poly::canonicalize);
        let key = VerifyingKey::of(set.level, rho, &t);
        let a = Shared::new(Matrix::expand(set.level, &rho));
        let mut package = Self { set, shape, parties, rho, images, key, a, digest: [0; 32] };
        let mut transcript = Transcript::new("quorate-mldsa package");
        transcript.append("package", &package.to_bytes());
        package.digest = transcript.finish32();
        package
    }

    /// The verifying key, which any verifier of FIPS 204 accepts.
    #[must_use]
    pub const fn verifying_key(&self) -> &VerifyingKey {
        &self.key
    }

    /// The level.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.set.level
    }

    /// The profile of the key's parameters.
    #[must_use]
    pub const fn profile(&self) -> Profile {
        self.set.profile
    }

    /// The number T of parties that sign. Exactly T take part in a signature, and T − 1 learn nothing.
    #[must_use]
    pub fn threshold(&self) -> u16 {
        self.shape.threshold.into()
    }

    /// The parties.
    #[must_use]
    pub const fn parties(&self) -> &Parties {
        &self.parties
    }

    /// The number of attempts to sign that a share of this key may make in its life. The security argument holds up
    /// to that number, in the mean over keys and challenges.
    #[must_use]
    pub const fn attempts(&self) -> u64 {
        self.set.attempts
    }

    /// A digest of all public data of the key. The parties compare it to verify that they hold the same key.
    #[must_use]
    pub const fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// A
    pub(crate) const fn a(&self) -> &Shared<Matrix> {
        &self.a
    }

    /// t_S
    pub(crate) fn image(&self, subset: Subset) -> Option<&[Poly]> {
        self.images.get(self.shape.index(subset)?).map(Vec::as_slice)
    }

    /// The place of a party in ascending order.
    pub(crate) fn position(&self, party: PartyId) -> Option<u8> {
        u8::try_from(self.parties.position(party)?).ok()
    }

    /// The stored form: a container of the profile (1: 0 published, 1 strict) ‖ threshold (2) ‖ number of parties (2) ‖ parties
    /// (2 each) ‖ ρ (32) ‖ each t_S, with 23 bits a coefficient.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let label = label(PACKAGE, self.level());
        let mut bytes = label.start(self.len());
        self.put(&mut bytes);
        label.end_public(bytes)
    }

    /// Reads a stored form, strictly.
    ///
    /// # Errors
    /// [`DecodeError`]
    pub fn from_bytes(level: Level, bytes: &[u8]) -> Result<Self, DecodeError> {
        label(PACKAGE, level).read(bytes, |reader| Self::read(level, reader))
    }

    /// The number of bytes that [`put`](Self::put) appends.
    pub(crate) fn len(&self) -> usize {
        let images = self.images.len() * self.level().k() * FULL_LEN;
        5 + 2 * self.parties.len() + 32 + images
    }

    pub(crate) fn put(&self, bytes: &mut Vec<u8>) {
        bytes.push(self.profile().code());
        bytes.extend_from_slice(&self.threshold().to_be_bytes());
        bytes.extend_from_slice(&u16::from(self.shape.parties).to_be_bytes());
        self.parties.iter().for_each(|party| bytes.extend_from_slice(&party.get().to_be_bytes()));
        bytes.extend_from_slice(&self.rho);
        self.images.iter().flatten().for_each(|t| put_full(bytes, t));
    }

    pub(crate) fn read(level: Level, reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let profile = reader.u8()?;
        let profile = Profile::of(profile).ok_or(DecodeError::BadProfile(profile))?;
        let (threshold, count) = (reader.u16()?, reader.u16()?);
        let mut ids = Vec::new();
        for _ in 0..count {
            let id = PartyId::new(reader.u16()?).ok_or(DecodeError::BadParties)?;
            // The parties ascend, so that there is one form.
            if ids.last().is_some_and(|last| *last >= id) {
                return Err(DecodeError::BadParties);
            }
            ids.push(id);
        }
        let parties = Parties::new(ids).map_err(|_| DecodeError::BadParties)?;
        let parameters = Self::parameters((level, profile), threshold, &parties)?;
        let rho = reader.array()?;
        let mut images = Vec::new();
        for _ in parameters.1.subsets() {
            images.push(read_image(level, reader)?);
        }
        let mut images = images.into_iter();
        Ok(Self::new(parameters, parties, rho, |_| images.next().unwrap_or_default()))
    }
}

/// Reads a vector of k polynomials with coefficients from 0 to q − 1.
pub(crate) fn read_image(level: Level, reader: &mut Reader<'_>) -> Result<Vec<Poly>, DecodeError> {
    let mut image = Vec::with_capacity(level.k());
    for _ in 0..level.k() {
        image.push(full(reader.bytes(FULL_LEN)?).ok_or(DecodeError::BadCoefficient)?);
    }
    Ok(image)
}

impl fmt::Debug for PublicKeyPackage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicKeyPackage")
            .field("profile", &self.set.profile)
            .field("threshold", &self.shape.threshold)
            .field("parties", &self.parties.as_slice())
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dealer::Dealing;

    #[test]
    fn bytes_behind_a_package_are_refused() {
        let parties = quorate_testkit::lockstep::parties([1, 2]);
        let rng = &mut quorate_testkit::rng(3);
        let dealing = Dealing::new(Level::MlDsa44, 2, &parties, rng).unwrap();
        let package = dealing.public;
        let label = label(PACKAGE, package.level());
        let mut bytes = label.start(package.len() + 1);
        package.put(&mut bytes);
        bytes.push(0);
        let read = PublicKeyPackage::from_bytes(package.level(), &label.end_public(bytes));
        let trailing = quorate_session::wire::ReadError::TrailingBytes;
        assert_eq!(read.err(), Some(DecodeError::Body(trailing)));
    }
}
