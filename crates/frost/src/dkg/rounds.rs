//! The rounds, each a struct that holds the values that the party remembers.

use alloc::vec::Vec;

use quorate_curve::Secret;
use quorate_session::rounds::{AwaitingConfirmations, Rounds, Step};
use quorate_session::{
    Abort, Check, Fault, Inbox, Judgement, Message, Outbox, ParamError, PartyId, PerParty, Round,
    Run,
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
    /// Of a session that is opened in the last round, with the output that it noted.
    Over(DkgOutput<S>),
}

/// The last round, whose note has the output.
const LAST: Round = Round(3);
/// The one before it.
const DEALT: Round = Round(2);

impl<S: KeySuite> State<S> {
    /// Round 1.
    pub(super) fn start(params: DkgParams<S>, run: &Run) -> Result<(Self, Outbox), ParamError> {
        if let Some((output, sent)) =
            run.noted(LAST).and_then(DkgOutput::from_note).zip(run.recalled())
        {
            return Ok((Self::Over(output), sent));
        }
        let (round, outbox) = Announced::new(params, run)?;
        Ok((Self::Announced(round), outbox))
    }
}

impl<S: KeySuite> Rounds for State<S> {
    type Output = DkgOutput<S>;

    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<Step<Self, DkgOutput<S>>, Abort> {
        Ok(match self {
            Self::Announced(round) => Step::round(round.next(run, inbox)?, Self::Dealing),
            Self::Dealing(round) => Step::round(round.next(run, inbox)?, Self::Confirming),
            Self::Confirming(round) => round.finish(inbox, |output| output.share.confirm()),
            Self::Over(output) => {
                let internal = || Abort::unattributed(run.round(), Check::Internal);
                if run.round() == DEALT {
                    let last = AwaitingConfirmations::recall(output, run).ok_or_else(internal)?;
                    Step::round(last, Self::Confirming)
                } else {
                    Step::Round(Self::Over(output), run.recalled().ok_or_else(internal)?)
                }
            }
        })
    }

    fn judge(self, run: &Run, inbox: Inbox<'_>) -> Judgement<DkgOutput<S>> {
        match self {
            Self::Announced(round) => round.each(run, inbox).into(),
            Self::Dealing(round) => round.each(run, inbox).into(),
            Self::Confirming(round) => round.judge(inbox),
            // Only while a session is opened.
            Self::Over(_) => Judgement::default(),
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
        if let Some(sent) = run.recalled() {
            return Self::recall(params, run, sent).ok_or(ParamError::Randomness);
        }
        let (polynomial, announcement) =
            parts::part1(run.me(), params.threshold, &run.context(), &mut run.rng("polynomial"))
                .map_err(|_| ParamError::Randomness)?;
        let outbox = Outbox::broadcast(announcement.to_bytes());
        Ok((Self { params, polynomial, announcement }, outbox))
    }

    /// The round of an opened session: the polynomial is drawn again, and nothing proved.
    fn recall(params: DkgParams<S>, run: &Run, sent: Outbox) -> Option<(Self, Outbox)> {
        let mut rng = run.rng("polynomial");
        let polynomial = Polynomial::<S::Curve>::random(params.threshold, &mut rng).ok()?;
        let threshold = usize::from(params.threshold);
        let announcement = Announcement::from_bytes(sent.broadcast.as_deref()?, threshold).ok()?;
        Some((Self { params, polynomial, announcement }, sent))
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
        // An opened session has verified the proofs, and dealt.
        let outbox = match run.recalled() {
            Some(sent) => sent,
            None => {
                let others: Vec<PartyId> = run.others().collect();
                let context = run.context();
                let shares = parts::part2(&polynomial, &context, announcements.as_slice(), &others);
                let shares = shares
                    .map_err(|liars| blame(&inbox, liars, Fault::InvalidProofOfPossession))?;
                Outbox::new(None, deal::<S>(&others, &shares))
            }
        };
        let own = Secret::make(|| polynomial.evaluate(run.me()));
        announcements.insert(run.me(), announcement);
        let dealing = Dealing { params, own, announcements };
        Ok((dealing, outbox))
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
        let note = output.to_note();
        Ok(AwaitingConfirmations::noting(output, &digest, note))
    }

    /// Each share, alone.
    fn each(&self, run: &Run, inbox: Inbox<'_>) -> Received<Secret<Scalar<S>>> {
        receive_each::<S>(run, inbox, |dealer| self.dealt(dealer))
    }
}

/// The last round, with the result, and the digest that all have to send.
type Confirmed<S> = Result<(AwaitingConfirmations<DkgOutput<S>>, Outbox), Abort>;
