//! Signing: from a presignature, with a single message of each signer, or in one go.

use std::sync::Arc;
use std::time::Instant;

use quorate::keys::KeyTypes;
use quorate::keys::derive::{DerivationPath, Shifted};
use quorate::session::{ClaimRecord, RecordError, SpendReceipt};
use quorate::{Parties, PartyId};
use quorate_cggmp::{
    AuxInfo, Claim, Ecdsa, EcdsaCurve, HardenedChild, KeyShare, MAX_PRESIGNATURES, MessageDigest,
    PresignMany, PresignManyParams, PresignParams, Presignature, PresignatureInfo,
    PublicKeyPackage, RawDigest, Sign, SignParams, Signature,
};
use quorate_examples::files::hex;
use quorate_examples::{Out, Result, ensure, failure};

use super::{EcdsaSuite, aux, stock};
use crate::commands::Statement;
use crate::disk::SpentFile;
use crate::hardened;
use crate::home::{Home, check_pem};
use crate::rounds;
use crate::shares;
use crate::traffic::SigningReport;

pub(super) const PRESIGN_ROUNDS: [&str; 4] =
    ["encryptions, proofs", "products, proofs", "sums, proofs", "echo of the sums"];
const SIGN_ROUNDS: [&str; 4] =
    ["encryptions, proofs", "products, proofs", "sums, proofs", "signature shares"];

/// The presignatures of one run. From about this number on, the cost of each further one is constant.
const BATCH: u16 = 32;

/// A signer with its inputs.
pub struct Signer<C: EcdsaCurve> {
    /// The signer's share of the key.
    pub key: Arc<KeyShare<C>>,
    /// The signer's auxiliary information.
    pub aux: Arc<AuxInfo>,
    /// The hardened child that signs, as the signer has derived it.
    child: Option<Shifted<Ecdsa<C>>>,
}

impl<C: EcdsaCurve> Signer<C> {
    /// The signer's parameters for presigning.
    pub(super) fn params(&self) -> PresignParams<C> {
        PresignParams::new(Arc::clone(&self.key), Arc::clone(&self.aux))
    }

    /// The signer's share of the key that signs.
    fn descendant(&self, path: &DerivationPath) -> Result<KeyShare<C>> {
        let Some(child) = &self.child else { return Ok(self.key.derive(path)?) };
        let share = self.key.secret_share().shift(child)?;
        Ok(Ecdsa::key_share(share, child.key()).derive(path)?)
    }

    /// Spends a presignature on a statement.
    fn claim(&self, made: Presignature<C>, what: Statement<'_>) -> Result<Claim<C>> {
        let digest = MessageDigest::sha256(what.message);
        Ok(match &self.child {
            None => made.claim(&self.key, what.path, digest)?,
            Some(child) => {
                made.claim_hardened(&self.key, &HardenedChild::new(child, what.path)?, digest)?
            }
        })
    }
}

/// Signers that are enough to sign.
pub struct Group<C: EcdsaCurve> {
    /// The public side of their key.
    pub package: PublicKeyPackage<C>,
    /// The signers as a set.
    pub parties: Parties,
    /// The signers, in ascending order.
    pub signers: Vec<Signer<C>>,
}

impl<C: EcdsaSuite> Group<C> {
    /// Reads the signers' shares and auxiliary information, all of one package. Checks that they are theirs, and that
    /// `public.pem` is their key.
    pub fn open(home: &Home, signers: &[PartyId]) -> Result<Self> {
        let (key, shares) = shares::of_signers::<Ecdsa<C>>(home, signers)?;
        let package = PublicKeyPackage::from(key.clone());
        check_pem(home.dir(), &package.verifying_key().to_spki_pem())?;
        let (got, need) = (signers.len(), key.threshold());
        ensure!(got >= usize::from(need), "{got} of the {need} signers needed");
        let parties = Parties::new(signers.iter().copied())?;
        let aux = aux::of_signers(home, &parties)?;
        let signers = shares.into_iter().zip(aux).map(|(share, aux)| Signer {
            key: Arc::new(Ecdsa::key_share(share, &key)),
            aux: Arc::new(aux),
            child: None,
        });
        Ok(Self { package, parties, signers: signers.collect() })
    }

    /// Has each signer derive the hardened child that signs, if one does.
    pub(super) fn derive_hardened(
        &mut self,
        home: &Home,
        what: Statement<'_>,
        out: &mut Out,
    ) -> Result {
        let Some(path) = what.hardened else { return Ok(()) };
        let (parent, signers) = (self.package.shared(), self.parties.as_slice());
        let children = hardened::children(home, parent, signers, path, out)?;
        for (signer, child) in self.signers.iter_mut().zip(children) {
            signer.child = Some(child);
        }
        Ok(())
    }

    /// Adds up the shares of a signature.
    fn aggregate(
        &self,
        info: &PresignatureInfo<C>,
        what: Statement<'_>,
        shares: Vec<(PartyId, Vec<u8>)>,
    ) -> Result<Signature<C>> {
        let digest = MessageDigest::sha256(what.message);
        Ok(match self.signers.first().and_then(|signer| signer.child.as_ref()) {
            None => info.aggregate(&self.package.derivation(what.path)?, digest, shares)?,
            Some(child) => {
                info.aggregate(&HardenedChild::new(child, what.path)?, digest, shares)?
            }
        })
    }
}

