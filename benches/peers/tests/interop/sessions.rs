//! Signing sessions that mix the signers of both libraries.

use std::collections::BTreeMap;

use frost_core::CheaterDetection;
use quorate::PartyId;
use quorate::frost::generic as ours;
use quorate_benches::generator;
use quorate_peers::OldRng;

use crate::keys::{Key, identifier};

/// The parties of a key.
fn identifiers<S: ours::Ciphersuite>(public: &ours::PublicKeyPackage<S>) -> Vec<PartyId> {
    public.parties().iter().collect()
}

/// A signer of either library with its nonces.
enum Signer<'a, S: ours::Ciphersuite, C: frost_core::Ciphersuite> {
    Ours(&'a ours::KeyShare<S>, ours::Nonces<S>),
    Theirs(&'a frost_core::keys::KeyPackage<C>, frost_core::round1::SigningNonces<C>),
}

/// One session, as both coordinators see it.
struct Session<S: ours::Ciphersuite, C: frost_core::Ciphersuite> {
    our_package: ours::SigningPackage<S>,
    their_package: frost_core::SigningPackage<C>,
    /// Every signer's share, as bytes.
    shares: BTreeMap<PartyId, Vec<u8>>,
}

type Aggregated<S, C> = (
    Result<ours::Signature<S>, ours::AggregateError>,
    Result<frost_core::Signature<C>, frost_core::Error<C>>,
);

impl<S: ours::Ciphersuite, C: frost_core::Ciphersuite> Session<S, C> {
    /// Signs `message` by these parties; `by_us` says which of them use our library.
    fn run(
        key: &Key<S, C>,
        parties: &[PartyId],
        by_us: impl Fn(usize) -> bool,
        message: &[u8],
    ) -> Self {
        let (mut rng, mut old_rng) = (generator(40), OldRng::new(41));
        let (mut signers, mut commitments) = (Vec::new(), BTreeMap::new());
        for (place, &id) in parties.iter().enumerate() {
            if by_us(place) {
                let share = key.ours.iter().find(|share| share.id() == id).unwrap();
                let (nonces, public) = share.commit(&mut rng);
                signers.push((id, Signer::Ours(share, nonces)));
                commitments.insert(
                    id,
                    [public.hiding(), public.binding()].map(|point| point.as_ref().to_vec()),
                );
            } else {
                let package = &key.theirs[&identifier(id)];
                let (nonces, public) =
                    frost_core::round1::commit(package.signing_share(), &mut old_rng);
                let bytes =
                    [public.hiding().serialize().unwrap(), public.binding().serialize().unwrap()];
                signers.push((id, Signer::Theirs(package, nonces)));
                commitments.insert(id, bytes);
            }
        }
        let (our_package, their_package) = packages(&key.our_public, &commitments, message);
        let sign = |(id, signer)| {
            let share = match signer {
                Signer::Ours(share, nonces) => {
                    let share = share.sign(&our_package, nonces).unwrap();
                    share.scalar().as_ref().to_vec()
                }
                Signer::Theirs(package, nonces) => {
                    frost_core::round2::sign(&their_package, &nonces, package).unwrap().serialize()
                }
            };
            (id, share)
        };
        let shares = signers.into_iter().map(sign).collect();
        Self { our_package, their_package, shares }
    }

    /// Aggregates by both coordinators.
    fn aggregate(&self, key: &Key<S, C>) -> Aggregated<S, C> {
        let mine: Vec<_> = self
            .shares
            .iter()
            .map(|(id, z)| ours::SignatureShare::from_parts(*id, &self.our_package, z).unwrap())
            .collect();
        let theirs = self.shares.iter().map(|(id, z)| {
            (identifier(*id), frost_core::round2::SignatureShare::deserialize(z).unwrap())
        });
        let all = CheaterDetection::AllCheaters;
        (
            key.our_public.aggregate(&self.our_package, &mine),
            frost_core::aggregate_custom(
                &self.their_package,
                &theirs.collect(),
                &key.their_public,
                all,
            ),
        )
    }
}

/// The package of these commitments in both libraries.
fn packages<S: ours::Ciphersuite, C: frost_core::Ciphersuite>(
    public: &ours::PublicKeyPackage<S>,
    commitments: &BTreeMap<PartyId, [Vec<u8>; 2]>,
    message: &[u8],
) -> (ours::SigningPackage<S>, frost_core::SigningPackage<C>) {
    use frost_core::round1::{NonceCommitment, SigningCommitments};
    let mine = commitments.iter().map(|(id, [hiding, binding])| {
        ours::Commitments::from_parts(*id, public.package_id(), hiding, binding).unwrap()
    });
    let theirs = commitments.iter().map(|(id, bytes)| {
        let [hiding, binding] =
            bytes.each_ref().map(|bytes| NonceCommitment::deserialize(bytes).unwrap());
        (identifier(*id), SigningCommitments::new(hiding, binding))
    });
    (
        ours::SigningPackage::new(public, mine, message).unwrap(),
        frost_core::SigningPackage::new(theirs.collect(), message),
    )
}

/// Signs by the first t, the last t and all parties, with every other signer one of ours, every other one
/// theirs, all ours and all theirs. Both coordinators must make the same signature, and both verify it.
pub(crate) fn sign_mixed<S: ours::Ciphersuite, C: frost_core::Ciphersuite>(key: &Key<S, C>) {
    let all = identifiers(&key.our_public);
    let t = usize::from(key.our_public.threshold());
    let mixes: [fn(usize) -> bool; 4] =
        [|place| place % 2 == 0, |place| place % 2 == 1, |_| true, |_| false];
    let long = [0xa5; 1000];
    for (signers, message) in
        [(&all[..t], &b"interop"[..]), (&all[all.len() - t..], &[]), (&all[..], &long)]
    {
        for by_us in mixes {
            let session = Session::run(key, signers, by_us, message);
            let (mine, theirs) = session.aggregate(key);
            let (mine, theirs) = (mine.unwrap(), theirs.unwrap());
            assert_eq!(mine.to_bytes().as_ref(), theirs.serialize().unwrap());
            key.our_public.verifying_key().verify(message, &mine).unwrap();
            key.their_public.verifying_key().verify(message, &theirs).unwrap();
            let decoded = ours::Signature::<S>::from_bytes(&theirs.serialize().unwrap()).unwrap();
            key.our_public.verifying_key().verify(message, &decoded).unwrap();
            assert!(key.our_public.verifying_key().verify(b"another message", &decoded).is_err());
            let decoded =
                frost_core::Signature::<C>::deserialize(mine.to_bytes().as_ref()).unwrap();
            key.their_public.verifying_key().verify(message, &decoded).unwrap();
        }
    }
}

/// Of three signers the second sends the first one's share as its own.
pub(crate) fn forged_share<S: ours::Ciphersuite, C: frost_core::Ciphersuite>(key: &Key<S, C>) {
    let signers = &identifiers(&key.our_public)[..3];
    for by_us in [true, false] {
        let mut session = Session::run(key, signers, |place| (place == 1) == by_us, b"interop");
        let forged = session.shares[&signers[0]].clone();
        session.shares.insert(signers[1], forged);
        let (mine, theirs) = session.aggregate(key);
        assert_eq!(mine.unwrap_err().culprits(), [signers[1]]);
        match theirs.unwrap_err() {
            frost_core::Error::InvalidSignatureShare { culprits } => {
                assert_eq!(culprits, [identifier(signers[1])])
            }
            other => panic!("{other}"),
        }
    }
}

/// Signatures made by their single signer verify here, alone and in a batch.
pub(crate) fn lone_signature<S: ours::Ciphersuite, C: frost_core::Ciphersuite>() {
    let mut rng = OldRng::new(42);
    let made: Vec<_> = (0..8u8)
        .map(|number| {
            let key = frost_core::SigningKey::<C>::new(&mut rng);
            let message = vec![number; usize::from(number)];
            let signature = key.sign(&mut rng, &message).serialize().unwrap();
            let key = frost_core::VerifyingKey::from(&key).serialize().unwrap();
            let key = ours::VerifyingKey::<S>::from_bytes(&key).unwrap();
            (key, message, ours::Signature::<S>::from_bytes(&signature).unwrap())
        })
        .collect();
    for (key, message, signature) in &made {
        key.verify(message, signature).unwrap();
    }
    let items: Vec<_> =
        made.iter().map(|(key, message, signature)| (key, &message[..], signature)).collect();
    ours::verify_batch(&items).unwrap();
}
