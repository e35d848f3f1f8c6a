//! The rounds, each a struct that holds the values that the party remembers.

use alloc::vec::Vec;

use quorate_curve::Secret;
use quorate_session::rounds::{AwaitingConfirmations, RoundOutcome, Rounds};
use quorate_session::{
    Abort, Check, Fault, Inbox, Judgement, Message, Outbox, ParamError, PartyId, PerParty, Round,
    Run,
};
use quorate_sharing::{Commitment, Polynomial};
use zeroize::Zeroizing;

use super::parts::{self, Announcement};
use super::shares::{Received, blame, deal, receive, receive_each, wrong_dealers};
use super::types::{DkgOutput, DkgParams};
use crate::key::committee;
use crate::suite::{KeySuite, Scalar};
use crate::wire::read_share;

/// The state of a party between rounds.
#[allow(clippy::large_enum_variant, reason = "one is alive at a time")]
pub enum State<S: KeySuite> {
    Announced(Announced<S>),
    Dealing(Dealing<S>),
    /// The digest of round 3 follows from the broadcasts of round 1, which the echo in round 2 covered.
    Confirming(AwaitingConfirmations<DkgOutput<S>>),
    /// The state of a session that is opened in the last round, with the output of its checkpoint.
    Over(DkgOutput<S>),
}

/// The last round, whose checkpoint has the output.
const LAST: Round = Round(3);
/// The one before it.
const DEALT: Round = Round(2);

impl<S: KeySuite> State<S> {
    /// Round 1.
    pub(super) fn start(params: DkgParams<S>, run: &Run) -> Result<(Self, Outbox), ParamError> {
        if let Some((output, sent)) =
            run.checkpoint(LAST).and_then(DkgOutput::from_checkpoint).zip(run.recalled())
        {
            return Ok((Self::Over(output), sent));
        }
        let (round, outbox) = Announced::new(params, run)?;
        Ok((Self::Announced(round), outbox))
    }
}

