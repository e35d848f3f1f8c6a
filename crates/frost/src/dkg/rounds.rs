//! The rounds, each a struct that holds what the party remembers.

use alloc::vec::Vec;

use quorate_curve::{Curve, Secret};
use quorate_session::{Abort, Check, Fault, Inbox, Message, Outbox, ParamError, PartyId, Run};
use quorate_sharing::Polynomial;
use zeroize::Zeroizing;

use super::parts::{self, Announcement};
use super::{DkgOutput, DkgParams};
use crate::suite::{KeySuite, Scalar, scalar_len};

/// Round 1 is sent: the polynomial and its announcement.
pub(super) struct Announced<S: KeySuite> {
    params: DkgParams<S>,
    polynomial: Polynomial<S::Curve>,
    announcement: Announcement<S>,
}

impl<S: KeySuite> Announced<S> {
    pub(super) fn new(params: DkgParams<S>, run: &Run) -> Result<(Self, Outbox), ParamError> {
        let (polynomial, announcement) =
            parts::part1(run.me(), params.threshold, &run.context(), &mut run.rng("polynomial"))
                .map_err(|_| ParamError::Randomness)?;
        let outbox = Outbox::broadcast(announcement.to_bytes());
        Ok((Self { params, polynomial, announcement }, outbox))
    }

    /// Verifies every proof and deals the shares.
    pub(super) fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<(Dealing<S>, Outbox), Abort> {
        let Self { params, polynomial, announcement } = self;
        let read = |message: Message<'_>| {
            Announcement::<S>::from_bytes(message.broadcast, usize::from(params.threshold))
        };
        // Where one does not decode, the others' proofs are still looked at: all are named.
        let everything = |from, message| {
            let one = read(message)?;
            one.verify(&run.context(), from).map(|()| one)
        };
        let mut announcements =
            inbox.verify(|_, message| read(message)).or_else(|_| inbox.verify(everything))?;
        let others: Vec<PartyId> = run.others().collect();
        let shares = parts::part2(&polynomial, &run.context(), &announcements, &others)
            .map_err(|liars| blame(&inbox, liars, Fault::InvalidProofOfPossession))?;
        let direct = outgoing::<S>(&others, shares.expose());
        let own = Secret::new(polynomial.evaluate(run.me()));
        announcements.push((run.me(), announcement));
        announcements.sort_unstable_by_key(|(id, _)| *id);
        Ok((Dealing { params, own, announcements }, Outbox { broadcast: None, direct }))
    }
}

/// Round 2 is sent: everybody's announcement, and the own share of the own polynomial.
pub(super) struct Dealing<S: KeySuite> {
    params: DkgParams<S>,
    own: Secret<Scalar<S>>,
    announcements: Vec<(PartyId, Announcement<S>)>,
}

impl<S: KeySuite> Dealing<S> {
    /// Checks the shares, makes the key, and announces what came out.
    pub(super) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<(Confirming<S>, Outbox), Abort> {
        // As in round 1: where one does not decode, the others' are checked all the same.
        let everything = |from, message: Message<'_>| {
            let share = read_share::<S>(message.direct)?;
            let dealer = self.announcements.iter().find(|(id, _)| *id == from);
            dealer.map_or(Ok(()), |(_, one)| one.verify_share(run.me(), &share)).map(|()| share)
        };
        let shares = inbox
            .verify(|_, message| read_share::<S>(message.direct))
            .or_else(|_| inbox.verify(everything))?;
        let internal = Abort::unattributed(run.round(), Check::ResultMismatch);
        let output = parts::part3(
            run.me(),
            run.parties(),
            self.params,
            &self.own,
            &self.announcements,
            &shares,
        )
        .map_err(|liars| {
            if liars.is_empty() { internal } else { blame(&inbox, liars, Fault::InvalidShare) }
        })?;
        let digest = self.digest(run, &output);
        Ok((Confirming { digest, output }, Outbox::broadcast(digest.to_vec())))
    }

    /// Everything that all parties must agree on.
    fn digest(&self, run: &Run, output: &DkgOutput<S>) -> [u8; 32] {
        let mut transcript = run.transcript("quorate-frost dkg confirm");
        let announcements = self.announcements.iter().map(|(_, one)| one.to_bytes());
        transcript.append_list("announcements", announcements);
        transcript.append("package", &output.public.to_bytes());
        transcript.finish32()
    }
}

/// Round 3 is sent: the result, kept back until all have confirmed it.
pub(crate) struct Confirming<S: KeySuite> {
    pub(crate) digest: [u8; 32],
    pub(crate) output: DkgOutput<S>,
}

impl<S: KeySuite> Confirming<S> {
    pub(crate) fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<DkgOutput<S>, Abort> {
        let digests = inbox.verify(|_, message| {
            if message.broadcast.len() == self.digest.len() {
                Ok(message.broadcast)
            } else {
                Err(Fault::WrongLength)
            }
        })?;
        // A digest that differs says that somebody lies or was lied to, not who.
        if digests.iter().any(|(_, digest)| *digest != self.digest) {
            return Err(Abort::unattributed(run.round(), Check::ConfirmMismatch));
        }
        Ok(self.output)
    }
}

/// The shares as they are sent.
pub(crate) fn outgoing<S: KeySuite>(
    to: &[PartyId],
    shares: &[Scalar<S>],
) -> Vec<(PartyId, Vec<u8>)> {
    let encode = |share: &Scalar<S>| {
        let share = Zeroizing::new(S::Curve::encode_scalar(share));
        (*share).as_ref().to_vec()
    };
    to.iter().zip(shares).map(|(to, share)| (*to, encode(share))).collect()
}

/// A share as it came.
pub(crate) fn read_share<S: KeySuite>(body: &[u8]) -> Result<Secret<Scalar<S>>, Fault> {
    if body.len() != scalar_len::<S>() {
        return Err(Fault::WrongLength);
    }
    S::Curve::decode_scalar(body).map(Secret::new).ok_or(Fault::InvalidScalar)
}

pub(crate) fn blame(inbox: &Inbox<'_>, parties: Vec<PartyId>, fault: Fault) -> Abort {
    inbox.blame(parties.into_iter().map(|party| (party, fault)).collect())
}
