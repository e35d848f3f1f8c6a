//! The memory of a signer that every round needs.

use alloc::{sync::Arc, vec::Vec};

use quorate_bignum::Engine;
use quorate_curve::Secret;
use quorate_keys::ShareState;
use quorate_paillier::DecryptionKey;
use quorate_session::{ParamError, Parties, PartyId, Run};
use quorate_zk::{Error, Own};

use super::factor::ByFactor;
use super::id::MAX_PRESIGNATURES;
use super::params::PresignParams;
use super::secrets::{Mask, SignerSecrets};
use super::view::View;
use crate::additive::Weighted;
use crate::proofs::Look;
use crate::{AuxInfo, EcdsaCurve, KeyShare};

/// A signer: its keys, its secrets of this run, and the public view of it.
pub(crate) struct Signer<C: EcdsaCurve> {
    pub(crate) engine: Engine,
    aux: Arc<AuxInfo>,
    pub(crate) secrets: SignerSecrets<C>,
    pub(crate) view: View<C>,
}

impl<C: EcdsaCurve> Signer<C> {
    /// Checks that the parameters belong together, and draws the secrets.
    pub(crate) fn new(params: PresignParams<C>, count: u16, run: &Run) -> Result<Self, ParamError> {
        check(&params, count, run)?;
        let PresignParams { engine, key, aux } = params;
        let look = Look::of(run);
        let share = additive(&key, run.parties(), look);
        let (shares, x) = share.ok_or(ParamError::Inconsistent("these parties cannot sign"))?;
        let secrets =
            SignerSecrets::draw(run, x, (aux.secrets().encryption_key(), look), count.into());
        let secrets = secrets.map_err(|_| UNMADE)?;
        let view = View::new((run.into(), count), key.public(), shares, aux.public());
        Ok(Self { engine, aux, secrets, view })
    }

    /// Draws the masks of the products with a peer.
    pub(crate) fn draw_masks(&self, run: &Run, to: PartyId) -> Result<Vec<ByFactor<Mask>>, Error> {
        let theirs = self.view.aux.encryption_key(to).ok_or(Error::Relation)?;
        let keys = [theirs, self.key().encryption_key()];
        Ok(Mask::draw(run, to, (keys, Look::of(run)), self.view.count())?)
    }

    /// Returns whether this signer does the work of a round in pieces. A round that was verified before is done at once.
    pub(super) fn works_in_pieces(&self, run: &Run) -> bool {
        self.view.sizes.in_pieces() && !run.is_verified()
    }

    /// The signer's Paillier key.
    pub(crate) fn key(&self) -> &DecryptionKey {
        self.aux.secrets().key()
    }

    pub(crate) fn own(&self) -> Own<'_> {
        self.aux.secrets().own()
    }
}

/// Checks that the parameters belong together, and that the parties can sign.
pub(super) fn check<C: EcdsaCurve>(
    PresignParams { key, aux, .. }: &PresignParams<C>,
    count: u16,
    run: &Run,
) -> Result<(), ParamError> {
    if !(1..=MAX_PRESIGNATURES).contains(&count) {
        return Err(ParamError::Inconsistent("no presignatures, or too many in one run"));
    }
    if key.id() != run.party_id() || aux.id() != run.party_id() {
        return Err(ParamError::Inconsistent("the share or the aux-info of another party"));
    }
    if key.state() == ShareState::Unconfirmed {
        return Err(ParamError::Inconsistent("the key is not confirmed by all of its parties"));
    }
    if !aux.is_confirmed() {
        return Err(ParamError::Inconsistent("the aux-info is not confirmed by all parties"));
    }
    if aux.lacks(run.parties()).next().is_some() {
        return Err(ParamError::Inconsistent("aux-info without one of the signers"));
    }
    Ok(())
}

/// The public shares of the signers and this signer's secret, weighted.
fn additive<C: EcdsaCurve>(
    key: &KeyShare<C>,
    signers: &Parties,
    look: Look,
) -> Option<(Weighted<C>, Secret<C::Scalar>)> {
    match look {
        Look::First => {
            let (info, secret) = key.additive(signers).ok()?.into_parts();
            Some((info.into(), secret))
        }
        Look::Again => key.additive_again(signers),
    }
}

/// The error of a first message that cannot be made.
pub(super) const UNMADE: ParamError = ParamError::Inconsistent("the first message cannot be made");
