//! Public dealing: a Feldman commitment, and each recipient's share encrypted to that recipient, in one
//! broadcast.
//!
//! Every recipient j of a run draws an *opening key* `Y_j = y_j·G` for the run and broadcasts it first. Dealer i
//! draws `D_i = d_i·G`, and broadcasts
//!
//! - the commitment to its polynomial `f_i`,
//! - `D_i` and a Schnorr proof that it knows `d_i`, whose challenge hashes the whole broadcast,
//! - for each recipient `c_ij = f_i(j) + H(run, i, j, D_i, Y_j, K_ij)` with `K_ij = d_i·Y_j = y_j·D_i`.
//!
//! The round after it echoes all of this, so all parties agree on it. If a recipient's share is not on the
//! committed polynomial, it broadcasts `K_ij` with a proof that `log_G Y_j = log_(D_i) K_ij` ([`Complaint`]).
//! Everybody decrypts, and sees who lied. There is no third case. The crate's documentation explains why a
//! complaint does not open the share of another party.

mod complaint;
mod envelope;
mod opening_keys;
mod points;
mod view;

pub(crate) use complaint::Complaint;
pub(crate) use envelope::{Envelope, Label, OpeningKey, each_shared};
pub(crate) use opening_keys::{Received, opening_key, opening_keys};
pub(crate) use points::Decoded;
pub(crate) use view::{Finding, View, blame, convicted, until_lie};

use alloc::vec::Vec;

use quorate_curve::{Curve, RandomnessError, Secret, random_nonzero_scalar};
use quorate_session::{Fault, PartyId, Run, Transcript, frame, wire::Reader};
use quorate_sharing::{Commitment, Polynomial};

use crate::schnorr::Schnorr;
use crate::wire::{Encoded, point_len, put_scalar, read_scalar, scalar_len};

/// The opening keys of a run, ascending by party.
pub(crate) type Keys<C> = Vec<(PartyId, Encoded<C>)>;

/// The broadcast of one dealer.
pub(crate) struct Deal<C: Curve> {
    /// The commitment to `f_i`.
    pub(crate) commitment: Commitment<C>,
    /// `D_i`.
    pub(crate) key: Encoded<C>,
    /// The `c_ij` of each recipient except the dealer, ascending.
    sealed: Vec<C::Scalar>,
    /// The proof of `d_i`.
    proof: Schnorr<C>,
}

/// A dealer's own part of its deal.
pub(crate) struct Dealer<C: Curve> {
    pub(crate) deal: Deal<C>,
    /// `d_i`.
    pub(crate) key: Secret<C::Scalar>,
    /// `f_i(i)`, if the dealer is a recipient too.
    pub(crate) own: Option<Secret<C::Scalar>>,
}

/// The length in bytes of a deal of t points to a number of recipients.
pub(crate) const fn length<C: Curve>(threshold: usize, recipients: usize) -> usize {
    let points = threshold.saturating_add(2).saturating_mul(point_len::<C>());
    points.saturating_add(recipients.saturating_add(1).saturating_mul(scalar_len::<C>()))
}

impl<C: Curve> Deal<C> {
    /// Deals `polynomial` to the parties whose opening keys are given.
    pub(crate) fn make(
        run: &Run,
        polynomial: &Polynomial<C>,
        keys: &Keys<C>,
    ) -> Result<Dealer<C>, RandomnessError> {
        let (me, context) = (run.party_id(), run.context());
        let mut rng = run.rng("deal");
        let d = Secret::new(random_nonzero_scalar::<C>(&mut rng)?);
        let r = Secret::new(random_nonzero_scalar::<C>(&mut rng)?);
        let key = Encoded::new(C::mul_base(d.expose()));
        let ids: Vec<PartyId> = keys.iter().map(|(id, _)| *id).collect();
        let shares = polynomial.evaluate_many(&ids);
        let dealt = || keys.iter().zip(shares.expose());
        let own = dealt().find(|((to, _), _)| *to == me).map(|(_, share)| Secret::new(*share));
        let mut others = dealt().filter(|((to, _), _)| *to != me);
        let points: Vec<C::Point> = others.clone().map(|((_, key), _)| key.point).collect();
        let mut sealed = Vec::with_capacity(points.len());
        each_shared::<C>(&points, d.expose(), |k| {
            let Some(((to, recipient), share)) = others.next() else { return };
            let (label, recipient) = (Label::Share, *recipient);
            let envelope = Envelope { context, label, from: me, to: *to, key, recipient };
            sealed.push(envelope.seal(k, share));
        });
        let commitment = polynomial.commit();
        let transcript = transcript::<C>(&context, me, &commitment, &key, &sealed);
        let proof = Schnorr::prove(transcript, d.expose(), r.expose());
        Ok(Dealer { deal: Self { commitment, key, sealed, proof }, key: d, own })
    }

