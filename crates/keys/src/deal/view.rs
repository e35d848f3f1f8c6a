//! The public view of the deals of a run: opening keys, deals, and the verdicts on complaints.

use alloc::vec::Vec;

use quorate_curve::{Curve, RandomnessError, Secret};
use quorate_session::{Abort, Fault, Inbox, PartyId, Run, frame};
use quorate_sharing::Commitment;

use super::{Complaint, Deal, Envelope, Keys, Label, each_shared};
use crate::wire::Encoded;

/// The opening keys and the deals of a run, both ascending by party. Public; equal for all parties once
/// the round after the deals has come without an echo that differs.
pub(crate) struct View<C: Curve> {
    pub(crate) context: [u8; 32],
    pub(crate) keys: Keys<C>,
    /// Those whom the dealers deal to, each of whom has an opening key.
    pub(crate) recipients: Vec<PartyId>,
    pub(crate) deals: Vec<(PartyId, Deal<C>)>,
}

/// A party that lied, and who said so, if somebody did.
pub(crate) struct Finding {
    pub(crate) culprit: PartyId,
    pub(crate) fault: Fault,
    pub(crate) accuser: Option<PartyId>,
}

impl<C: Curve> View<C> {
    /// The opening key of a party.
    pub(crate) fn key_of(&self, party: PartyId) -> Option<Encoded<C>> {
        self.keys.iter().find(|(id, _)| *id == party).map(|(_, key)| *key)
    }

    /// The deal of a party.
    pub(crate) fn deal_of(&self, party: PartyId) -> Option<&Deal<C>> {
        self.deals.iter().find(|(id, _)| *id == party).map(|(_, deal)| deal)
    }

    /// The envelope from a dealer to a party, for one purpose.
    pub(crate) fn envelope(&self, label: Label, from: PartyId, to: PartyId) -> Option<Envelope<C>> {
        let key = self.deal_of(from)?.key;
        Some(Envelope { context: self.context, label, from, to, key, recipient: self.key_of(to)? })
    }

    /// The share that each other dealer has sealed for `me`, as it is.
    pub(crate) fn open(
        &self,
        me: PartyId,
        y: &Secret<C::Scalar>,
    ) -> Vec<(PartyId, Secret<C::Scalar>)> {
        let mut each = self.deals.iter().filter_map(|(dealer, deal)| {
            let sealed = deal.sealed_for(*dealer, me, &self.recipients)?;
            Some((*dealer, self.envelope(Label::Share, *dealer, me)?, sealed))
        });
        let points: Vec<C::Point> =
            each.clone().map(|(_, envelope, _)| envelope.key.point).collect();
        let mut opened = Vec::with_capacity(points.len());
        each_shared::<C>(&points, y.expose(), |k| {
            let Some((dealer, envelope, sealed)) = each.next() else { return };
            opened.push((dealer, envelope.open(k, sealed)));
        });
        opened
    }

    /// The commitment to the sum of all polynomials.
    pub(crate) fn sum(&self) -> Option<Commitment<C>> {
        Commitment::sum(self.deals.iter().map(|(_, deal)| &deal.commitment))
    }

    /// The sum of the shares dealt to `me`, held against the sum of the commitments; or whose shares
    /// are wrong, each dealer's checked alone.
    ///
    /// Two wrong shares whose errors cancel are not noticed: their sum is right.
    pub(crate) fn receive(
        &self,
        me: PartyId,
        own: Option<&Secret<C::Scalar>>,
        sum: &Commitment<C>,
        y: &Secret<C::Scalar>,
    ) -> Result<Secret<C::Scalar>, Vec<PartyId>> {
        let shares = self.open(me, y);
        let dealt = || own.into_iter().chain(shares.iter().map(|(_, share)| share));
        let total =
            Secret::make(|| dealt().fold(C::Scalar::default(), |sum, share| sum + *share.expose()));
        if sum.verify_share_vartime(me, total.expose()) {
            return Ok(total);
        }
        let wrong = shares.iter().filter(|(dealer, share)| {
            self.deal_of(*dealer).is_none_or(|deal| !deal.fits(me, share))
        });
        Err(wrong.map(|(dealer, _)| *dealer).collect())
    }

