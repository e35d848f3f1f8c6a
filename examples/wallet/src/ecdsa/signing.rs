//! Signing: from a presignature, where one message of each signer is all it takes, or in one go.

use std::sync::Arc;
use std::time::Instant;

use quorate::keys::SharedKey;
use quorate::keys::derive::DerivationPath;
use quorate::{Parties, PartyId};
use quorate_bignum::Engine;
use quorate_cggmp::{
    AuxInfo, Derived, Ecdsa, EcdsaCurve, KeyInfo, KeyShare, Presign, PresignMany,
    PresignManyParams, PresignParams, Presignature, PresignatureInfo, RawDigest, Sign, SignParams,
    Signature,
};

use crate::rounds::{self, Run, RunError};
use crate::signing::Message;
use quorate::session::{ClaimRecord, RecordError, Recorded, SpentTable};
use quorate_examples::failure::Failure;
use quorate_examples::files::hex;

/// A signer with what it brings along.
pub struct Signer<C: EcdsaCurve> {
    /// Its share of the key.
    pub key: Arc<KeyShare<C>>,
    /// Its auxiliary information.
    pub aux: Arc<AuxInfo>,
}

impl<C: EcdsaCurve> Signer<C> {
    /// Its auxiliary information, for presigning.
    #[must_use]
    pub fn params(&self) -> PresignParams<C> {
        PresignParams::new(Engine::detect(), Arc::clone(&self.key), Arc::clone(&self.aux))
    }

    /// The signer with its share of the key at `path`, which it derives alone.
    ///
    /// # Errors
    /// A [`Failure`] if there is no such key.
    pub fn child(&self, path: &DerivationPath) -> Result<Self, Failure> {
        Ok(Self { key: Arc::new(self.key.derive(path)?), aux: Arc::clone(&self.aux) })
    }
}

/// The signers as a set, if they are enough and none is named twice.
///
/// # Errors
/// A [`Failure`] such as `1 of the 2 signers needed`.
pub fn together<C: EcdsaCurve>(signers: &[Signer<C>]) -> Result<Parties, Failure> {
    let need = signers.first().map_or(2, |signer| signer.key.info().threshold());
    enough(signers.iter().map(|signer| signer.key.party()), need)
}

/// These parties as a set, if they are enough.
pub(super) fn enough(
    signers: impl ExactSizeIterator<Item = PartyId>,
    need: u16,
) -> Result<Parties, Failure> {
    let got = signers.len();
    if got < usize::from(need) {
        return Err(Failure::new(format!("{got} of the {need} signers needed")));
    }
    Ok(Parties::new(signers)?)
}

/// Makes a presignature: all of the work that can be done before there is a message. `signers` in
/// ascending order.
///
/// # Errors
/// [`RunError`]; nobody has a presignature.
pub fn presign<C: EcdsaCurve>(
    parties: &Parties,
    signers: &[Signer<C>],
) -> Result<Run<Presignature<C>>, RunError> {
    rounds::run::<Presign<C>>(parties, signers.iter().map(Signer::params), |_| {})
}

/// Makes so many presignatures in one run, of which each signer has its parts. `signers` in ascending order.
///
/// # Errors
/// [`RunError`]; nobody has any of them.
pub fn presign_many<C: EcdsaCurve>(
    parties: &Parties,
    signers: &[Signer<C>],
    count: u16,
) -> Result<Run<Vec<Presignature<C>>>, RunError> {
    let params = signers.iter().map(|signer| PresignManyParams::new(signer.params(), count));
    rounds::run::<PresignMany<C>>(parties, params, |_| {})
}

/// Presigns and signs in one run, for a message that is known beforehand. `signers` in ascending
/// order.
///
/// # Errors
/// [`RunError`]; there is no signature.
pub fn interactively<C: EcdsaCurve>(
    parties: &Parties,
    signers: &[Signer<C>],
    message: &[u8],
) -> Result<Run<Signature<C>>, RunError> {
    let digest = RawDigest::of_message::<C>(message);
    let params = signers.iter().map(|signer| SignParams::new(signer.params(), digest));
    rounds::run::<Sign<C>>(parties, params, |_| {})
}

/// Each signer's share of a signature, from its part of a presignature.
///
/// `key` leads from the wallet's key to the one that signs: a presignature serves them all. In the `table` of each signer it is recorded that its part is spent. If it was before, on
/// another message, no share leaves the signer.
///
/// # Errors
/// A [`Failure`] from the table, if the part was spent, or if it belongs to another key.
pub fn shares<C: EcdsaCurve, T: SpentTable>(
    signers: &[Signer<C>],
    presignatures: Vec<Presignature<C>>,
    (key, message): (&DerivationPath, &[u8]),
    report: &mut Vec<Message>,
    table: impl Fn(PartyId) -> T,
) -> Result<Vec<(PartyId, Vec<u8>)>, Failure>
where
    Failure: From<T::Error>,
{
    let mut shares = Vec::new();
    for (signer, presignature) in signers.iter().zip(presignatures) {
        let clock = Instant::now();
        let party = presignature.party();
        let claim = presignature.claim(&signer.key, key, message)?;
        // First the record, and only then the share.
        let receipt = record(party, &claim.record(), table(party))?;
        let share = claim.release(receipt)?.to_bytes();
        report.push(Message::new(Some(party), "signature share", &share, clock));
        shares.push((party, share));
    }
    Ok(shares)
}

fn record<T: SpentTable>(
    party: PartyId,
    record: &ClaimRecord,
    mut table: T,
) -> Result<Recorded, Failure>
where
    Failure: From<T::Error>,
{
    record.store(&mut table).map_err(|error| match error {
        RecordError::Table(error) => error.into(),
        _ => {
            let id = hex(&record.id);
            let id = id.get(..8).unwrap_or_default();
            Failure::new(format!(
                "party {party} has spent presignature {id}… before, and must not spend it twice: it \
                 came back from a backup. It is deleted; sign again"
            ))
        }
    })
}

/// The key at `path` below a wallet's.
///
/// # Errors
/// A [`Failure`] if there is none.
pub fn child<C: EcdsaCurve>(
    key: &SharedKey<Ecdsa<C>>,
    path: &DerivationPath,
) -> Result<Derived<C>, Failure> {
    Ok(KeyInfo::from(key.clone()).derivation(path)?)
}

/// Puts shares together, which anyone can do who knows what is public of the presignature.
///
/// # Errors
/// A [`Failure`] that names every signer whose share is wrong.
pub fn combine<C: EcdsaCurve>(
    info: &PresignatureInfo<C>,
    key: &Derived<C>,
    shares: &[(PartyId, Vec<u8>)],
    message: &[u8],
) -> Result<Signature<C>, Failure> {
    Ok(info.combine(key, message, shares.iter().map(|(from, share)| (*from, share)))?)
}
