//! One key in both libraries, whichever made it.

use std::collections::BTreeMap;

use frost_core::keys::{self as theirs, IdentifierList, SigningShare, VerifyingShare};
use frost_core::{Identifier, VerifyingKey};
use quorate::frost::generic::curve::Curve;
use quorate::frost::generic::{self as ours, Dkg, DkgParams};
use quorate::{Parties, PartyId, Session, SessionId};
use quorate_benches::generator;
use quorate_peers::OldRng;
use quorate_peers::migration::key_generation;
use quorate_testkit::lockstep::honest;

/// The identifier of a party in their library.
pub(crate) fn identifier<C: frost_core::Ciphersuite>(id: PartyId) -> Identifier<C> {
    id.get().try_into().unwrap()
}

/// The library that made the key.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    OurDealer,
    TheirDealer,
    OurDkg,
    TheirDkg,
}

/// The shares of one key, in both libraries.
pub(crate) struct Key<S: ours::KeySuite, C: frost_core::Ciphersuite> {
    pub(crate) ours: Vec<ours::KeyShare<S>>,
    pub(crate) our_public: ours::PublicKeyPackage<S>,
    pub(crate) theirs: BTreeMap<Identifier<C>, theirs::KeyPackage<C>>,
    pub(crate) their_public: theirs::PublicKeyPackage<C>,
}

impl<S: ours::KeySuite, C: frost_core::Ciphersuite> Key<S, C> {
    pub(crate) fn new(source: Source, t: u16, n: u16) -> Self {
        Self::seeded(source, t, n, 0)
    }

    /// A different key for every seed.
    pub(crate) fn seeded(source: Source, t: u16, n: u16, seed: u8) -> Self {
        let parties = Parties::numbered(n).unwrap();
        match source {
            Source::OurDealer => {
                let dealing = ours::Dealing::new(t, &parties, &mut generator(seed)).unwrap();
                let public = dealing.public;
                let accept = |share: ours::DealtShare<S>| share.accept(t, &public).unwrap();
                let shares = dealing.shares.into_iter().map(accept).collect();
                Self::to_theirs(shares, public)
            }
            Source::OurDkg => {
                let (shares, public) = our_dkg(t, &parties, seed);
                Self::to_theirs(shares, public)
            }
            Source::TheirDealer => {
                let mut rng = OldRng::new(seed);
                let (shares, public) =
                    theirs::generate_with_dealer::<C, _>(n, t, IdentifierList::Default, &mut rng)
                        .unwrap();
                let packages =
                    shares.into_iter().map(|(id, share)| (id, share.try_into().unwrap()));
                Self::to_ours(&parties, packages.collect(), public)
            }
            Source::TheirDkg => {
                let (packages, public) = key_generation(t, n, seed);
                Self::to_ours(&parties, packages, public)
            }
        }
    }

    fn to_theirs(shares: Vec<ours::KeyShare<S>>, public: ours::PublicKeyPackage<S>) -> Self {
        let key = VerifyingKey::deserialize(public.verifying_key().as_bytes().as_ref()).unwrap();
        let verifying_share =
            |id| VerifyingShare::deserialize(public.verifying_share(id).unwrap().as_ref()).unwrap();
        let t = public.threshold();
        let package = |share: &ours::KeyShare<S>| {
            let id = identifier(share.id());
            let secret = SigningShare::deserialize(&secret_of(share)).unwrap();
            (id, theirs::KeyPackage::new(id, secret, verifying_share(share.id()), key, t))
        };
        let verifying_shares =
            public.parties().iter().map(|id| (identifier(id), verifying_share(id)));
        Self {
            theirs: shares.iter().map(package).collect(),
            their_public: theirs::PublicKeyPackage::new(verifying_shares.collect(), key, Some(t)),
            ours: shares,
            our_public: public,
        }
    }

    fn to_ours(
        parties: &Parties,
        packages: BTreeMap<Identifier<C>, theirs::KeyPackage<C>>,
        public: theirs::PublicKeyPackage<C>,
    ) -> Self {
        let key = public.verifying_key().serialize().unwrap();
        let shares: Vec<_> = parties
            .iter()
            .map(|id| public.verifying_shares()[&identifier(id)].serialize().unwrap())
            .collect();
        let t = public.min_signers().unwrap();
        let our_public =
            ours::PublicKeyPackage::<S>::from_parts(t, 0, parties.clone(), &key, &shares).unwrap();
        let import = |id: PartyId| {
            let secret = packages[&identifier(id)].signing_share().serialize();
            ours::KeyShare::import(id, &secret, &our_public).unwrap()
        };
        Self {
            ours: parties.iter().map(import).collect(),
            our_public,
            theirs: packages,
            their_public: public,
        }
    }
}

/// The signing share as bytes.
fn secret_of<S: ours::KeySuite>(share: &ours::KeyShare<S>) -> Vec<u8> {
    let secret = S::Curve::encode_scalar(share.secret_share().secret().expose());
    secret.as_ref().to_vec()
}

/// Runs our key generation to the end, everybody honest.
fn our_dkg<S: ours::KeySuite>(
    t: u16,
    parties: &Parties,
    seed: u8,
) -> (Vec<ours::KeyShare<S>>, ours::PublicKeyPackage<S>) {
    let mut rng = generator(seed);
    let sid = SessionId::new([seed; 32]);
    let start =
        |me| Session::<Dkg<S>>::start(sid, me, parties, DkgParams::new(t), &mut rng).unwrap();
    let outputs = honest(parties.iter().map(start).collect(), |_| {});
    let public = outputs[0].public.clone();
    (outputs.into_iter().map(|output| output.share).collect(), public)
}
