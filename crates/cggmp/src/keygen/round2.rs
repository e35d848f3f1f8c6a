//! Round 2: reveal, and deal.

use quorate_curve::Secret;
use quorate_session::{Abort, Check, Fault, Inbox, Message, Outbox, PartyId, PerParty, Run};
use quorate_sharing::Commitment;

use super::reveal::Reveal;
use super::round1::DIGEST;
use super::round3::Proving;
use super::view::key_of;
use crate::schnorr::Nonce;
use crate::wire::SCALAR;
use crate::{EcdsaCurve, KeyShare};

/// What P_i remembers when its reveal and its shares are sent.
pub(super) struct Revealed<C: EcdsaCurve> {
    /// Everybody else's V_j.
    pub(super) digests: PerParty<[u8; DIGEST]>,
    /// Its share of its own polynomial: f_i(i).
    pub(super) own: Secret<C::Scalar>,
    /// α_i.
    pub(super) nonce: Nonce<C>,
    pub(super) reveal: Reveal<C>,
}

type Received<C> = (Reveal<C>, Secret<<C as quorate_curve::Curve>::Scalar>);

impl<C: EcdsaCurve> Revealed<C> {
    /// Figure 6, round 3: checks all reveals and shares, adds up, and proves knowledge of the sum.
    pub(super) fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<(Proving<C>, Outbox), Abort> {
        let received = self.receive(run, inbox)?;
        let Self { own, nonce, reveal, .. } = self;
        let shares = received.values().map(|(_, share)| *share.expose());
        let sum = Secret::make(|| shares.fold(*own.expose(), |sum, share| sum + share));
        let reveals = received.map(|_, (reveal, _)| reveal).with(run.me(), reveal);
        // What fails from here on, no party alone can bring about: a key or a share that is zero.
        let failed = Abort::unattributed(run.round(), Check::ResultMismatch);
        let info = key_of(run.parties(), &reveals).ok_or_else(|| failed.clone())?;
        let share = KeyShare::new(run.me(), info, sum).map_err(|_| failed)?;
        Proving::new(run, share, nonce, reveals)
    }

    /// Reads every reveal, compares it with its V_j, and reads and checks every share.
    pub(super) fn receive(
        &self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<PerParty<Received<C>>, Abort> {
        let read = |from, message: Message<'_>| {
            let reveal = self.open(run, from, message.broadcast)?;
            Ok((reveal, read_share::<C>(message.direct)?))
        };
        let everything = |from, message: Message<'_>| {
            let (reveal, share) = read(from, message)?;
            if reveal.commitment.verify_share_vartime(run.me(), share.expose()) {
                Ok((reveal, share))
            } else {
                Err(Fault::InvalidShare)
            }
        };
        // Where something is wrong, every share is looked at alone, so that all culprits are named.
        let received = inbox.verify(read).or_else(|_| inbox.verify(everything))?;
        let sum =
            received.values().fold(C::Scalar::default(), |sum, (_, share)| sum + *share.expose());
        let sum = Secret::new(sum);
        let commitments = received.values().map(|(reveal, _)| &reveal.commitment);
        let fits = Commitment::sum(commitments)
            .is_some_and(|total| total.verify_share_vartime(run.me(), sum.expose()));
        if fits { Ok(received) } else { inbox.verify(everything) }
    }

    /// Reads a reveal that must be the one committed to.
    fn open(&self, run: &Run, from: PartyId, bytes: &[u8]) -> Result<Reveal<C>, Fault> {
        let reveal = Reveal::from_bytes(bytes, self.reveal.commitment.len())?;
        let digest = reveal.digest(run, from);
        if self.digests.get(from) == Some(&digest) {
            Ok(reveal)
        } else {
            Err(Fault::InvalidDecommitment)
        }
    }
}

pub(crate) fn read_share<C: EcdsaCurve>(bytes: &[u8]) -> Result<Secret<C::Scalar>, Fault> {
    if bytes.len() != SCALAR {
        return Err(Fault::WrongLength);
    }
    Secret::try_make(|| C::decode_scalar(bytes)).ok_or(Fault::InvalidScalar)
}
