//! The rounds, each a struct that holds the values that the party remembers.

use alloc::vec::Vec;

use quorate_curve::Secret;
use quorate_session::rounds::{AwaitingConfirmations, Rounds, Step};
use quorate_session::{
    Abort, Check, Fault, Inbox, Judgement, Message, Outbox, ParamError, PartyId, PerParty, Run,
};
use quorate_sharing::{Commitment, Polynomial};

use super::parts::{self, Announcement};
use super::shares::{Received, blame, deal, receive, receive_each};
use super::types::{DkgOutput, DkgParams};
use crate::suite::{KeySuite, Scalar};

/// The state of a party between rounds.
#[allow(clippy::large_enum_variant, reason = "one is alive at a time")]
pub enum State<S: KeySuite> {
    Announced(Announced<S>),
    Dealing(Dealing<S>),
    /// The digest of round 3 follows from the broadcasts of round 1, which the echo in round 2 was of.
    Confirming(AwaitingConfirmations<DkgOutput<S>>),
}

impl<S: KeySuite> Rounds for State<S> {
    type Output = DkgOutput<S>;

    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<Step<Self, DkgOutput<S>>, Abort> {
        Ok(match self {
            Self::Announced(round) => Step::round(round.next(run, inbox)?, Self::Dealing),
            Self::Dealing(round) => Step::round(round.next(run, inbox)?, Self::Confirming),
            Self::Confirming(round) => round.finish(inbox, |output| output.share.confirm()),
        })
    }

    fn judge(self, run: &Run, inbox: Inbox<'_>) -> Judgement<DkgOutput<S>> {
        match self {
            Self::Announced(round) => round.each(run, inbox).into(),
            Self::Dealing(round) => round.each(run, inbox).into(),
            Self::Confirming(round) => round.judge(inbox),
        }
    }
}

/// The state when round 1 is sent: the polynomial and its announcement.
pub struct Announced<S: KeySuite> {
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

    fn read(&self, message: Message<'_>) -> Result<Announcement<S>, Fault> {
        Announcement::from_bytes(message.broadcast, usize::from(self.params.threshold))
    }

    /// Each announcement and its proof, alone.
    fn each(&self, run: &Run, inbox: Inbox<'_>) -> Received<Announcement<S>> {
        inbox.verify(|from, message| {
            let one = self.read(message)?;
            one.verify(&run.context(), from).map(|()| one)
        })
    }

    /// Verifies every proof and deals the shares.
    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<(Dealing<S>, Outbox), Abort> {
        // Where one does not decode, the others' proofs are still looked at: all are named.
        let mut announcements =
            inbox.verify(|_, message| self.read(message)).or_else(|_| self.each(run, inbox))?;
        let Self { params, polynomial, announcement } = self;
        let others: Vec<PartyId> = run.others().collect();
        let shares = parts::part2(&polynomial, &run.context(), announcements.as_slice(), &others)
            .map_err(|liars| blame(&inbox, liars, Fault::InvalidProofOfPossession))?;
        let direct = deal::<S>(&others, &shares);
        let own = Secret::make(|| polynomial.evaluate(run.me()));
        announcements.insert(run.me(), announcement);
        let dealing = Dealing { params, own, announcements };
        Ok((dealing, Outbox::new(None, direct)))
    }
}

/// The state when round 2 is sent: all announcements, and the own share of the own polynomial.
pub struct Dealing<S: KeySuite> {
    params: DkgParams<S>,
    own: Secret<Scalar<S>>,
    announcements: PerParty<Announcement<S>>,
}

impl<S: KeySuite> Dealing<S> {
    /// The commitment of a dealer.
    fn dealt(&self, dealer: PartyId) -> Option<&Commitment<S::Curve>> {
        self.announcements.get(dealer).map(Announcement::commitment)
    }

    /// The digest of everything that all parties must agree on.
    fn digest(&self, run: &Run, output: &DkgOutput<S>) -> [u8; 32] {
        let mut transcript = run.transcript("quorate-frost dkg confirm");
        let announcements = self.announcements.values().map(Announcement::to_bytes);
        transcript.append_list("announcements", announcements);
        transcript.append("package", &output.public.to_bytes());
        transcript.finish32()
    }

    /// Checks the shares, makes the key, and announces its digest.
    fn next(self, run: &Run, inbox: Inbox<'_>) -> Confirmed<S> {
        let shares = receive::<S>(run, inbox, |dealer| self.dealt(dealer))?;
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
        Ok(AwaitingConfirmations::new(output, &digest))
    }

    /// Each share, alone.
    fn each(&self, run: &Run, inbox: Inbox<'_>) -> Received<Secret<Scalar<S>>> {
        receive_each::<S>(run, inbox, |dealer| self.dealt(dealer))
    }
}

/// The last round, with the result, and the digest that all have to send.
type Confirmed<S> = Result<(AwaitingConfirmations<DkgOutput<S>>, Outbox), Abort>;
