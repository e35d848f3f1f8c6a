//! Figure 7, the part that makes auxiliary information, for [`Session`]: every party's Paillier
//! modulus N and its ring-Pedersen setup (N̂, s, t), with the proofs that they are well formed.
//!
//! 1. [`AwaitingDigests`]: V_i = H(sid, i, N_i, N̂_i, s_i, t_i, Πprm_i, rid_i, u_i) is
//!    broadcast.
//! 2. [`AwaitingReveals`](rounds::reveals::AwaitingReveals): the values that V_i commits to are broadcast.
//! 3. [`AwaitingProofs`](rounds::proofs::AwaitingProofs): Πmod of N_i is broadcast, Πfac of N_i under
//!    N̂_j goes to each party j; both are bound to sid, i (and j) and rid.
//! 4. [`AwaitingConfirmations`](quorate_session::rounds::AwaitingConfirmations): a digest of everything public is
//!    broadcast. The result is confirmed when all n digests agree; otherwise it is given out as
//!    [unconfirmed](AuxInfo::is_confirmed), and does not presign.
//!
//! The moduli are made of primes that were searched for before ([`AuxSecrets::generate`]): that
//! takes seconds to minutes, everything here takes seconds.
//!
//! The result serves any number of keys of the same parties, over any curve.
//!
//! # Deviations
//!
//! `docs/spec/arguments-ecdsa.md` describes all of these:
//! - The figure makes it together with a refresh of the key; here it is a protocol of its own.
//! - Πmod is asked for N only. Commitments hide because s is a power of t, which Πprm shows. Only the
//!   owner of N̂ needs N̂ to be a product of two primes.
//! - The moduli of all parties are checked to have no factors in common.
//! - A confirm round, without which one party can hold a result that another has aborted.
//!
//! [`Session`]: quorate_session::Session
#![allow(rustdoc::private_intra_doc_links, reason = "the rounds are private; auditors read these")]

mod info;
pub(crate) mod messages;
pub(crate) mod params;
mod rounds;
mod search;
mod secrets;
pub(crate) mod view;
#[cfg(feature = "testing")]
mod without_proofs;

pub use info::{AuxInfo, AuxPublic, TABLE_BYTES};
pub use params::AuxInfoParams;
pub use search::{AuxProgress, AuxSearch, AuxStep};
pub use secrets::AuxSecrets;

use alloc::vec::Vec;

use quorate_session::{
    Abort, Binding, Inbox, Judgement, Limits, Next, Outbox, ParamError, Protocol, Round, Run,
};
use zeroize::Zeroizing;

use self::rounds::State;
use self::rounds::digests::AwaitingDigests;
use crate::MAX_PARTIES;
use quorate_session::rounds::Logged;

/// The making of auxiliary information, a protocol for [`quorate_session::Session`].
#[derive(Debug)]
pub struct AuxInfoGen(());

impl Protocol for AuxInfoGen {
    const NAME: &'static str = "quorate-cggmp aux-info";
    const CODE: u8 = 17;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = 4;

    type Params = AuxInfoParams;
    type State = Logged<State>;
    type Output = AuxInfo;

    fn bind(params: &AuxInfoParams, binding: &mut Binding) {
        params::bind(params.level(), binding);
    }

    fn limits(params: &AuxInfoParams, _parties: usize, round: Round) -> Limits {
        messages::limits(params.level(), round)
    }

    fn hedge(params: &AuxInfoParams) -> Option<Zeroizing<Vec<u8>>> {
        Some(params.secrets.key().to_secret_bytes())
    }

    fn start(params: AuxInfoParams, run: &Run) -> Result<(Self::State, Outbox), ParamError> {
        if run.parties().len() > MAX_PARTIES {
            return Err(ParamError::TooManyParties);
        }
        let first = AwaitingDigests::new(params, run)?;
        Ok(Logged::start(Self::CODE, first, State::Digests))
    }

    fn next(state: Self::State, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        state.next(run, inbox)
    }

    fn judge(state: Self::State, run: &Run, inbox: Inbox<'_>) -> Judgement<AuxInfo> {
        state.judge(run, inbox)
    }
}
