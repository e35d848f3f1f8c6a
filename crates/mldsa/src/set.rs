//! The sets of parameters: radii, slots, and the number of attempts that a share may make.

mod published;
mod row;
mod strict;
#[cfg(test)]
mod tests;

use self::row::Row;
use crate::level::Level;
use crate::poly::N;
use crate::profile::Profile;
use crate::subset::Shape;

/// The parameters for a level, a profile, a threshold and a number of parties.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ParameterSet {
    pub(crate) level: Level,
    pub(crate) profile: Profile,
    /// 2ν, where ν is the factor that stretches the part of a mask that belongs to s1.
    pub(crate) twice_stretch: u8,
    /// The radius r to which responses are cut.
    pub(crate) radius: u32,
    /// The radius r′ of the ball from which masks are drawn.
    pub(crate) mask_radius: u32,
    /// The number K of slots of an attempt.
    pub(crate) slots: u16,
    /// The number of attempts of one share. After that many its key is used up.
    pub(crate) attempts: u64,
}

impl ParameterSet {
    /// The set of this level, profile and shape, if it is offered. Up to five parties are, and six if an attempt
    /// takes a party at most a megabyte.
    pub(crate) fn of(level: Level, profile: Profile, shape: Shape) -> Option<Self> {
        let (_, twice_stretch, radius, mask_radius, slots, tenths) =
            *table(level, profile).iter().find(|row| row.0 == (shape.threshold, shape.parties))?;
        let attempts = attempts(tenths, shape.parties);
        Some(Self { level, profile, twice_stretch, radius, mask_radius, slots, attempts })
    }

    /// ν
    pub(crate) fn stretch(&self) -> f64 {
        f64::from(self.twice_stretch) / 2.0
    }

    /// The dimension D of the ball.
    pub(crate) const fn dimension(level: Level) -> usize {
        (level.k() + level.l()) * N
    }
}

const fn table(level: Level, profile: Profile) -> &'static [Row] {
    match profile {
        Profile::Published => published::table(level),
        Profile::Strict => strict::table(level),
    }
}

/// The number of attempts of each of `parties` parties.
///
/// The bound on forgeries (Theorem 3.2) allows 1/(K·ε) attempts over all parties, where ε is that of the norm that
/// bounds a secret times a challenge. Each party counts its own share of them.
fn attempts(tenths: u32, parties: u8) -> u64 {
    /// 2^(i/10 + 16), rounded down.
    const ROOTS: [u64; 10] =
        [65_536, 70_239, 75_281, 80_684, 86_475, 92_681, 99_333, 106_463, 114_104, 122_294];
    let (whole, tenth) = (tenths.checked_div(10).unwrap_or(0), tenths.checked_rem(10).unwrap_or(0));
    let root = ROOTS.iter().zip(0..).find(|(_, i)| *i == tenth).map_or(0, |(root, _)| *root);
    // At most 2^52.
    (root << whole.saturating_sub(16)).checked_div(parties.into()).unwrap_or(0)
}
