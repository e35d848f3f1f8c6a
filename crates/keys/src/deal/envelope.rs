//! One scalar, encrypted to one party.

use quorate_curve::{Curve, RandomnessError, Secret, random_nonzero_scalar};
use quorate_session::{PartyId, Run, frame};

use crate::schnorr::uniform;
use crate::wire::Encoded;

/// `y_j` and `Y_j`, drawn for one run.
pub(crate) struct OpeningKey<C: Curve> {
    pub(crate) secret: Secret<C::Scalar>,
    pub(crate) public: Encoded<C>,
}

impl<C: Curve> OpeningKey<C> {
    pub(crate) fn new(run: &Run) -> Result<Self, RandomnessError> {
        let secret = Secret::new(random_nonzero_scalar::<C>(&mut run.rng("opening key"))?);
        let public = Encoded::new(C::mul_base(secret.expose()));
        Ok(Self { secret, public })
    }
}

/// The purpose of a sealed scalar. It is unique among the scalars under one pair of keys.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Label {
    /// A dealt share.
    Share,
    /// A masked share on its way to the party that is repaired, in a run whose deals have this digest.
    Masked([u8; 32]),
    /// The mask of a repetition of a backup.
    Backup(u64),
}

/// Passes one secret scalar times each point to `then`, in their order. None of this is on the heap.
pub(crate) fn each_shared<C: Curve>(
    points: &[C::Point],
    scalar: &C::Scalar,
    mut then: impl FnMut(&Encoded<C>),
) {
    let (sixteens, rest) = points.as_chunks::<16>();
    for points in sixteens {
        C::mul_sixteen(points, scalar).into_iter().for_each(|k| then(&Encoded::new(k)));
    }
    for point in rest {
        then(&Encoded::new(C::mul(point, scalar)));
    }
}

/// One sealed scalar, with its run, its purpose, its sender, its recipient and their keys.
///
/// The pad is used once, modulo the order: the hash of the Diffie-Hellman point and all of these.
pub(crate) struct Envelope<C: Curve> {
    pub(crate) context: [u8; 32],
    pub(crate) label: Label,
    pub(crate) from: PartyId,
    pub(crate) to: PartyId,
    /// `D_i` of the sender.
    pub(crate) key: Encoded<C>,
    /// `Y_j` of the recipient.
    pub(crate) recipient: Encoded<C>,
}

impl<C: Curve> Envelope<C> {
    /// `c = value + H(…, K_ij)`.
    pub(crate) fn seal(&self, k: &Encoded<C>, value: &C::Scalar) -> C::Scalar {
        *value + *self.pad(k).expose()
    }

    /// `K_ij = d_i·Y_j`.
    pub(crate) fn sent(&self, d: &C::Scalar) -> Encoded<C> {
        Encoded::new(C::mul(&self.recipient.point, d))
    }

    /// `K_ij = y_j·D_i`.
    pub(crate) fn shared(&self, y: &C::Scalar) -> Encoded<C> {
        Encoded::new(C::mul(&self.key.point, y))
    }

    /// `c − H(…, K_ij)`.
    pub(crate) fn open(&self, k: &Encoded<C>, sealed: &C::Scalar) -> Secret<C::Scalar> {
        Secret::make(|| *sealed - *self.pad(k).expose())
    }

    fn pad(&self, k: &Encoded<C>) -> Secret<C::Scalar> {
        let mut transcript = frame::transcript(&self.context, "quorate-keys pad");
        transcript.append("curve", C::NAME.as_bytes());
        match &self.label {
            Label::Share => transcript.append("share", &[]),
            Label::Masked(deals) => transcript.append("masked", deals),
            Label::Backup(repetition) => transcript.append_u64("backup", *repetition),
        }
        transcript.append_u64("from", self.from.get().into());
        transcript.append_u64("to", self.to.get().into());
        transcript.append("D", self.key.bytes.as_ref());
        transcript.append("Y", self.recipient.bytes.as_ref());
        transcript.append("K", k.bytes.as_ref());
        uniform::<C>(&transcript)
    }
}
