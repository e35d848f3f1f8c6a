//! Figure 8: presigning in three rounds, for [`Session`], by any t or more of a key's parties.
//!
//! 1. [`AwaitingOpenings`](rounds::openings::AwaitingOpenings): k_i, γ_i encrypted as K_i, G_i and
//!    committed to as A_i, B_i under a base Y_i, all broadcast; to each party Πenc-elg for both.
//! 2. [`AwaitingProducts`](rounds::products::AwaitingProducts): Γ_i = γ_iG with Πelog is broadcast; to
//!    each party j the products D_{j,i} = γ_i·K_j ⊕ enc_j(−β), D̂_{j,i} = x_i·K_j ⊕ enc_j(−β̂) with F_{j,i} = enc_i(−β),
//!    F̂_{j,i} = enc_i(−β̂), and Πaff-g for both.
//! 3. [`AwaitingSums`](rounds::sums::AwaitingSums): δ_i, S_i = χ_iΓ, Δ_i = k_iΓ with Πelog are
//!    broadcast.
//! 4. [`AwaitingConfirmations`](quorate_session::rounds::AwaitingConfirmations): an empty message is broadcast,
//!    whose frame echoes the sums.
//!
//! After round 3 δG = ΣΔ_j and δX = ΣS_j must hold. If they do not, the red alert ([`red_alert`])
//! takes the place of round 4, in one round or two, in which all parties prove what they did and the
//! culprits are named. Once the echoes of round 4 agree, so do the outcomes: there is a
//! [`Presignature`], or all parties are in the alert.
//!
//! x_i is the signer's share weighted for this set of signers (`λ_i·x_i`), so that t-of-n is n-of-n
//! among the signers.
//!
//! # Deviations
//!
//! All in `docs/paper.md`:
//! - The red alert needs every D and F in a form that all parties agree on. Round 2 broadcasts a
//!   digest of each pair; the pairs themselves are broadcast when they are needed.
//! - F encrypts −β, and the sum of Πdec takes D ⊖ F.
//! - The randomizer of F is one of the sender's own key.
//! - The figure ends with round 3. Without an echo of the sums one party can be told others than the
//!   rest, and raise an alert that nobody answers.
//!
//! [`Session`]: quorate_session::Session
#![allow(rustdoc::private_intra_doc_links, reason = "the rounds are private; auditors read these")]

pub(crate) mod factor;
mod id;
mod inventory;
mod list;
pub(crate) mod messages;
pub(crate) mod params;
mod presignature;
pub(crate) mod red_alert;
pub(crate) mod rounds;
mod secrets;
mod signer;
mod stored;
#[cfg(test)]
mod tests;
pub(crate) mod view;

pub use id::{MAX_PER_RUN, PresignatureId};
pub use inventory::Presignatures;
pub use list::HeldByAll;
pub use params::PresignParams;
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
/// are the signers.
pub struct Presign<C>(PhantomData<C>);

impl<C: EcdsaCurve> Protocol for Presign<C> {
    const NAME: &'static str = "quorate-cggmp presign";
    const CODE: u8 = 18;
    /// Three, and one that confirms or two of the red alert.
    const ROUNDS: u8 = 5;

    type Params = PresignParams<C>;
    type State = Logged<State<C>>;
    type Output = Presignature<C>;

    fn bind(params: &PresignParams<C>, binding: &mut Binding) {
        params.bind(binding);
    }

    fn limits(params: &PresignParams<C>, parties: usize, round: Round) -> Limits {
        messages::limits(params.level(), parties, round)
    }

    fn hedge(params: &PresignParams<C>) -> Option<Zeroizing<Vec<u8>>> {
        Some(params.hedge())
    }

    fn start(params: PresignParams<C>, run: &Run) -> Result<(Self::State, Outbox), ParamError> {
        Ok(Logged::start(Self::CODE, rounds::start(params, run)?, State::Presigning))
    }

    fn next(state: Self::State, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        state.next(run, inbox)
    }

    fn judge(state: Self::State, run: &Run, inbox: Inbox<'_>) -> Judgement<Presignature<C>> {
        state.judge(run, inbox)
    }
}