impl<S: KeySuite> Rounds for State<S> {
    type Output = DkgOutput<S>;

    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<RoundOutcome<Self, DkgOutput<S>>, Abort> {
        Ok(match self {
            Self::Announced(round) => RoundOutcome::round(round.next(run, inbox)?, Self::Dealing),
            Self::Dealing(round) => RoundOutcome::round(round.next(run, inbox)?, Self::Confirming),
            Self::Confirming(round) => round.finish(inbox, |output| output.share.confirm()),
            Self::Over(output) => {
                let internal = || Abort::unattributed(run.round(), Check::Internal);
                if run.round() == DEALT {
                    let last = AwaitingConfirmations::recall(output, run).ok_or_else(internal)?;
                    RoundOutcome::round(last, Self::Confirming)
                } else {
                    RoundOutcome::Round(Self::Over(output), run.recalled().ok_or_else(internal)?)
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
    announcement: Told<S>,
}

impl<S: KeySuite> Announced<S> {
    pub(super) fn new(params: DkgParams<S>, run: &Run) -> Result<(Self, Outbox), ParamError> {
        if let Some(sent) = run.recalled() {
            return Self::recall(params, run, sent).ok_or(ParamError::Randomness);
        }
        let (polynomial, announcement) = parts::part1(
            run.party_id(),
            params.threshold,
            &run.context(),
            &mut run.rng("polynomial"),
        )
        .map_err(|_| ParamError::Randomness)?;
        let outbox = Outbox::broadcast(announcement.to_bytes());
        Ok((Self { params, polynomial, announcement: Told::Read(announcement) }, outbox))
    }

    /// The round of an opened session: the polynomial is drawn again, and nothing is proved.
    fn recall(params: DkgParams<S>, run: &Run, sent: Outbox) -> Option<(Self, Outbox)> {
        let mut rng = run.rng("polynomial");
        let polynomial = Polynomial::<S::Curve>::random(params.threshold, &mut rng).ok()?;
        let announcement = Told::Known(sent.broadcast.clone()?);
        Some((Self { params, polynomial, announcement }, sent))
    }

    /// The next round of an opened session: only the sum of the checkpoint is decoded.
    fn pass(self, run: &Run, inbox: Inbox<'_>) -> Option<(Dealing<S>, Outbox)> {
        let Self { params, polynomial, announcement } = self;
        let (sent, threshold) = (run.recalled()?, usize::from(params.threshold));
        let sum = Commitment::decode(&sent.checkpoint, threshold).ok()?;
        let told = inbox.each().map(|one| (one.from, Told::Known(one.broadcast.to_vec())));
        let told: PerParty<_> = told.collect();
        let own = Secret::make(|| polynomial.evaluate(run.party_id()));
        Some((Dealing { params, own, sum, told: told.with(run.party_id(), announcement) }, sent))
    }

    fn read(&self, message: Message<'_>) -> Result<Announcement<S>, Fault> {
        Announcement::from_bytes(message.broadcast, usize::from(self.params.threshold))
    }

    /// Checks each announcement and its proof alone.
    fn each(&self, run: &Run, inbox: Inbox<'_>) -> Received<Announcement<S>> {
        inbox.verify(|from, message| {
            let one = self.read(message)?;
            one.verify(&run.context(), from).map(|()| one)
        })
    }

    /// Verifies every proof and deals the shares.
    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<(Dealing<S>, Outbox), Abort> {
        let internal = || Abort::unattributed(run.round(), Check::Internal);
        if run.recalls(DEALT) {
            return self.pass(run, inbox).ok_or_else(internal);
        }
        // If one does not decode, the proofs of the others are still checked, so that all culprits are named.
        let mut announcements =
            inbox.verify(|_, message| self.read(message)).or_else(|_| self.each(run, inbox))?;
        let Self { params, polynomial, announcement } = self;
        let others: Vec<PartyId> = run.others().collect();
        let shares = parts::part2(&polynomial, &run.context(), announcements.as_slice(), &others)
            .map_err(|liars| blame(&inbox, liars, Fault::InvalidProofOfPossession))?;
        let direct = deal::<S>(&others, &shares);
        let own = Secret::make(|| polynomial.evaluate(run.party_id()));
        announcements.insert(run.party_id(), announcement.read(params).ok_or_else(internal)?);
        let sum = Commitment::sum(announcements.values().map(Announcement::commitment));
        let sum = sum.ok_or_else(internal)?;
        let mut checkpoint = Zeroizing::new(Vec::new());
        sum.encode_into(&mut checkpoint);
        let told = announcements.map(|_, one| Told::Read(one));
        let dealing = Dealing { params, own, sum, told };
        Ok((dealing, Outbox { checkpoint, ..Outbox::new(None, direct) }))
    }
}

/// An announcement.
enum Told<S: KeySuite> {
    Read(Announcement<S>),
    /// Read by the run before it was sealed: its bytes.
    Known(Vec<u8>),
}

impl<S: KeySuite> Told<S> {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Read(one) => one.to_bytes(),
            Self::Known(bytes) => bytes.clone(),
        }
    }

    fn read(self, params: DkgParams<S>) -> Option<Announcement<S>> {
        match self {
            Self::Read(one) => Some(one),
            Self::Known(bytes) => Announcement::from_bytes(&bytes, params.threshold.into()).ok(),
        }
    }

    /// The commitment of an announcement that has been read.
    fn commitment(&self) -> Option<&Commitment<S::Curve>> {
        match self {
            Self::Read(one) => Some(one.commitment()),
            Self::Known(_) => None,
        }
    }
}

/// The state when round 2 is sent: all announcements, and the party's own share of its own polynomial.
pub struct Dealing<S: KeySuite> {
    params: DkgParams<S>,
    own: Secret<Scalar<S>>,
    /// The sum of all commitments.
    sum: Commitment<S::Curve>,
    told: PerParty<Told<S>>,
}

impl<S: KeySuite> Dealing<S> {
    /// The commitment of a dealer.
    fn dealt(&self, dealer: PartyId) -> Option<&Commitment<S::Curve>> {
        self.told.get(dealer).and_then(Told::commitment)
    }

    /// Reads every announcement, to find out whose share is wrong.
    fn read(self) -> Self {
        let params = self.params;
        let read = |(from, told): (_, Told<S>)| Some((from, Told::Read(told.read(params)?)));
        Self { told: self.told.into_iter().filter_map(read).collect(), ..self }
    }

    /// The digest of everything that all parties must agree on.
    fn digest(&self, run: &Run, output: &DkgOutput<S>) -> [u8; 32] {
        let mut transcript = run.transcript("quorate-frost dkg confirm");
        transcript.append_list("announcements", self.told.values().map(Told::bytes));
        transcript.append("package", &output.public.to_bytes());
        transcript.finish32()
    }

    /// Returns whether all shares are there and add up.
    fn adds_up(&self, run: &Run, inbox: Inbox<'_>) -> bool {
        let shares = inbox.verify(|_, message| read_share::<S>(message.direct));
        shares.is_ok_and(|shares| {
            let sum = parts::added::<S>(&self.own, shares.as_slice());
            self.sum.verify_share_vartime(run.party_id(), sum.expose())
        })
    }

    /// Checks the shares, makes the key, and announces its digest.
    fn next(mut self, run: &Run, inbox: Inbox<'_>) -> Confirmed<S> {
        let known = self.told.values().any(|told| told.commitment().is_none());
        if known && !self.adds_up(run, inbox) {
            self = self.read();
        }
        let shares = receive::<S>(run, inbox, |dealer| self.dealt(dealer))?;
        let unattributed = || Abort::unattributed(run.round(), Check::ResultMismatch);
        let committee =
            committee(self.params.threshold, run.parties()).map_err(|_| unattributed())?;
        let sum = parts::added::<S>(&self.own, shares.as_slice());
        let output = parts::finish::<S>(run.party_id(), committee, self.sum.clone(), sum);
        let output = output.ok_or_else(|| {
            let liars =
                wrong_dealers::<S>(run.party_id(), shares.as_slice(), |dealer| self.dealt(dealer));
            if liars.is_empty() {
                unattributed()
            } else {
                blame(&inbox, liars, Fault::InvalidShare)
            }
        })?;
        let output = output.ok_or_else(unattributed)?;
        let digest = self.digest(run, &output);
        let checkpoint = output.to_checkpoint();
        Ok(AwaitingConfirmations::with_checkpoint(output, &digest, checkpoint))
    }

    /// Checks each share alone.
    fn each(self, run: &Run, inbox: Inbox<'_>) -> Received<Secret<Scalar<S>>> {
        let read = self.read();
        receive_each::<S>(run, inbox, |dealer| read.dealt(dealer))
    }
}

/// The last round, with the result, and the digest that all have to send.
type Confirmed<S> = Result<(AwaitingConfirmations<DkgOutput<S>>, Outbox), Abort>;
