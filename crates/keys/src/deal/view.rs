//! The public view of the deals of a run: opening keys, deals, and the verdicts on complaints.

use alloc::vec::Vec;

use quorate_curve::{Curve, RandomnessError, Secret};
use quorate_session::{Abort, Fault, Inbox, PartyId, Run, frame};
use quorate_sharing::Commitment;

use super::{Complaint, Deal, Envelope, Keys, Label, each_shared};
use crate::wire::Encoded;

/// The opening keys and the deals of a run, both ascending by party. The view is public. It is equal for all
/// parties once the round after the deals has arrived without a different echo.
pub(crate) struct View<C: Curve> {
    pub(crate) context: [u8; 32],
    pub(crate) keys: Keys<C>,
    /// The parties to which the dealers deal. Each has an opening key.
    pub(crate) recipients: Vec<PartyId>,
    pub(crate) deals: Vec<(PartyId, Deal<C>)>,
}

/// A party that lied, and the accuser, if there is one.
pub(crate) struct Finding {
    pub(crate) culprit: PartyId,
    pub(crate) fault: Fault,
    pub(crate) accuser: Option<PartyId>,
    /// `true` if anybody can see it in the frames of the run.
    shown: bool,
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

    /// The share that each other dealer has sealed for `me`, unchecked.
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

    /// The sum of the shares dealt to `me`, checked against the sum of the commitments. If it is wrong, each
    /// dealer's share is checked alone, and the dealers of wrong ones are returned.
    ///
    /// Two wrong shares whose errors cancel are not noticed, since their sum is right.
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
            let Some(envelope) = self.envelope(label, *liar, run.party_id()) else { continue };
            Complaint::make(&envelope, y, &mut run.rng_for("complaint", *liar))?.put(&mut bytes);
        }
        Ok(bytes)
    }

    /// The liars according to the complaints of a message: parties that are accused rightly, and the accuser if
    /// it lies.
    pub(crate) fn judge(&self, accuser: PartyId, complaints: &[u8]) -> Vec<Finding> {
        until_lie(accuser, complaints, |complaint| self.judge_one(accuser, complaint))
    }

    /// The party that a complaint convicts: the dealer, or the accuser.
    fn judge_one(&self, accuser: PartyId, complaint: &Complaint<C>) -> Finding {
        let dealer = complaint.against;
        let lie = |fault| Finding::own(accuser, fault);
        let sealed = self
            .deal_of(dealer)
            .and_then(|deal| deal.sealed_for(dealer, accuser, &self.recipients));
        let (Some(deal), Some(sealed), Some(envelope)) =
            (self.deal_of(dealer), sealed, self.envelope(Label::Share, dealer, accuser))
        else {
            // A complaint about nobody, or by a party that was dealt nothing.
            return lie(Fault::Malformed);
        };
        match complaint.opened(&envelope, sealed) {
            Err(fault) => lie(fault),
            Ok(share) if deal.fits(accuser, &share) => lie(Fault::FalseComplaint),
            Ok(_) => Finding::accused(dealer, accuser),
        }
    }

    /// A digest of the whole view.
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
    /// A party whose own message is at fault.
    pub(crate) const fn own(culprit: PartyId, fault: Fault) -> Self {
        Self { culprit, fault, accuser: None, shown: true }
    }

    /// A party that has sealed a wrong value for this one, which complains.
    pub(crate) const fn sealed_wrong(culprit: PartyId) -> Self {
        Self::own(culprit, Fault::InvalidShare)
    }

    /// A party that has sealed a wrong value for this one, which does not complain, so nobody else can open it.
    pub(crate) const fn sealed_wrong_unseen(culprit: PartyId) -> Self {
        Self { shown: false, ..Self::sealed_wrong(culprit) }
    }

    /// A party that has sealed a wrong value for another, which complains.
    pub(crate) const fn accused(culprit: PartyId, accuser: PartyId) -> Self {
        Self { accuser: Some(accuser), ..Self::sealed_wrong(culprit) }
    }

    /// The order of findings. A party that lies twice is named for its deal before its complaint, and for what
    /// all can see before what they cannot.
    fn order(&self) -> (PartyId, bool, bool) {
        (self.culprit, self.fault != Fault::InvalidShare, !self.shown)
    }
}

/// The findings of a message's complaints, up to the first lie of their author. The rest is not checked. Judging
/// a complaint takes some multiplications, and there can be as many as there are dealers.
///
/// The findings depend only on the message, so all parties that have it name the same parties.
pub(crate) fn until_lie<C: Curve>(
    accuser: PartyId,
    complaints: &[u8],
    judge: impl Fn(&Complaint<C>) -> Finding,
) -> Vec<Finding> {
    let lie = |fault| Finding::own(accuser, fault);
    let each = match Complaint::each(complaints) {
        Ok(each) => each,
        Err(fault) => return Vec::from([lie(fault)]),
    };
    let mut findings = Vec::new();
    for complaint in each {
        let finding = complaint.map_or_else(lie, |complaint| judge(&complaint));
        let lied = finding.culprit == accuser;
        findings.push(finding);
        if lied {
            break;
        }
    }
    findings
}

/// The fault of `party`, if these findings are about it.
pub(crate) fn convicted(
    findings: impl IntoIterator<Item = Finding>,
    party: PartyId,
) -> Option<Fault> {
    let about = findings.into_iter().filter(|finding| finding.culprit == party);
    about.min_by_key(Finding::order).map(|finding| finding.fault)
}

/// Blames each culprit once, with its frames and the accuser's. A blame that frames cannot show carries none.
pub(crate) fn blame(inbox: &Inbox<'_>, mut findings: Vec<Finding>) -> Result<(), Abort> {
    // The sort is stable, so of equal findings the first stays first.
    findings.sort_by_key(Finding::order);
    findings.dedup_by_key(|finding| finding.culprit);
    if findings.is_empty() {
        return Ok(());
    }
    let abort = inbox.blame(findings.iter().map(|one| (one.culprit, one.fault)));
    let Abort::Misbehaviour(mut blames) = abort else { return Err(abort) };
    for (blame, finding) in blames.iter_mut().zip(findings) {
        if !finding.shown {
            blame.evidence = None;
        }
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
