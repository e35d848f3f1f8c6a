//! Signing in two rounds (RFC 9591 §5): signers that hold shares, and a coordinator without any.

use std::time::Instant;

use getrandom::SysRng;
use quorate::PartyId;
use quorate::frost::generic::{
    Ciphersuite, Coordinator, Frost, KeyShare, PublicKeyPackage, SigningPackage, SigningSession,
};
use quorate::keys::derive::DerivationPath;
use quorate::keys::{KeyTypes, SharedKey};
use quorate::session::rand_core::UnwrapErr;
use quorate_examples::{Out, Result, ensure};

use super::FrostSuite;
use crate::commands::Statement;
use crate::hardened;
use crate::home::Home;
use crate::traffic::SigningReport;

/// The package of the key at `path` below a wallet's, which signs.
pub fn package<K: FrostSuite>(
    key: &SharedKey<Frost<K>>,
    path: &DerivationPath,
) -> Result<PublicKeyPackage<K::Descendant>> {
    Ok(Frost::public(K::descendant_output(key, path, None)?.into_key()))
}

/// The package of a key that signs, and signers' shares of it.
pub type Group<S> = (PublicKeyPackage<S>, Vec<KeyShare<S>>);

/// The package of the key that signs a statement, and the signers' shares of it. Each signer derives its own.
pub fn open_signers<K: FrostSuite>(
    home: &Home,
    signers: &[PartyId],
    what: Statement<'_>,
    out: &mut Out,
) -> Result<Group<K::Descendant>> {
    let (key, shares) = hardened::of_signers::<Frost<K>>(home, signers, what, out)?;
    let child = K::descendant_output(&key, what.path, None)?;
    let own = shares.iter().map(|share| Ok(Frost::key_share(share.shift(&child)?, child.key())));
    let own = own.collect::<Result<Vec<_>>>()?;
    Ok((Frost::public(child.into_key()), own))
}

/// Has the owners of `shares` sign `message`, up to the point where the coordinator holds all their signature shares and only
/// has to [`Coordinator::aggregate`].
///
/// `network` sees every signature share on its way and may alter it, which is only for demonstrations.
pub fn gather<S: Ciphersuite>(
    coordinator: &Coordinator<S>,
    shares: &[KeyShare<S>],
    message: &[u8],
    report: &mut SigningReport,
    mut network: impl FnMut(PartyId, &mut Vec<u8>),
) -> Result<SigningSession<S>> {
    let mut rng = UnwrapErr(SysRng);

    // Round one: each signer keeps its nonces and sends its commitments.
    let mut nonces = Vec::new();
    let mut commitments = Vec::new();
    for signer in shares {
        let clock = Instant::now();
        let (secret, public) = signer.commit(&mut rng);
        let bytes = public.to_bytes();
        report.add(Some(signer.id()), "commitments", &bytes, clock);
        nonces.push(secret);
        commitments.push((signer.id(), bytes));
    }

    // The coordinator makes a package of them and of the message, and sends it to every signer.
    let clock = Instant::now();
    let mut session = coordinator.start(commitments, message)?;
    let package = session.package().to_bytes();
    report.add(None, "signing package, to each signer", &package, clock);

    // Round two: each signer looks at the message, and sends its share of the signature.
    for (signer, nonces) in shares.iter().zip(nonces) {
        let clock = Instant::now();
        let package = SigningPackage::<S>::from_bytes(&package)?;
        let asked = package.message() == message;
        ensure!(asked, "this is not what the signer was asked to sign");
        let mut bytes = signer.sign(&package, nonces)?.to_bytes();
        report.add(Some(signer.id()), "signature share", &bytes, clock);

        network(signer.id(), &mut bytes);
        session.receive(signer.id(), &bytes)?;
    }
    Ok(session)
}

/// Has the owners of `shares` sign `message`, and prints the messages that they send. Returns the signature's bytes.
pub fn sign<S: Ciphersuite>(
    coordinator: &Coordinator<S>,
    shares: &[KeyShare<S>],
    message: &[u8],
    out: &mut Out,
) -> Result<Vec<u8>> {
    let mut report = SigningReport::new();
    let session = gather(coordinator, shares, message, &mut report, |_, _| {})?;
    // Adds up the shares, and checks that the signature verifies.
    let clock = Instant::now();
    let signature = coordinator.aggregate(session)?.to_bytes().as_ref().to_vec();
    report.add(None, "signature", &signature, clock);
    report.print(out);
    Ok(signature)
}
