//! The fixture that every input of a suite starts from: a 2-of-3 key, one signature, and one complete run of
//! the key generation. Made once from fixed seeds, so that inputs behave the same in every run.

use quorate_frost::{
    Ciphersuite, Commitments, Dealing, DealtShare, Dkg, DkgOutput, DkgParams, KeyShare, NonceBatch,
    PublicKeyPackage, Signature, SignatureShare, SigningPackage,
};
use quorate_session::{Parties, PartyId};
pub(crate) use quorate_testkit::lockstep::id;
pub(crate) use quorate_testkit::rng;

use crate::generation::{Generation, Run};

pub(crate) const THRESHOLD: u16 = 2;
pub(crate) const MESSAGE: &[u8] = b"fuzz";
/// The bytes that `SealKey`s are made of.
pub(crate) const KEY: [u8; 32] = [5; 32];

pub(crate) trait Suite: Ciphersuite {
    fn fixture() -> &'static Fixture<Self>;
}

pub(crate) struct Fixture<S: Suite> {
    pub(crate) shares: Vec<KeyShare<S>>,
    pub(crate) public: PublicKeyPackage<S>,
    /// The first share as it was dealt.
    pub(crate) dealt: Vec<u8>,
    /// Of the signers 1 and 2.
    pub(crate) commitments: Vec<Commitments<S>>,
    pub(crate) package: SigningPackage<S>,
    pub(crate) signature_shares: Vec<SignatureShare<S>>,
    pub(crate) signature: Signature<S>,
    pub(crate) batch: NonceBatch<S>,
    pub(crate) dkg: Run<Dkg<S>>,
}

impl<S: Suite> Fixture<S> {
    pub(crate) fn new() -> Self {
        let mut rng = rng(100);
        let dealing = Dealing::<S>::new(THRESHOLD, &parties(), &mut rng).expect("2 of 3");
        let dealt = dealing.shares[0].to_bytes().to_vec();
        let public = dealing.public;
        let accept = |share: DealtShare<S>| share.accept(THRESHOLD, &public).expect("just dealt");
        let shares: Vec<_> = dealing.shares.into_iter().map(accept).collect();
        let (nonces, commitments): (Vec<_>, Vec<_>) =
            shares.iter().take(2).map(|share| share.commit(&mut rng)).unzip();
        let package =
            SigningPackage::new(&public, commitments.clone(), MESSAGE).expect("two signers");
        let signature_shares: Vec<_> = shares
            .iter()
            .zip(nonces)
            .map(|(share, nonces)| share.sign(&package, nonces).expect("its own nonces"))
            .collect();
        let signature = public.aggregate(&package, &signature_shares).expect("honest signers");
        let batch = shares[0].precompute(2, &mut rng);
        let (dkg, _) = Run::new();
        Self {
            shares,
            public,
            dealt,
            commitments,
            package,
            signature_shares,
            signature,
            batch,
            dkg,
        }
    }
}

impl<S: Suite> Generation for Dkg<S> {
    type Public = PublicKeyPackage<S>;

    fn params(_: PartyId) -> DkgParams<S> {
        DkgParams::new(THRESHOLD)
    }

    fn run() -> &'static Run<Self> {
        &S::fixture().dkg
    }

    fn public(me: PartyId, output: &DkgOutput<S>) -> PublicKeyPackage<S> {
        let DkgOutput { share, public } = output;
        assert_eq!(share.id(), me);
        assert_eq!(public.verifying_share(me), Some(share.verifying_share()));
        public.clone()
    }
}

pub(crate) fn parties() -> Parties {
    Parties::numbered(3).expect("three parties")
}