    /// Rebuilds the dealer in an opened session that has sent this body. It draws the same values again, and
    /// proves nothing.
    pub(crate) fn recall(
        run: &Run,
        polynomial: &Polynomial<C>,
        recipients: &[PartyId],
        body: &[u8],
    ) -> Option<Dealer<C>> {
        let me = run.party_id();
        let key = Secret::new(random_nonzero_scalar::<C>(&mut run.rng("deal")).ok()?);
        let threshold = polynomial.threshold();
        let deal = Self::read_known(body, me, threshold, recipients, None).ok()?;
        let own = recipients.contains(&me).then(|| Secret::make(|| polynomial.evaluate(me)));
        Some(Dealer { deal, key, own })
    }

    /// The body.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(length::<C>(self.commitment.len(), self.sealed.len()));
        self.commitment.encode_into(&mut bytes);
        self.key.put(&mut bytes);
        self.proof.put(&mut bytes);
        self.sealed.iter().for_each(|one| put_scalar::<C>(&mut bytes, one));
        bytes
    }

    /// Reads the deal of `dealer` and verifies its proof. `points` are the points at its front, if they are
    /// [decoded](Decoded) already.
    pub(crate) fn read(
        bytes: &[u8],
        context: &[u8; 32],
        dealer: PartyId,
        threshold: usize,
        recipients: &[PartyId],
        points: Option<Vec<C::Point>>,
    ) -> Result<Self, Fault> {
        let deal = Self::read_known(bytes, dealer, threshold, recipients, points)?;
        let Self { commitment, key, sealed, proof } = &deal;
        let transcript = transcript::<C>(context, dealer, commitment, key, sealed);
        if !proof.verifies(transcript, &key.point) {
            return Err(Fault::InvalidProofOfPossession);
        }
        Ok(deal)
    }

    /// Reads a deal whose proof was verified before, or this party's own deal.
    pub(crate) fn read_known(
        bytes: &[u8],
        dealer: PartyId,
        threshold: usize,
        recipients: &[PartyId],
        points: Option<Vec<C::Point>>,
    ) -> Result<Self, Fault> {
        let recipients = recipients.iter().filter(|id| **id != dealer).count();
        // Exactly t points: more would raise the threshold, fewer lower it.
        if bytes.len() != length::<C>(threshold, recipients) {
            return Err(Fault::WrongLength);
        }
        let mut reader = Reader::new(bytes);
        let front = reader.bytes(points::front::<C>(threshold))?;
        let (commitment, key, nonce) = points::read(front, points)?;
        let proof = Schnorr::new(nonce, read_scalar::<C>(&mut reader)?);
        let sealed = (0..recipients)
            .map(|_| read_scalar::<C>(&mut reader))
            .collect::<Result<Vec<_>, _>>()?;
        reader.finish()?;
        Ok(Self { commitment, key, sealed, proof })
    }

    /// `c_ij`; `None` for the dealer itself, and for a party that is not a recipient.
    pub(crate) fn sealed_for(
        &self,
        dealer: PartyId,
        to: PartyId,
        recipients: &[PartyId],
    ) -> Option<&C::Scalar> {
        if dealer == to {
            return None;
        }
        self.sealed.get(recipients.iter().filter(|id| **id != dealer).position(|id| *id == to)?)
    }

    /// Returns whether `share` lies on the committed polynomial.
    pub(crate) fn fits(&self, to: PartyId, share: &Secret<C::Scalar>) -> bool {
        self.commitment.verify_share_vartime(to, share.expose())
    }
}

/// The transcript for the proof of `d_i`. It hashes the whole broadcast, so that the proof signs it under `D_i`.
fn transcript<C: Curve>(
    context: &[u8; 32],
    dealer: PartyId,
    commitment: &Commitment<C>,
    key: &Encoded<C>,
    sealed: &[C::Scalar],
) -> Transcript {
    let mut transcript = frame::transcript(context, "quorate-keys deal");
    transcript.append("curve", C::NAME.as_bytes());
    transcript.append_u64("dealer", dealer.get().into());
    transcript.append_list("commitment", commitment.bytes());
    transcript.append("D", key.bytes.as_ref());
    transcript.append_list("sealed", sealed.iter().map(C::encode_scalar));
    transcript
}
