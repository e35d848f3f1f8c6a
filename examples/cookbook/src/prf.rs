//! Keys of the threshold PRF: made by several parties, and evaluated by any two of them.

use quorate::frost::generic::{Dkg, DkgParams, Frost, KeyShare, PointBytes, PublicKeyPackage};
use quorate::keys::{Family, PackageId};
use quorate::prf::KeyKind;
use quorate::session::container::{HEADER, Kind};
use quorate::{Parties, PartyId};

use crate::Failure;
use crate::mesh::Mesh;
use crate::run::run;

/// The lane of questions and answers.
pub const ASKING: u8 = 0;
/// The answer of a party that refuses.
pub const REFUSAL: &[u8] = b"";

/// One party's share of a key that any two parties evaluate, and the public side of the key.
pub struct Key<K: KeyKind> {
    /// The share.
    pub share: KeyShare<K>,
    /// The public side of the key.
    pub public: PublicKeyPackage<K>,
}

impl<K: KeyKind> Key<K> {
    /// Makes a key with these parties.
    ///
    /// # Errors
    /// The run's.
    pub fn make(mesh: &mut Mesh, parties: &Parties) -> Result<Self, Failure> {
        let made = run::<Dkg<K>>(mesh, 1, parties, DkgParams::new(2))?;
        Ok(Self { share: made.share, public: made.public })
    }
}

/// Asks a party, and waits for its answer.
///
/// # Errors
/// If it refuses, or is down.
pub fn ask(mesh: &mut Mesh, party: PartyId, question: &[u8]) -> Result<Vec<u8>, Failure> {
    let down = || format!("party {party} is down");
    mesh.send(party, ASKING, question).map_err(|_| down())?;
    match mesh.receive_while_there(party, ASKING).ok_or_else(down)? {
        (from, _) if from != party => Err(format!("party {from} speaks out of turn").into()),
        (_, answer) if answer == REFUSAL => Err(format!("party {party} refuses").into()),
        (_, answer) => Ok(answer),
    }
}

/// An intruder's version of a party's answer to a query of one point: the evaluated point and the next one, a commitment of
/// the proof, change places. The digest at the end fits, since an intruder computes it too.
#[must_use]
pub fn spoiled<K: KeyKind>(answer: &[u8]) -> Vec<u8> {
    let point = size_of::<PointBytes<K>>();
    // Behind the party, the public key package, the query and the number of points.
    let points = HEADER + 2 + PackageId::LENGTH + 32 + 2;
    let kind = Kind { code: answer[5], name: "an answer", version: 1 };
    Frost::<K>::label(kind).altered(answer, |answer| {
        let (evaluated, rest) = answer[points..].split_at_mut(point);
        evaluated.swap_with_slice(&mut rest[..point]);
    })
}
