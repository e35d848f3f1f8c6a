//! The memory of a signer that every round needs.

use alloc::{sync::Arc, vec::Vec};

use quorate_bignum::Engine;
use quorate_keys::ShareState;
use quorate_paillier::DecryptionKey;
use quorate_session::{ParamError, PartyId, Run};
use quorate_zk::{Error, Own};

use super::factor::ByFactor;
use super::id::MAX_PRESIGNATURES;
use super::params::PresignParams;
use super::secrets::{Mask, SignerSecrets};
use super::view::View;
use crate::{AuxInfo, EcdsaCurve};

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
        let PresignParams { engine, key, aux } = params;
        if !(1..=MAX_PRESIGNATURES).contains(&count) {
            return Err(ParamError::Inconsistent("no presignatures, or too many in one run"));
        }
        if key.party() != run.me() || aux.party() != run.me() {
            return Err(ParamError::Inconsistent("the share or the aux-info of another party"));
        }
        if key.state() == ShareState::Unconfirmed {
            return Err(ParamError::Inconsistent("the key is not confirmed by all of its parties"));
        }
        if !aux.is_confirmed() {
            return Err(ParamError::Inconsistent("the aux-info is not confirmed by all parties"));
        }
        let share = key.additive(run.parties());
        let share = share.map_err(|_| ParamError::Inconsistent("these parties cannot sign"))?;
        if aux.lacks(run.parties()).next().is_some() {
            return Err(ParamError::Inconsistent("aux-info without one of the signers"));
        }
        let secrets =
            SignerSecrets::draw(run, &share, aux.secrets().encryption_key(), count.into());
        let secrets = secrets.map_err(|_| UNMADE)?;
        let view = View::new((run.into(), count), key.info(), share.info(), aux.public());
        Ok(Self { engine, aux, secrets, view })
    }

    /// Draws the masks of the products with a peer.
    pub(crate) fn draw_masks(&self, run: &Run, to: PartyId) -> Result<Vec<ByFactor<Mask>>, Error> {
        let theirs = self.view.aux.encryption_key(to).ok_or(Error::Relation)?;
        let keys = [theirs, self.key().encryption_key()];
        Ok(Mask::draw(run, to, keys, self.view.count())?)
    }

    /// Its Paillier key.
    pub(crate) fn key(&self) -> &DecryptionKey {
        self.aux.secrets().key()
    }

    pub(crate) fn own(&self) -> Own<'_> {
        self.aux.secrets().own()
    }
}

/// The error of a first message that cannot be made.
pub(super) const UNMADE: ParamError = ParamError::Inconsistent("the first message cannot be made");
