//! The rounds before the last, in a session that is opened in the last one.

use alloc::boxed::Box;
use alloc::vec::Vec;

use quorate_session::{Inbox, Outbox, PartyId, Round, Run};

use crate::deal::View;
use crate::reshare::params::ReshareParams;
use crate::reshare::view::CONFIRMS;
use crate::{Family, SecretShare, SharedKey, checkpoint};

/// The round in which the deals are sent.
const DEALS: Round = Round(2);
/// The last round. Its checkpoint has the result if this party confirms it.
pub(super) const LAST: Round = Round(3);

/// The state of a party before the last round.
#[allow(clippy::large_enum_variant, reason = "one is alive at a time")]
pub(super) enum Seen<F: Family> {
    View(View<F::Curve>),
    /// The bodies, which are not read again unless somebody complains.
    Bodies(Before<F>),
}

/// The broadcasts of the rounds that are over. All of them were verified before the session was sealed.
pub struct Before<F: Family> {
    params: ReshareParams<F>,
    context: [u8; 32],
    /// The bodies of round 1 and of round 2.
    bodies: [Vec<(PartyId, Vec<u8>)>; 2],
}

impl<F: Family> Before<F> {
    /// Starts with the party's own broadcast of round 1.
    pub(super) fn new(params: ReshareParams<F>, run: &Run, sent: &Outbox) -> Self {
        let own = (run.party_id(), sent.broadcast.clone().unwrap_or_default());
        Self { params, context: run.context(), bodies: [Vec::from([own]), Vec::new()] }
    }

    /// The view that the complaints are about, if there are any.
    pub(super) fn view(&self, complains: bool) -> View<F::Curve> {
        let plan = &self.params.plan;
        let bodies =
            if complains { self.bodies.each_ref().map(Vec::as_slice) } else { [&[][..]; 2] };
        let [keys, deals] = bodies;
        let keys = keys
            .iter()
            .filter_map(|(from, body)| Some((*from, plan.opening_key(*from, body).ok()??)));
        let deals = deals
            .iter()
            .filter_map(|(from, body)| Some((*from, plan.known_deal(*from, body, None).ok()??)));
        plan.view(self.context, keys.collect(), deals.collect())
    }

    fn add(bodies: &mut Vec<(PartyId, Vec<u8>)>, inbox: Inbox<'_>) {
        bodies.extend(inbox.each().map(|message| (message.from, message.broadcast.to_vec())));
        bodies.sort_unstable_by_key(|(from, _)| *from);
    }
}

/// A round that a session goes through while it is opened.
pub(super) enum Passed<F: Family> {
    On(Before<F>, Outbox),
    Last(Before<F>, Box<Noted<F>>, Outbox),
}

/// The messages and the checkpoint of a party in the last round.
pub(super) struct Noted<F: Family> {
    pub(super) digest: [u8; 32],
    pub(super) public: SharedKey<F>,
    pub(super) share: Option<SecretShare<F>>,
    /// `true` if the party is in the new committee.
    pub(super) member: bool,
}

impl<F: Family> Before<F> {
    /// Goes through a round.
    pub(super) fn next(mut self, run: &Run, inbox: Inbox<'_>) -> Option<Passed<F>> {
        let sent = run.recalled()?;
        let said = sent.broadcast.as_deref()?;
        let [keys, deals] = &mut self.bodies;
        if run.round() < DEALS {
            Self::add(keys, inbox);
            deals.push((run.party_id(), said.to_vec()));
            return Some(Passed::On(self, sent));
        }
        Self::add(deals, inbox);
        let (&CONFIRMS, digest) = said.split_first()? else { return None };
        let (public, share) = checkpoint::from_checkpoint::<F>(run.checkpoint(LAST)?)?;
        let (digest, member) =
            (digest.try_into().ok()?, self.params.plan.committee().contains(run.party_id()));
        let checkpoint = Noted { digest, public, share, member };
        Some(Passed::Last(self, Box::new(checkpoint), sent))
    }
}
