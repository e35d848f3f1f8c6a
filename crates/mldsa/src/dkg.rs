//! Key generation without a dealer, as a [`Session`](quorate_session::Session) of five rounds. It follows ePrint
//! 2026/013, Figure 13, with its commitments, and adds a confirmation.

mod complaints;
mod made;
mod rounds;
mod terms;

use core::fmt;

use quorate_session::rounds::Logged;
use quorate_session::{
    Abort, Binding, Inbox, Judgement, Limits, Next, Outbox, ParamError, Parties, Protocol, Round,
    Run,
};

use self::rounds::{AwaitingKeys, State};
use self::terms::{Complaints, HASH, Terms, most_led, most_shared};
use crate::error::KeyError;
use crate::level::Level;
use crate::package::PublicKeyPackage;
use crate::profile::Profile;
use crate::share::KeyShare;

/// The generation of a key by its parties, a protocol for [`quorate_session::Session`] in five rounds. Each set S
/// of N − T + 1 parties has a leader. The leader is the first member of the set and draws its key K_S.
///
/// | round | broadcast | to one party |
/// |---|---|---|
/// | 1 | a hash of r_i, and of each K_S that i leads | K_S of the sets that it is a member of |
/// | 2 | r_i, and complaints about keys that do not fit their hashes | |
/// | 3 | a hash of t_S of each set that i leads | |
/// | 4 | t_S of these | |
/// | 5 | a digest of the key, and complaints about t_S that are not those of K_S | |
///
/// ρ and all secrets depend on the r_i of all parties. Nobody knows those before all parties have committed to
/// theirs. The result is a [`KeyShare`] that all have confirmed. If a confirmation is wrong or never comes, the
/// session hands the share out as [not confirmed](KeyShare::is_confirmed).
///
/// A member whose K_S or t_S is wrong names the leader, and holds the evidence, which contains K_S. The others know
/// only that one of the two lies, and get [`Check::Complaint`](quorate_session::Check::Complaint). In both cases
/// the key is abandoned.
pub struct Dkg;

/// A party's part in a key generation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct DkgParams {
    level: Level,
    profile: Profile,
    threshold: u16,
}

impl DkgParams {
    /// A key of this level, with which exactly `threshold` parties sign, with the [published](Profile::Published)
    /// parameters.
    #[must_use]
    pub const fn new(level: Level, threshold: u16) -> Self {
        Self::with_profile(Profile::Published, level, threshold)
    }

    /// A key of this profile and level, with which exactly `threshold` parties sign.
    #[must_use]
    pub const fn with_profile(profile: Profile, level: Level, threshold: u16) -> Self {
        Self { level, profile, threshold }
    }

    /// Checks that parameters are offered for a key of these parties. A session of others does not start.
    ///
    /// # Errors
    /// [`KeyError::NotOffered`]
    pub fn check(&self, parties: &Parties) -> Result<(), KeyError> {
        let parameters = (self.level, self.profile);
        PublicKeyPackage::parameters(parameters, self.threshold, parties).map(drop)
    }
}

impl fmt::Debug for DkgParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DkgParams")
            .field("level", &self.level)
            .field("profile", &self.profile)
            .field("threshold", &self.threshold)
            .finish()
    }
}

impl Protocol for Dkg {
    const NAME: &'static str = "quorate-mldsa dkg";
    const CODE: u8 = 49;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = 5;

    type Params = DkgParams;
    type State = Logged<State>;
    type Output = KeyShare;

    fn bind(params: &DkgParams, binding: &mut Binding) {
        binding.append("level", params.level.name().as_bytes());
        binding.append("profile", params.profile.name().as_bytes());
        binding.append_u64("threshold", params.threshold.into());
    }

    fn limits(params: &DkgParams, parties: usize, round: Round) -> Limits {
        let parameters = u16::try_from(parties).ok().and_then(|count| {
            let parties = Parties::numbered(count).ok()?;
            PublicKeyPackage::parameters((params.level, params.profile), params.threshold, &parties)
                .ok()
        });
        // A run of another shape does not start.
        let Some((_, shape)) = parameters else { return Limits { broadcast: 1, direct: 0 } };
        let image = params.level.k() * crate::packing::FULL_LEN;
        let broadcast = match round.get() {
            1 => HASH + most_led(shape) * HASH,
            3 => most_led(shape) * HASH,
            4 => most_led(shape) * image,
            _ => HASH + Complaints::len(shape),
        };
        let direct = if round == Round::FIRST { most_shared(shape) * 32 } else { 0 };
        Limits { broadcast, direct }
    }

    fn start(params: DkgParams, run: &Run) -> Result<(Logged<State>, Outbox), ParamError> {
        let terms = Terms::new((params.level, params.profile), params.threshold, run.parties());
        let terms = terms.map_err(|_| {
            ParamError::Inconsistent(
                "no parameters are offered for this level, profile, threshold and number of parties",
            )
        })?;
        Ok(Logged::start(Self::CODE, AwaitingKeys::new(terms, run), State::Keys))
    }

    fn next(state: Logged<State>, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        state.next(run, inbox)
    }

    fn judge(state: Logged<State>, run: &Run, inbox: Inbox<'_>) -> Judgement<KeyShare> {
        state.judge(run, inbox)
    }
}
