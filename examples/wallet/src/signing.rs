//! Signing in two rounds (RFC 9591 §5): signers that hold shares, and a coordinator without any.

use core::time::Duration;
use std::time::Instant;

use getrandom::SysRng;
use quorate::PartyId;
use quorate::frost::generic::{
    Ciphersuite, Coordinator, Frost, KeyShare, PublicKeyPackage, SigningPackage, SigningSession,
};
use quorate::keys::derive::{DerivationPath, Shifted};
use quorate::keys::{KeyTypes, SharedKey};
use quorate::session::rand_core::UnwrapErr;

use quorate_examples::failure::Failure;

use super::home::Home;
use super::shares;
use super::suites::WalletSuite;

/// The package of the key at `path` below a wallet's, which signs.
///
/// # Errors
/// A [`Failure`] if there is none.
pub fn package<K: WalletSuite>(
    key: &SharedKey<Frost<K>>,
    path: &DerivationPath,
) -> Result<PublicKeyPackage<K::Signs>, Failure> {
    Ok(Frost::<K::Signs>::public(child(key, path)?.into_key()))
}

fn child<K: WalletSuite>(
    key: &SharedKey<Frost<K>>,
    path: &DerivationPath,
) -> Result<Shifted<Frost<K>, Frost<K::Signs>>, Failure> {
    Ok(K::child(key, &key.extended_key(key.public_chain_code()), path)?)
}

/// The package of a key that signs, and signers' shares of it.
pub type Group<K> =
    (PublicKeyPackage<<K as WalletSuite>::Signs>, Vec<KeyShare<<K as WalletSuite>::Signs>>);

/// The package of the key at `path`, and the signers' shares of it. Each signer derives its own.
///
/// # Errors
/// A [`Failure`] if a signer has no share, or there is no such key.
pub fn open_signers<K: WalletSuite>(
    home: &Home,
    signers: &[PartyId],
    path: &DerivationPath,
) -> Result<Group<K>, Failure> {
    let (key, shares) = shares::of_signers::<Frost<K>>(home, signers)?;
    let child = child(&key, path)?;
    let own = shares.iter().map(|share| Ok(Frost::share(share.shift(&child)?, child.key())));
    let own = own.collect::<Result<Vec<_>, Failure>>()?;
    Ok((Frost::public(child.into_key()), own))
}

/// A message that was sent, for the report.
pub struct Message {
    /// The signer that sent it; `None` for the coordinator.
    pub from: Option<PartyId>,
    /// Its kind.
    pub what: &'static str,
    /// Its size in bytes.
    pub bytes: usize,
    /// The time that it took to make.
    pub time: Duration,
}

/// Has the owners of `shares` sign `message`, up to the point where the coordinator holds all
/// their signature shares and only has to [`Coordinator::finish`].
///
/// `network` sees every signature share on its way and may alter it: only for showing what
/// happens then.
///
/// # Errors
/// A [`Failure`] with the library's text, such as `got 1 signers, need at least 2`.
pub fn gather<S: Ciphersuite>(
    coordinator: &Coordinator<S>,
    shares: &[KeyShare<S>],
    message: &[u8],
    report: &mut Vec<Message>,
    mut network: impl FnMut(PartyId, &mut Vec<u8>),
) -> Result<SigningSession<S>, Failure> {
    let mut rng = UnwrapErr(SysRng);

    // Round one: each signer keeps its nonces and sends its commitments.
    let mut nonces = Vec::new();
    let mut commitments = Vec::new();
    for signer in shares {
        let clock = Instant::now();
        let (secret, public) = signer.commit(&mut rng);
        let bytes = public.to_bytes();
        report.push(Message::new(Some(signer.id()), "commitments", &bytes, clock));
        nonces.push(secret);
        commitments.push((signer.id(), bytes));
    }

    // The coordinator makes a package of them and of the message, and sends it to every signer.
    let clock = Instant::now();
    let mut session = coordinator.start(commitments, message)?;
    let package = session.package().to_bytes();
    report.push(Message::new(None, "signing package, to each signer", &package, clock));

    // Round two: each signer looks at what it is to sign, and sends its share of the signature.
    for (signer, nonces) in shares.iter().zip(nonces) {
        let clock = Instant::now();
        let package = SigningPackage::<S>::from_bytes(&package)?;
        if package.message() != message {
            return Err(Failure::new("this is not what the signer was asked to sign"));
        }
        let mut bytes = signer.sign(&package, nonces)?.to_bytes();
        report.push(Message::new(Some(signer.id()), "signature share", &bytes, clock));

        network(signer.id(), &mut bytes);
        session.receive(signer.id(), &bytes)?;
    }
    Ok(session)
}

/// Has the owners of `shares` sign `message`: the signature's bytes, and what was sent.
///
/// # Errors
/// As [`gather`], and if a signer cheats.
pub fn sign<S: Ciphersuite>(
    coordinator: &Coordinator<S>,
    shares: &[KeyShare<S>],
    message: &[u8],
) -> Result<(Vec<u8>, Vec<Message>), Failure> {
    let mut report = Vec::new();
    let session = gather(coordinator, shares, message, &mut report, |_, _| {})?;
    // Adding up the shares, and making sure that the signature verifies.
    let clock = Instant::now();
    let signature = coordinator.finish(session)?.to_bytes().as_ref().to_vec();
    report.push(Message::new(None, "signature", &signature, clock));
    Ok((signature, report))
}

impl Message {
    pub(crate) fn new(
        from: Option<PartyId>,
        what: &'static str,
        bytes: &[u8],
        clock: Instant,
    ) -> Self {
        Self { from, what, bytes: bytes.len(), time: clock.elapsed() }
    }
}
