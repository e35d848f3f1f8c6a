//! Distributed key generation in five rounds: no one ever sees the key.

use quorate::mldsa::{Dkg, DkgParams, KeyShare};
use quorate::session::rand_core::UnwrapErr;
use quorate::{Parties, Session};

use getrandom::SysRng;
use quorate_examples::failure::Failure;

use super::MldsaSuite;
use crate::form::Form;
use crate::making::Making;
use crate::rounds::{Run, fresh_sid};
use crate::shares::SHARE;

/// Makes a key of which exactly `threshold` of `parties` sign.
pub(crate) fn key<L: MldsaSuite>(
    making: &Making,
    threshold: u16,
    parties: &Parties,
) -> Result<Run<KeyShare>, Failure> {
    let form = Form::<KeyShare> {
        public: |share| share.public().to_bytes(),
        file: SHARE,
        secret: KeyShare::to_bytes,
        read: |_, share| Ok(KeyShare::from_bytes(L::LEVEL, share)?),
    };
    let params = |_| Ok(DkgParams::new(L::LEVEL, threshold));
    making.run::<Dkg>(making.keygen(), parties, params, &form)
}

/// Makes sure that there are parameters for a key of this shape, before anything is written.
pub(crate) fn check<L: MldsaSuite>(threshold: u16, parties: &Parties) -> Result<(), Failure> {
    let me = parties.iter().next().ok_or_else(|| Failure::new("there are no parties"))?;
    let params = DkgParams::new(L::LEVEL, threshold);
    let rng = &mut UnwrapErr(SysRng);
    Session::<Dkg>::start(fresh_sid(), me, parties, params, rng).map(drop).map_err(|_| {
        let (level, count) = (L::LEVEL, parties.len());
        Failure::new(format!(
            "no parameters of {level} are offered for {threshold} of {count} parties: there are at most 6, and of 6 \
             those whose attempts stay below a megabyte"
        ))
    })
}
