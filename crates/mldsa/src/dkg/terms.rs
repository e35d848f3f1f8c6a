//! The terms on which all parties of a key generation agree, and the lengths of its messages.

use alloc::vec::Vec;

use quorate_declassify::declassify;
use quorate_session::{Parties, PartyId, Transcript, frame};

use crate::error::KeyError;
use crate::level::Level;
use crate::package::PublicKeyPackage;
use crate::packing::FULL_LEN;
use crate::profile::Profile;
use crate::secret::SubsetKey;
use crate::set::ParameterSet;
use crate::subset::{Shape, Subset};

/// Bytes of a hash.
pub(crate) const HASH: usize = 32;

/// Level, profile, threshold and parties, which determine the leaders of the sets.
pub(crate) struct Terms {
    pub(crate) set: ParameterSet,
    pub(crate) shape: Shape,
    pub(crate) parties: Parties,
}

impl Terms {
    pub(crate) fn new(
        parameters: (Level, Profile),
        threshold: u16,
        parties: &Parties,
    ) -> Result<Self, KeyError> {
        let (set, shape) = PublicKeyPackage::parameters(parameters, threshold, parties)?;
        Ok(Self { set, shape, parties: parties.clone() })
    }

    /// The place of a party in ascending order.
    pub(crate) fn position(&self, party: PartyId) -> Option<u8> {
        u8::try_from(self.parties.position(party)?).ok()
    }

    /// The leader of a set: its first member, which draws the key of the set.
    pub(crate) fn leader(&self, subset: Subset) -> Option<PartyId> {
        let first = subset.members().next()?;
        self.parties.as_slice().get(usize::from(first)).copied()
    }

    /// The sets that a party is a member of.
    pub(crate) fn sets_of(&self, party: PartyId) -> impl Iterator<Item = Subset> {
        let position = self.position(party);
        self.shape.subsets().filter(move |set| position.is_some_and(|at| set.contains(at)))
    }

    /// The sets that a party leads, ascending.
    pub(crate) fn led(&self, party: PartyId) -> Vec<Subset> {
        self.sets_of(party).filter(|set| self.leader(*set) == Some(party)).collect()
    }

    /// The sets that one party leads and another is a member of.
    pub(crate) fn shared(&self, leader: PartyId, member: PartyId) -> Vec<Subset> {
        let theirs = self.position(member);
        let led = self.led(leader).into_iter();
        led.filter(|set| leader != member && theirs.is_some_and(|at| set.contains(at))).collect()
    }

    /// Bytes of t_S.
    pub(crate) const fn image_len(&self) -> usize {
        self.set.level.k() * FULL_LEN
    }
}

/// The most sets that a party leads. It is the number of sets to which the first party belongs.
pub(crate) fn most_led(shape: Shape) -> usize {
    shape.subsets_of(0).count()
}

/// The most sets that one party leads and another is a member of.
pub(crate) fn most_shared(shape: Shape) -> usize {
    shape.subsets_of(0).filter(|set| set.contains(1)).count()
}

/// A set of sets about which a party complains, one bit each. The first set is the lowest bit of the first byte.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Complaints(pub(crate) Vec<Subset>);

impl Complaints {
    /// The length in bytes.
    pub(crate) fn len(shape: Shape) -> usize {
        shape.subsets().count().div_ceil(8)
    }

    pub(crate) fn put(&self, shape: Shape, body: &mut Vec<u8>) {
        let all: Vec<Subset> = shape.subsets().collect();
        body.extend(all.chunks(8).map(|sets| {
            let bit = |set: &Subset| u8::from(self.0.contains(set));
            sets.iter().rev().fold(0, |bits, set| bits << 1 | bit(set))
        }));
    }

    /// Reads the complaints of a party, which are about sets of which it is a member and another party the leader.
    pub(crate) fn read(terms: &Terms, from: PartyId, body: &[u8]) -> Option<Self> {
        let mut bits = body.iter().flat_map(|byte| (0..8).map(move |at| byte >> at & 1 == 1));
        let mut sets = Vec::new();
        for set in terms.shape.subsets() {
            if bits.next()? {
                let about = terms.sets_of(from).any(|own| own == set);
                if !about || terms.leader(set) == Some(from) {
                    return None;
                }
                sets.push(set);
            }
        }
        (!bits.any(|unused| unused)).then_some(Self(sets))
    }
}

/// A hash of the run, under one of the names of this protocol.
fn hash(
    context: &[u8; 32],
    domain: &'static str,
    append: impl FnOnce(&mut Transcript),
) -> [u8; HASH] {
    let mut transcript = frame::transcript(context, domain);
    append(&mut transcript);
    transcript.finish32()
}

/// a_i, which commits a party to its r_i.
pub(crate) fn commit_part(context: &[u8; 32], party: PartyId, part: &[u8; 32]) -> [u8; HASH] {
    hash(context, "quorate-mldsa dkg part", |transcript| {
        transcript.append_u64("party", party.get().into());
        transcript.append("r", part);
    })
}

/// b_S, which commits a leader to the key of a set. It is public.
pub(crate) fn commit_key(context: &[u8; 32], subset: Subset, key: &SubsetKey) -> [u8; HASH] {
    declassify(hash(context, "quorate-mldsa dkg key", |transcript| {
        transcript.append_u64("subset", subset.0.into());
        transcript.append("key", key.expose());
    }))
}

/// ρ, from the r_i of all.
pub(crate) fn rho(context: &[u8; 32], parts: &[u8]) -> [u8; 32] {
    hash(context, "quorate-mldsa dkg rho", |transcript| transcript.append("R", parts))
}

/// e_S, which commits a leader to t_S before it knows the values of others.
pub(crate) fn commit_image(
    context: &[u8; 32],
    parts: &[u8],
    subset: Subset,
    image: &[u8],
) -> [u8; HASH] {
    hash(context, "quorate-mldsa dkg image", |transcript| {
        transcript.append("R", parts);
        transcript.append_u64("subset", subset.0.into());
        transcript.append("t", image);
    })
}

/// The value that all confirm: the package, and the commitments to the keys of all sets.
pub(crate) fn confirmation(
    context: &[u8; 32],
    package: &PublicKeyPackage,
    keys: &[[u8; HASH]],
) -> [u8; HASH] {
    hash(context, "quorate-mldsa dkg confirmation", |transcript| {
        transcript.append("package", &package.digest());
        transcript.append_list("keys", keys);
    })
}
