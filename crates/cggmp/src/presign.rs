//! Figure 8: presigning in three rounds, for [`Session`], by any t or more of a key's parties. One run makes k
//! presignatures ([`PresignMany`]); a single one ([`Presign`]) is a run with k = 1.
//!
//! 1. [`AwaitingOpenings`](rounds::openings::AwaitingOpenings): for each presignature k_i, γ_i encrypted as K_i, G_i and
//!    committed to as A_i, B_i under one base Y_i, all broadcast; to each party one Πenc-elg for all of them.
//! 2. [`AwaitingProducts`](rounds::products::AwaitingProducts): each Γ_i = γ_iG, with one Πelog for all, is broadcast; to
//!    each party j the products D_{j,i} = γ_i·K_j ⊕ enc_j(−β), D̂_{j,i} = x_i·K_j ⊕ enc_j(−β̂) with F_{j,i} = enc_i(−β),
//!    F̂_{j,i} = enc_i(−β̂) of each presignature, and one Πaff-g for all.
//! 3. [`AwaitingSums`](rounds::sums::AwaitingSums): of each presignature δ_i, S_i = χ_iΓ, Δ_i = k_iΓ with Πelog are
//!    broadcast.
//! 4. [`AwaitingConfirmations`](quorate_session::rounds::AwaitingConfirmations): an empty message is broadcast,
//!    whose frame echoes the sums.
//!
//! After round 3 δG = ΣΔ_j and δX = ΣS_j must hold for each presignature. If they do not, the red alert ([`red_alert`])
//! for the first that fails takes the place of round 4, in one round or two. In it all parties prove what they did, and
//! the culprits are named. All k presignatures are dropped: a party that made one fail has seen every Γ, and could choose
//! which ones survive. Once the echoes of round 4 agree, so do the outcomes: there are k presignatures, or all parties are
//! in the alert.
//!
//! x_i is the signer's share weighted for this set of signers (`λ_i·x_i`), so that t-of-n is n-of-n
//! among the signers.
//!
//! # Deviations
//!
//! `docs/spec/arguments-ecdsa.md` describes all of these:
//! - The proofs of k presignatures for one verifier are folded into one. Y_i is one point a run, and Πaff-g opens the
//!   commitments to γ of round 1.
//! - The red alert needs every D and F in a form that all parties agree on. Round 2 broadcasts a
//!   digest of the two pairs; a pair itself is broadcast only when it is needed.
//! - F encrypts −β, and the sum of Πdec takes D ⊖ F.
//! - The randomizer of F is one of the sender's own key.
//! - The figure ends with round 3. Without an echo of the sums one party can receive other sums than the
//!   rest, and raise an alert that no party answers.
//!
//! [`Session`]: quorate_session::Session
#![allow(rustdoc::private_intra_doc_links, reason = "the rounds are private; auditors read these")]

pub(crate) mod factor;
mod id;
mod inventory;
mod list;
pub(crate) mod messages;
pub(crate) mod params;
mod past;
mod presignature;
pub(crate) mod red_alert;
pub(crate) mod rounds;
mod secrets;
mod signer;
mod stored;
#[cfg(test)]
mod tests;
pub(crate) mod view;

pub use id::{MAX_PRESIGNATURES, PresignatureId};
pub use inventory::Presignatures;
pub use list::HeldByAll;
pub use params::{PresignManyParams, PresignParams};
pub use presignature::{Presignature, PresignatureInfo};

use alloc::vec::Vec;
use core::marker::PhantomData;

use quorate_session::{
    Abort, Binding, Inbox, Judgement, Limits, Next, Outbox, ParamError, Protocol, Round, Run,
};
use zeroize::Zeroizing;

use self::rounds::State;
use crate::EcdsaCurve;
use quorate_session::rounds::Logged;

/// Presigning over a curve, a protocol for [`quorate_session::Session`]. The parties of the session
/// are the signers. [`PresignMany`] makes several for less work and fewer bytes each.
pub struct Presign<C>(PhantomData<C>);

