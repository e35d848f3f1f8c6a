//! The rounds, each a struct that holds what the party remembers.

use alloc::vec::Vec;

use quorate_curve::{Curve, Secret};
use quorate_session::{
    Abort, Check, Fault, Inbox, Judgement, Message, Next, Outbox, ParamError, PartyId, PerParty,
    Protocol, Run,
};
use quorate_sharing::Polynomial;
use zeroize::Zeroizing;

use super::parts::{self, Announcement};
use super::{DkgOutput, DkgParams};
use crate::keys::ShareState;
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
        // Where one does not decode, the others' proofs are still looked at: all are named.
        let mut announcements =
            inbox.verify(|_, message| self.read(message)).or_else(|_| self.each(run, inbox))?;
        let Self { params, polynomial, announcement } = self;
        let others: Vec<PartyId> = run.others().collect();
        let shares = parts::part2(&polynomial, &run.context(), announcements.as_slice(), &others)
            .map_err(|liars| blame(&inbox, liars, Fault::InvalidProofOfPossession))?;
        let direct = outgoing::<S>(&others, shares.expose());
        let own = Secret::make(|| polynomial.evaluate(run.me()));
        announcements.insert(run.me(), announcement);
        Ok((Dealing { params, own, announcements }, Outbox { broadcast: None, direct }))
    }

    fn read(&self, message: Message<'_>) -> Result<Announcement<S>, Fault> {
        Announcement::from_bytes(message.broadcast, usize::from(self.params.threshold))
    }

    /// Each announcement and its proof, alone.
    pub(super) fn each(&self, run: &Run, inbox: Inbox<'_>) -> Received<Announcement<S>> {
        inbox.verify(|from, message| {
            let one = self.read(message)?;
            one.verify(&run.context(), from).map(|()| one)
        })
    }
}

/// A value from each peer.
pub(crate) type Received<T> = Result<PerParty<T>, Abort>;

/// Round 2 is sent: everybody's announcement, and the own share of the own polynomial.
pub(super) struct Dealing<S: KeySuite> {
    params: DkgParams<S>,
    own: Secret<Scalar<S>>,
    announcements: PerParty<Announcement<S>>,
}

impl<S: KeySuite> Dealing<S> {
    /// Checks the shares, makes the key, and announces what came out.
    pub(super) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<(Confirming<S>, Outbox), Abort> {
        // As in round 1: where one does not decode, the others' are checked all the same.
        let shares = inbox
            .verify(|_, message| read_share::<S>(message.direct))
            .or_else(|_| self.each(run, inbox))?;
        let internal = Abort::unattributed(run.round(), Check::ResultMismatch);
        let output = parts::part3(
            run.me(),
            run.parties(),
            self.params,
            &self.own,
            self.announcements.as_slice(),
            shares.as_slice(),
        )
        .map_err(|liars| {
            if liars.is_empty() { internal } else { blame(&inbox, liars, Fault::InvalidShare) }
        })?;
        let digest = self.digest(run, &output);
        let confirming = Confirming::new(digest, output, ShareState::Ready);
        Ok((confirming, Outbox::broadcast(digest.to_vec())))
    }

    /// Each share against its dealer's announcement, alone.
    pub(super) fn each(&self, run: &Run, inbox: Inbox<'_>) -> Received<Secret<Scalar<S>>> {
        inbox.verify(|from, message| {
            let share = read_share::<S>(message.direct)?;
            let dealer = self.announcements.get(from);
            dealer.map_or(Ok(()), |one| one.verify_share(run.me(), &share)).map(|()| share)
        })
    }

    /// Everything that all parties must agree on.
    fn digest(&self, run: &Run, output: &DkgOutput<S>) -> [u8; 32] {
        let mut transcript = run.transcript("quorate-frost dkg confirm");
        let announcements = self.announcements.values().map(Announcement::to_bytes);
        transcript.append_list("announcements", announcements);
        transcript.append("package", &output.public.to_bytes());
        transcript.finish32()
    }
}

/// Round 3 is sent: the result, unconfirmed until all have confirmed it.
pub(crate) struct Confirming<S: KeySuite> {
    digest: [u8; 32],
    output: DkgOutput<S>,
    /// The state of the share once it is confirmed.
    confirmed: ShareState,
}

impl<S: KeySuite> Confirming<S> {
    pub(crate) fn new(digest: [u8; 32], mut output: DkgOutput<S>, confirmed: ShareState) -> Self {
        output.share.state = ShareState::Unconfirmed;
        Self { digest, output, confirmed }
    }

    /// The result, confirmed by all or not.
    pub(crate) fn next<P>(self, inbox: Inbox<'_>) -> Next<P>
    where
        P: Protocol<Output = DkgOutput<S>>,
    {
        match self.each(inbox) {
            Err(abort) => Next::Unconfirmed(self.output, abort),
            Ok(_) => {
                let mut output = self.output;
                output.share.state = self.confirmed;
                Next::Done(output)
            }
        }
    }

    /// The judgement of a confirmation that was given up.
    pub(crate) fn judge(self, inbox: Inbox<'_>) -> Judgement<DkgOutput<S>> {
        Judgement { abort: self.each(inbox).err(), unconfirmed: Some(self.output) }
    }

    /// The digest follows from the broadcasts of round 1, and the echo in round 2 said that its
    /// sender saw the same ones as this party: one that differs is the sender's fault.
    fn each(&self, inbox: Inbox<'_>) -> Received<()> {
        inbox.verify(|_, message| {
            if message.broadcast.len() != self.digest.len() {
                Err(Fault::WrongLength)
            } else if message.broadcast != self.digest {
                Err(Fault::InvalidConfirmation)
            } else {
                Ok(())
            }
        })
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
    Secret::try_make(|| S::Curve::decode_scalar(body)).ok_or(Fault::InvalidScalar)
}

pub(crate) fn blame(inbox: &Inbox<'_>, parties: Vec<PartyId>, fault: Fault) -> Abort {
    inbox.blame(parties.into_iter().map(|party| (party, fault)))
}