    /// Complaints against these dealers.
    pub(crate) fn complain(
        &self,
        run: &Run,
        label: Label,
        y: &Secret<C::Scalar>,
        liars: &[PartyId],
    ) -> Result<Vec<u8>, RandomnessError> {
        let mut bytes = Vec::new();
        for liar in liars {
            let Some(envelope) = self.envelope(label, *liar, run.me()) else { continue };
            Complaint::make(&envelope, y, &mut run.rng_for("complaint", *liar))?.put(&mut bytes);
        }
        Ok(bytes)
    }

    /// The liars: the accuser, or those that it accuses of having dealt it wrong shares.
    pub(crate) fn judge(&self, accuser: PartyId, complaints: &[Complaint<C>]) -> Vec<Finding> {
        let each = complaints.iter().map(|complaint| {
            let dealer = complaint.against;
            let lie = |fault| Finding { culprit: accuser, fault, accuser: None };
            let sealed = self
                .deal_of(dealer)
                .and_then(|deal| deal.sealed_for(dealer, accuser, &self.recipients));
            let (Some(deal), Some(sealed), Some(envelope)) =
                (self.deal_of(dealer), sealed, self.envelope(Label::Share, dealer, accuser))
            else {
                // About nobody, or by somebody who was dealt nothing.
                return lie(Fault::Malformed);
            };
            match complaint.opened(&envelope, sealed) {
                Err(fault) => lie(fault),
                Ok(share) if deal.fits(accuser, &share) => lie(Fault::FalseComplaint),
                Ok(_) => {
                    Finding { culprit: dealer, fault: Fault::InvalidShare, accuser: Some(accuser) }
                }
            }
        });
        each.collect()
    }

    /// A digest of all of it.
    pub(crate) fn digest(&self) -> [u8; 32] {
        let mut transcript = frame::transcript(&self.context, "quorate-keys deals");
        let number = |party: &PartyId| party.get().to_be_bytes();
        transcript.append_list("holders of keys", self.keys.iter().map(|(id, _)| number(id)));
        transcript.append_list("keys", self.keys.iter().map(|(_, key)| key.bytes));
        transcript.append_list("recipients", self.recipients.iter().map(number));
        transcript.append_list("dealers", self.deals.iter().map(|(id, _)| number(id)));
        transcript.append_list("deals", self.deals.iter().map(|(_, deal)| deal.to_bytes()));
        transcript.finish32()
    }
}

impl Finding {
    /// A party that has sealed something wrong for this one.
    pub(crate) fn sealed_wrong(culprit: PartyId) -> Self {
        Self { culprit, fault: Fault::InvalidShare, accuser: None }
    }

    /// The order of findings: a party that lies twice is named for its deal, before its complaint.
    fn order(&self) -> (PartyId, bool) {
        (self.culprit, self.fault != Fault::InvalidShare)
    }
}

/// The fault of `party`, if these findings are about it.
pub(crate) fn convicted(
    findings: impl IntoIterator<Item = Finding>,
    party: PartyId,
) -> Option<Fault> {
    let about = findings.into_iter().filter(|finding| finding.culprit == party);
    about.min_by_key(Finding::order).map(|finding| finding.fault)
}

/// Blames each culprit once, with its frames and the accuser's.
pub(crate) fn blame(inbox: &Inbox<'_>, mut findings: Vec<Finding>) -> Result<(), Abort> {
    // Stable: of equals, the first finding stays the first.
    findings.sort_by_key(Finding::order);
    findings.dedup_by_key(|finding| finding.culprit);
    if findings.is_empty() {
        return Ok(());
    }
    let abort = inbox.blame(findings.iter().map(|one| (one.culprit, one.fault)));
    let Abort::Misbehaviour(mut blames) = abort else { return Err(abort) };
    for (blame, finding) in blames.iter_mut().zip(findings) {
        let Some((accuser, evidence)) = finding.accuser.zip(blame.evidence.as_mut()) else {
            continue;
        };
        if let Abort::Misbehaviour(accusers) = inbox.blame([(accuser, finding.fault)]) {
            let frames =
                accusers.into_iter().filter_map(|one| one.evidence).flat_map(|one| one.frames);
            evidence.frames.extend(frames);
        }
    }
    Err(Abort::Misbehaviour(blames))
}