/// Presigning of 1 to [`MAX_PRESIGNATURES`] presignatures in one run, whose proofs are folded. The parties of the session
/// are the signers.
///
/// They have names by their [index](PresignatureId::index) in the run, in the order in which they are given out. A run
/// makes all of them or none. What is sent and kept grows with their number: for each of 32, at 3072 bits, a signer of three
/// sends 12.6 KB (of [`Presign`] 19.4 KB) and one of nine 44.5 KB (71.7 KB), and its session's log holds what it received.
///
/// A run for more than 32 does the work of rounds 2 and 3 in pieces, and [`advance`](quorate_session::Session::advance) gives
/// [`Progress::Working`](quorate_session::Progress::Working) between them. A piece is the products of 32 presignatures with
/// one peer, or one proof for or of one peer. The proofs are the longest: their time grows with the number of presignatures,
/// not with that of the signers. The first message, made by [`start`](quorate_session::Session::start), and the check of the
/// sums are not cut. [`PresignManyParams::at_most`] bounds an order.
///
/// # The last round
///
/// Figure 8 of the paper checks a presignature only by the sums of round 3, and round 4 only confirms that all
/// signers saw the same ones. A signer that has verified them keeps its presignatures, even if a peer is silent in round 4,
/// or raises an alert without a cause: they come as [`Progress::Unconfirmed`](quorate_session::Progress::Unconfirmed).
/// They are used like others, and only if **all** signers hold them: each signer's [list](Presignatures::list) shows what
/// it holds. Without the sums of some signer there is nothing to keep.
pub struct PresignMany<C>(PhantomData<C>);

impl<C: EcdsaCurve> Protocol for Presign<C> {
    const NAME: &'static str = "quorate-cggmp presign";
    const CODE: u8 = 18;
    /// Three, and one that confirms or two of the red alert.
    const FAMILY: &'static str = C::FAMILY;
    const ROUNDS: u8 = 5;

    type Params = PresignParams<C>;
    type State = Logged<State<C, Presignature<C>>>;
    type Output = Presignature<C>;

    fn bind(params: &PresignParams<C>, binding: &mut Binding) {
        params.bind(binding);
    }

    fn limits(params: &PresignParams<C>, parties: usize, round: Round) -> Limits {
        params.sizes(1).limits(parties, round)
    }

    fn hedge(params: &PresignParams<C>) -> Option<Zeroizing<Vec<u8>>> {
        Some(params.hedge())
    }

    fn start(params: PresignParams<C>, run: &Run) -> Result<(Self::State, Outbox), ParamError> {
        Ok(Logged::start(Self::CODE, rounds::start(params, 1, run)?, State::Presigning))
    }

    fn next(state: Self::State, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        state.next(run, inbox)
    }

    fn judge(state: Self::State, run: &Run, inbox: Inbox<'_>) -> Judgement<Presignature<C>> {
        state.judge(run, inbox)
    }
}

impl<C: EcdsaCurve> Protocol for PresignMany<C> {
    const NAME: &'static str = "quorate-cggmp presign many";
    const CODE: u8 = 20;
    const FAMILY: &'static str = C::FAMILY;
    const ROUNDS: u8 = Presign::<C>::ROUNDS;

    type Params = PresignManyParams<C>;
    type State = Logged<State<C, Vec<Presignature<C>>>>;
    type Output = Vec<Presignature<C>>;

    fn bind(params: &PresignManyParams<C>, binding: &mut Binding) {
        params.presign.bind(binding);
        params::bind_count(params.count, binding);
    }

    fn limits(params: &PresignManyParams<C>, parties: usize, round: Round) -> Limits {
        // A run for none does not start.
        params.presign.sizes(params.count.max(1)).limits(parties, round)
    }

    fn hedge(params: &PresignManyParams<C>) -> Option<Zeroizing<Vec<u8>>> {
        Some(params.presign.hedge())
    }

    fn start(params: PresignManyParams<C>, run: &Run) -> Result<(Self::State, Outbox), ParamError> {
        // A run that has begun may end.
        if !run.recalls(Round::FIRST) {
            params.check_count()?;
        }
        let PresignManyParams { presign, count, .. } = params;
        Ok(Logged::start(Self::CODE, rounds::start(presign, count, run)?, State::Presigning))
    }

    fn next(state: Self::State, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        state.next(run, inbox)
    }

    fn judge(state: Self::State, run: &Run, inbox: Inbox<'_>) -> Judgement<Self::Output> {
        state.judge(run, inbox)
    }
}
