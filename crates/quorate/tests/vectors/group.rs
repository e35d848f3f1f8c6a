//! Groups with keys, dealt or generated, and signing with them.

use quorate::frost::generic::{
    Ciphersuite, Dealing, DealtShare, Dkg, DkgParams, KeyShare, KeySuite, PublicKeyPackage,
    Signature, SigningPackage,
};
use quorate::session::sim::Network;
use quorate::{Parties, PartyId, SessionId};
pub(crate) use quorate_testkit::rng;
use rand_core::CryptoRng;

pub(crate) struct Group<S: KeySuite> {
    /// Ascending by party.
    pub(crate) shares: Vec<KeyShare<S>>,
    pub(crate) public: PublicKeyPackage<S>,
}

impl<S: KeySuite> Group<S> {
    pub(crate) fn dealt(threshold: u16, parties: &Parties, rng: &mut impl CryptoRng) -> Self {
        Self::of(Dealing::new(threshold, parties, rng).unwrap())
    }

    pub(crate) fn of(dealing: Dealing<S>) -> Self {
        let public = dealing.public;
        let accept = |share: DealtShare<S>| share.accept(public.threshold(), &public).unwrap();
        let shares = dealing.shares.into_iter().map(accept).collect();
        Self { shares, public }
    }

    /// By a key generation over a network that reorders and duplicates.
    pub(crate) fn generated(params: DkgParams<S>, parties: &Parties, seed: u64) -> Self {
        let report = Network::new(seed)
            .reorder(5)
            .duplicate(20)
            .run::<Dkg<S>>(SessionId::new([9; 32]), parties, |_| params)
            .unwrap();
        let outputs: Vec<_> = report.results.into_values().map(Result::unwrap).collect();
        let public = outputs[0].public.clone();
        assert!(outputs.iter().all(|output| output.public == public));
        Self { shares: outputs.into_iter().map(|output| output.share).collect(), public }
    }

    pub(crate) fn share(&self, id: PartyId) -> &KeyShare<S> {
        self.shares.iter().find(|share| share.id() == id).unwrap()
    }

    pub(crate) fn ids(&self) -> Vec<PartyId> {
        self.shares.iter().map(KeyShare::id).collect()
    }
}

/// Signs, and verifies what comes out.
pub(crate) fn sign<S: Ciphersuite>(
    group: &Group<S>,
    signers: &[PartyId],
    message: &[u8],
    rng: &mut impl CryptoRng,
) -> Signature<S> {
    let (nonces, commitments): (Vec<_>, Vec<_>) =
        signers.iter().map(|id| group.share(*id).commit(rng)).unzip();
    let package = SigningPackage::new(&group.public, commitments, message).unwrap();
    let shares: Vec<_> = signers
        .iter()
        .zip(nonces)
        .map(|(id, nonces)| group.share(*id).sign(&package, nonces).unwrap())
        .collect();
    let signature = group.public.aggregate(&package, &shares).unwrap();
    group.public.verifying_key().verify(message, &signature).unwrap();
    signature
}
