//! The moments at which a node can be killed.

/// All of them, in the order in which a signer passes them.
///
/// `primes` is in the middle of the search for primes.
/// `NAME-1` to `NAME-4` is the moment at which a round's messages are stored and none of them is
/// sent; `NAME-end`, at which the result is stored. They are the worst ones: what is stored must be
/// enough, and what was sent must not be sent differently.
/// `claim`: the presignature is spent, and its share not made; `release`: the share is stored, and
/// not sent; `combine`: the signature is stored, and nobody knows.
pub const ALL: [&str; 18] = [
    "keygen-1",
    "keygen-2",
    "keygen-3",
    "keygen-4",
    "keygen-end",
    "primes",
    "aux-info-1",
    "aux-info-2",
    "aux-info-3",
    "aux-info-4",
    "aux-info-end",
    "presign-1",
    "presign-2",
    "presign-3",
    "presign-end",
    "claim",
    "release",
    "combine",
];

/// The step at which a node is killed, or none.
#[derive(Debug, Default)]
pub struct Crash(Option<String>);

impl Crash {
    /// At this step, or never.
    #[must_use]
    pub fn at(step: Option<&str>) -> Self {
        Self(step.map(str::to_owned))
    }

    /// The node has come to this step.
    ///
    /// # Errors
    /// [`Killed`] if this is the one.
    pub fn passes(&self, step: &str) -> Result<(), Killed> {
        if self.0.as_deref() == Some(step) { Err(Killed) } else { Ok(()) }
    }
}

/// The node is dead.
#[derive(Clone, Copy, Debug)]
pub struct Killed;