/// Makes presignatures: all of the work that can be done before there is a message.
pub(crate) fn presign<C: EcdsaSuite>(
    home: &Home,
    signers: &[PartyId],
    count: u16,
    out: &mut Out,
) -> Result {
    let group = Group::<C>::open(home, signers)?;
    let mut progress = out.progress();
    let mut made = 0;
    while made < count {
        progress.show("presigning", f64::from(made) / f64::from(count));
        let batch = BATCH.min(count.saturating_sub(made));
        let params = group.signers.iter().map(|signer| {
            PresignManyParams::new(signer.params(), batch).at_most(MAX_PRESIGNATURES)
        });
        let run = rounds::run::<PresignMany<C>>(&group.parties, params, |_| {})?;
        for of_one in &run.results {
            stock::keep(home, of_one, out)?;
        }
        if made == 0 {
            run.traffic.print(&PRESIGN_ROUNDS, "checks, presignatures kept", out);
        }
        made = made.saturating_add(batch);
    }
    drop(progress);
    let folder = home.path(stock::STOCK);
    writeln!(out, "\n  {count} made; each is good for one signature: {}", folder.display());
    writeln!(
        out,
        "  never copy this folder while presignatures are in it: two copies spend one of them on two files, which gives \
         the key away"
    );
    Ok(())
}

/// Signs from a presignature if one is left, else in one go.
pub(super) fn sign<C: EcdsaSuite>(
    home: &Home,
    group: &Group<C>,
    statement: Statement<'_>,
    out: &mut Out,
) -> Result<Signature<C>> {
    if let Some(presignatures) = stock::take(home, group, out)? {
        writeln!(out, "  from a presignature, which is spent now");
        return spend(home, group, presignatures, statement, out);
    }
    writeln!(out, "  no presignature of these signers is left: all rounds in one go");
    in_one_go(group, statement, out)
}

/// Presigns and signs in one run. Each signer derives its share of the key alone.
fn in_one_go<C: EcdsaSuite>(
    group: &Group<C>,
    statement: Statement<'_>,
    out: &mut Out,
) -> Result<Signature<C>> {
    let digest = RawDigest::of_message::<C>(statement.message);
    let mut params = Vec::new();
    for signer in &group.signers {
        let key = Arc::new(signer.descendant(statement.path)?);
        let own = PresignParams::new(key, Arc::clone(&signer.aux));
        params.push(SignParams::new(own, digest));
    }
    let run = rounds::run::<Sign<C>>(&group.parties, params, |_| {})?;
    run.traffic.print(&SIGN_ROUNDS, "checks, signature", out);
    // All signers have the same signature.
    Ok(*run.first()?)
}

fn spend<C: EcdsaSuite>(
    home: &Home,
    group: &Group<C>,
    presignatures: Vec<Presignature<C>>,
    statement: Statement<'_>,
    out: &mut Out,
) -> Result<Signature<C>> {
    let info = presignatures.first().map(|first| first.info().clone());
    let info = info.ok_or_else(|| failure!("there are no signers"))?;
    let mut report = SigningReport::new();
    let shares = shares(home, group, presignatures, statement, &mut report)?;
    // Anyone with the public side of the presignature can add them up, and an error names who sent a wrong share.
    let clock = Instant::now();
    let signature = group.aggregate(&info, statement, shares)?;
    report.add(None, "signature", &signature.to_compact(), clock);
    report.print(out);
    Ok(signature)
}

/// Each signer's share of a signature, from its part of a presignature, which serves all keys below the wallet's.
///
/// Each signer records that its part is spent. If the part was spent before on another message, no share leaves the signer.
pub(super) fn shares<C: EcdsaCurve>(
    home: &Home,
    group: &Group<C>,
    presignatures: Vec<Presignature<C>>,
    statement: Statement<'_>,
    report: &mut SigningReport,
) -> Result<Vec<(PartyId, Vec<u8>)>> {
    let mut shares = Vec::new();
    for (signer, presignature) in group.signers.iter().zip(presignatures) {
        let clock = Instant::now();
        let party = presignature.party_id();
        let claim = signer.claim(presignature, statement)?;
        // First the record, and only then the share.
        let receipt = record(home, party, &claim.record())?;
        let share = claim.release(receipt)?.to_bytes();
        report.add(Some(party), "signature share", &share, clock);
        shares.push((party, share));
    }
    Ok(shares)
}

fn record(home: &Home, party: PartyId, record: &ClaimRecord) -> Result<SpendReceipt> {
    let id = hex(&record.id);
    let path = home.path(stock::SPENT).join(stock::name_of(&id, party));
    record.store(&mut SpentFile { path, is_named: true }).map_err(|error| match error {
        RecordError::Table(error) => error,
        _ => {
            let id = id.get(..8).unwrap_or_default();
            failure!(
                "party {party} has spent presignature {id}… before, and must not spend it twice: it \
                 came back from a backup. It is deleted; sign again"
            )
        }
    })
}
