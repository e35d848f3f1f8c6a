//! The runners of a node, one for each kind of jobs.

use std::sync::Arc;

use quorate::PartyId;
use quorate::SealKey;
use quorate::runner::{App, Runner, Store};
use quorate::session::Protocol;
use quorate_cggmp::{AuxInfoGen, Keygen, PresignMany, Secp256k1};
use quorate_examples::failure::Failure;

use crate::apps::{Dkg, Known, ReshareEcdsa, ReshareEd25519, StoredEcdsa, StoredEd25519};
use crate::lane::{BOUNDS, Lane};
use crate::orders::{KINDS, Kind};

/// All of them.
pub(super) struct Lanes(Vec<(Kind, Box<dyn Lane>)>);

impl Lanes {
    /// Makes a runner for each kind, each on a store of its own making.
    pub(super) fn open<S>(
        (me, key): (PartyId, &Arc<SealKey>),
        known: &Known,
        store: impl Fn() -> Result<S, Failure>,
    ) -> Result<Self, Failure>
    where
        S: Store<Error: core::error::Error + 'static> + 'static,
    {
        let lane = |kind: Kind| {
            let on = (me, key, store()?, known);
            let lane = match kind {
                Kind::Keygen => lane::<Keygen<Secp256k1>, S>(on)?,
                Kind::AuxInfo => lane::<AuxInfoGen, S>(on)?,
                Kind::Presign => lane::<PresignMany<Secp256k1>, S>(on)?,
                Kind::Dkg => lane::<Dkg, S>(on)?,
                Kind::ReshareEcdsa => lane::<ReshareEcdsa, S>(on)?,
                Kind::ReshareEd25519 => lane::<ReshareEd25519, S>(on)?,
                Kind::StoredEcdsa => lane::<StoredEcdsa, S>(on)?,
                Kind::StoredEd25519 => lane::<StoredEd25519, S>(on)?,
            };
            Ok::<_, Failure>((kind, lane))
        };
        Ok(Self(KINDS.into_iter().map(lane).collect::<Result<_, _>>()?))
    }

    pub(super) fn get(&mut self, kind: Kind) -> Option<&mut Box<dyn Lane>> {
        self.0.iter_mut().find(|(of, _)| *of == kind).map(|(_, lane)| lane)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Kind, &dyn Lane)> {
        self.0.iter().map(|(kind, lane)| (*kind, &**lane))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (Kind, &mut Box<dyn Lane>)> {
        self.0.iter_mut().map(|(kind, lane)| (*kind, lane))
    }

    /// The kind of jobs whose protocol has this code.
    pub(super) fn kind(&self, code: u8) -> Option<Kind> {
        self.0.iter().find(|(_, lane)| lane.code() == code).map(|(kind, _)| *kind)
    }
}

fn lane<P, S>(
    (me, key, store, known): (PartyId, &Arc<SealKey>, S, &Known),
) -> Result<Box<dyn Lane>, Failure>
where
    P: Protocol + 'static,
    P::Params: 'static,
    P::State: 'static,
    S: Store<Error: core::error::Error + 'static> + 'static,
    Known: App<P>,
{
    let on = (store, known.clone());
    Ok(Box::new(Runner::<P, S, Known>::new(me, Arc::clone(key), on, BOUNDS)?))
}
