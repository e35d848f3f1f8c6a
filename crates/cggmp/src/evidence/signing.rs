//! Evidence from presigning and signing.

use alloc::vec::Vec;

use quorate_bignum::Engine;
use quorate_curve::Curve;
use quorate_session::{Binding, Fault, Limits, Parties, PartyId, Protocol, Round, SessionId};
use quorate_zk::Own;

use super::{Finding, Log, sealed, verify};
use crate::presign::opening::Round1Broadcast;
use crate::presign::products::Digests;
use crate::presign::round2::{About, Announced, Contribution};
use crate::presign::round3::Round3Broadcast;
use crate::presign::{confirm, round1, round2, round3};
use crate::proofs::{RunBinding, confirmation, to_all};
use crate::red_alert::Scene;
use crate::wire::SCALAR;
use crate::{
    AuxPublic, EcdsaCurve, KeyInfo, PartialSignature, Presign, PresignatureInfo, RawDigest, Sign,
};

/// A run of [`Presign`], or of [`Sign`].
#[derive(Clone, Debug)]
pub struct SigningRun<C: EcdsaCurve> {
    /// Its session id.
    pub sid: SessionId,
    /// Who took part.
    pub signers: Parties,
    /// The key, derived where one signed for a derived key.
    pub key: KeyInfo<C>,
    /// Everybody's moduli.
    pub aux: AuxPublic,
    /// What was signed, in a run of [`Sign`].
    pub digest: Option<RawDigest>,
}

type ByParty<T> = Vec<(PartyId, T)>;
/// Γ, everybody's sums, and δ.
type Outcome<'s, C> =
    (<C as Curve>::Point, &'s [(PartyId, Round3Broadcast<C>)], &'s <C as Curve>::Scalar);

#[allow(private_interfaces, reason = "nobody else implements it")]
impl<C: EcdsaCurve> sealed::Judge for SigningRun<C> {
    fn parties(&self) -> &Parties {
        &self.signers
    }

    fn code(&self) -> u8 {
        if self.digest.is_some() { Sign::<C>::CODE } else { Presign::<C>::CODE }
    }

    fn rounds(&self) -> u8 {
        if self.digest.is_some() { Sign::<C>::ROUNDS } else { Presign::<C>::ROUNDS }
    }

    fn limits(&self, round: Round) -> Limits {
        crate::presign::limits(self.aux.level(), self.signers.len(), round)
    }

    fn names(&self) -> RunBinding {
        let bind = |binding: &mut Binding| {
            crate::presign::bind(&self.key, &self.aux, binding);
            if let Some(digest) = &self.digest {
                binding.append("digest", digest.as_bytes());
            }
        };
        match self.digest {
            Some(_) => RunBinding::of::<Sign<C>>(self.sid, &self.signers, bind),
            None => RunBinding::of::<Presign<C>>(self.sid, &self.signers, bind),
        }
    }

    fn judge(&self, engine: &Engine, log: &Log<'_>) -> Result<(), Finding> {
        match log.round {
            1 => self.round_one(engine, log),
            2 => self.round_two(engine, log),
            3 => self.round_three(engine, log),
            4 => self.round_four(engine, log),
            _ => self.round_five(engine, log),
        }
    }
}

impl<C: EcdsaCurve> SigningRun<C> {
    fn names(&self) -> RunBinding {
        sealed::Judge::names(self)
    }

    fn openings(&self, log: &Log<'_>) -> Result<ByParty<Round1Broadcast<C>>, Finding> {
        let opening = |(party, bytes): &(PartyId, &[u8])| {
            let key = self.aux.encryption_key(*party)?;
            Some((*party, Round1Broadcast::from_bytes(bytes, key).ok()?))
        };
        log.round(1)?.iter().map(opening).collect::<Option<_>>().ok_or(Finding::Incomplete)
    }

    /// `Γ_j` and the digests of each.
    fn announced(&self, log: &Log<'_>) -> Result<(ByParty<C::Point>, ByParty<Digests>), Finding> {
        let peers = self.signers.len().saturating_sub(1);
        let (mut gammas, mut digests) = (Vec::new(), Vec::new());
        for (party, bytes) in log.round(2)? {
            let theirs = Announced::<C>::read(bytes, peers).map_err(|_| Finding::Incomplete)?;
            gammas.push((*party, theirs.gamma));
            digests.push((*party, theirs.digests));
        }
        Ok((gammas, digests))
    }

    fn round_one(&self, engine: &Engine, log: &Log<'_>) -> Result<(), Finding> {
        let key = self.aux.encryption_key(log.culprit).ok_or(Finding::Incomplete)?;
        let opening = Round1Broadcast::<C>::from_bytes(log.broadcast()?, key)?;
        let (to, direct) = log.direct()?;
        let proofs = round1::split(direct, self.aux.level())?;
        let setup = self.aux.pedersen(to).ok_or(Finding::Incomplete)?;
        let roles = round1::roles(self.names());
        let contexts = round1::contexts(self.names(), [log.culprit, to], &roles);
        verify(engine, round1::received(setup, &opening, &proofs, contexts, Own::default()))
    }

    fn round_two(&self, engine: &Engine, log: &Log<'_>) -> Result<(), Finding> {
        let openings = self.openings(log)?;
        let broadcast = log.broadcast()?;
        // What is broadcast has to be in order whoever got what besides.
        Announced::<C>::read(broadcast, self.signers.len().saturating_sub(1))?;
        let (to, direct) = log.direct()?;
        let key = |party| self.aux.encryption_key(party).ok_or(Finding::Incomplete);
        let keys = [key(log.culprit)?, key(to)?];
        let between = [log.culprit, to];
        let bodies = [broadcast, direct];
        let theirs = Contribution::<C>::read(self.names(), &self.signers, between, keys, bodies)?;
        let about = About {
            setup: self.aux.pedersen(to).ok_or(Finding::Incomplete)?,
            opening: of(&openings, log.culprit)?,
            k: &of(&openings, to)?.k,
            x: self.share_point(log.culprit)?,
        };
        let roles = round2::roles(self.names());
        let contexts = round2::contexts(self.names(), between, &roles);
        verify(engine, theirs.received(about, contexts, Own::default()))
    }

    fn share_point(&self, party: PartyId) -> Result<C::Point, Finding> {
        let shares = self.key.additive(&self.signers).map_err(|_| Finding::Incomplete)?;
        shares.share_point(party).copied().ok_or(Finding::Incomplete)
    }

    fn round_three(&self, engine: &Engine, log: &Log<'_>) -> Result<(), Finding> {
        let openings = self.openings(log)?;
        let (gammas, _) = self.announced(log)?;
        let gamma = sum::<C>(&gammas);
        let (sums, proof) = Round3Broadcast::<C>::read(log.broadcast()?)?;
        let role = round3::role(self.names());
        let context = (to_all(self.names(), log.culprit, &role), Own::default());
        let proof = sums.received(of(&openings, log.culprit)?, gamma, proof, context);
        verify(engine, [proof].into())
    }

    /// A red alert; or what follows sums that are right.
    fn round_four(&self, engine: &Engine, log: &Log<'_>) -> Result<(), Finding> {
        self.after_sums(log, |outcome, scene| {
            let Some(scene) = scene else { return self.confirmed(log, outcome) };
            let shown = scene.read(log.culprit, log.broadcast()?)?;
            Ok(scene.verify_dec(engine, log.culprit, &shown, Own::default())?)
        })
    }

    /// The second round of a red alert.
    fn round_five(&self, engine: &Engine, log: &Log<'_>) -> Result<(), Finding> {
        self.after_sums(log, |_, scene| {
            let scene = scene.ok_or(Finding::Incomplete)?;
            let shown = scene.read(log.culprit, of(log.round(4)?, log.culprit)?);
            let sent = shown.map_err(|_| Finding::Incomplete)?.into_sent();
            let proofs = scene.split(log.broadcast()?)?;
            for ((to, sent), proof) in scene.peers(log.culprit).zip(&sent).zip(proofs) {
                let between = [log.culprit, to];
                scene.verify_aff_g_star(engine, between, (sent, proof), Own::default())?;
            }
            Ok(())
        })
    }

    /// Judges what follows round 3, with the scene of a red alert if there has to be one.
    fn after_sums(
        &self,
        log: &Log<'_>,
        judge: impl FnOnce(Outcome<'_, C>, Option<&Scene<'_, C>>) -> Result<(), Finding>,
    ) -> Result<(), Finding> {
        let openings = self.openings(log)?;
        let (gammas, digests) = self.announced(log)?;
        let mut all = Vec::new();
        for (party, bytes) in log.round(3)? {
            let (sums, _) = Round3Broadcast::<C>::read(bytes).map_err(|_| Finding::Incomplete)?;
            all.push((*party, sums));
        }
        let (factor, delta) = Round3Broadcast::wrong(&all, self.key.verifying_key().point());
        let gamma = sum::<C>(&gammas);
        let Some(factor) = factor else { return judge((gamma, &all, &delta), None) };
        let shares = self.key.additive(&self.signers).map_err(|_| Finding::Incomplete)?;
        let scene = Scene {
            names: self.names(),
            signers: &self.signers,
            aux: &self.aux,
            shares: &shares,
            openings: &openings,
            digests: &digests,
            gammas: &gammas,
            gamma,
            sums: &all,
            factor,
        };
        judge((gamma, &all, &delta), Some(&scene))
    }

    /// Whoever saw that the sums are right confirms them, or signs.
    fn confirmed(&self, log: &Log<'_>, outcome: Outcome<'_, C>) -> Result<(), Finding> {
        match self.digest {
            Some(_) => self.share(log, outcome),
            None => Ok(confirmation(log.broadcast()?, confirm::BODY)?),
        }
    }

    /// Figure 10: σ_j.
    fn share(&self, log: &Log<'_>, (gamma, sums, delta): Outcome<'_, C>) -> Result<(), Finding> {
        let digest = self.digest.as_ref().ok_or(Finding::Incomplete)?;
        let names = self.names();
        let (context, inverse) = (names.context, C::invert(delta));
        let (signers, key) = (&self.signers, &self.key);
        let info = PresignatureInfo::of_sums(context, signers, key, gamma, sums, &inverse);
        let info = info.ok_or(Finding::Incomplete)?;
        let bytes = <[u8; SCALAR]>::try_from(log.broadcast()?).map_err(|_| Fault::WrongLength)?;
        let sigma = C::decode_scalar(&bytes).ok_or(Fault::InvalidScalar)?;
        let partial = PartialSignature::received(log.culprit, &info, digest, sigma);
        let verdict = info.verify_partial_digest(digest, &partial);
        Ok(verdict.map_err(|_| Fault::InvalidSignatureShare)?)
    }
}

fn of<T>(list: &[(PartyId, T)], party: PartyId) -> Result<&T, Finding> {
    let found = list.iter().find(|(id, _)| *id == party);
    found.map(|(_, value)| value).ok_or(Finding::Incomplete)
}

fn sum<C: EcdsaCurve>(gammas: &[(PartyId, C::Point)]) -> C::Point {
    gammas.iter().fold(C::identity(), |sum, (_, gamma)| sum + *gamma)
}
