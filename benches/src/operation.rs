//! The steps: what exactly each figure is the time of.

/// One operation of FROST as a caller sees it.
///
/// In all of them the signers are the first `t` of `n` parties, and the message is [`MESSAGE`](crate::MESSAGE). Values are
/// decoded before the clock starts, except in [`Operation::DecodePackage`] and in the steps of a key's life. The time to drop the
/// inputs that a call consumes and the outputs that it returns counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// A dealer draws a key and deals `n` shares with their commitment and every public share.
    DealerKeygen,
    /// One party draws its polynomial, commits to it and proves that it knows the secret.
    DkgPart1,
    /// One party checks the `n - 1` other proofs and evaluates its polynomial for the other parties.
    DkgPart2,
    /// One party checks the `n - 1` shares it got, and computes its key share and all `n` public shares.
    DkgPart3,
    /// One dealer's whole session of a refresh in which the first `t` deal to all: from its start to its new share,
    /// with every message that comes in decoded and verified. A library without sessions does its parts.
    Refresh,
    /// As [`Operation::Refresh`], with a party that joins in the place of the first. A library without resharing refreshes.
    Reshare,
    /// One helper's whole session of a repair by the first `t` of the last party's share, `t < n`. A library without
    /// sessions does its parts.
    Repair,
    /// One signer draws a pair of nonces and commits to them.
    Round1,
    /// The first signer makes its share of the signature.
    Round2,
    /// The coordinator aggregates `t` valid shares, from the package and nothing else, and verifies the result.
    Aggregate,
    /// Aggregation by a session that was kept since the package was made: only the finish is timed. A library
    /// without sessions does [`Operation::Aggregate`] again.
    AggregateSession,
    /// Aggregation by a session that was kept, with every share verified by itself before the sum is. A library without
    /// sessions does [`Operation::Aggregate`] again.
    AggregateEachShare,
    /// The share of the middle signer is wrong: the coordinator names it.
    AggregateOneBad,
    /// Every other share is wrong: the coordinator names all of them.
    AggregateHalfBad,
    /// One signature is verified.
    Verify,
    /// 64 signatures under 64 keys on one message are verified together.
    BatchVerify64,
    /// The signing package of `t` commitments becomes bytes.
    EncodePackage,
    /// The bytes of a signing package of `t` commitments become a validated package.
    DecodePackage,
}

impl Operation {
    /// Every step, in the order of a key's life.
    pub const ALL: [Self; 18] = [
        Self::DealerKeygen,
        Self::DkgPart1,
        Self::DkgPart2,
        Self::DkgPart3,
        Self::Refresh,
        Self::Reshare,
        Self::Repair,
        Self::Round1,
        Self::Round2,
        Self::Aggregate,
        Self::AggregateSession,
        Self::AggregateEachShare,
        Self::AggregateOneBad,
        Self::AggregateHalfBad,
        Self::Verify,
        Self::BatchVerify64,
        Self::EncodePackage,
        Self::DecodePackage,
    ];

    /// The name on the command line and in the output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::DealerKeygen => "dealer_keygen",
            Self::DkgPart1 => "dkg_part1",
            Self::DkgPart2 => "dkg_part2",
            Self::DkgPart3 => "dkg_part3",
            Self::Refresh => "refresh",
            Self::Reshare => "reshare",
            Self::Repair => "repair",
            Self::Round1 => "round1",
            Self::Round2 => "round2",
            Self::Aggregate => "aggregate",
            Self::AggregateSession => "aggregate_session",
            Self::AggregateEachShare => "aggregate_each_share",
            Self::AggregateOneBad => "aggregate_one_bad",
            Self::AggregateHalfBad => "aggregate_half_bad",
            Self::Verify => "verify",
            Self::BatchVerify64 => "batch_verify_64",
            Self::EncodePackage => "encode_package",
            Self::DecodePackage => "decode_package",
        }
    }

    /// The step of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.name() == name)
    }

    /// Returns whether this is a step of distributed key generation or of a key's life. Its setup takes long among many
    /// parties.
    #[must_use]
    pub fn is_dkg(self) -> bool {
        matches!(
            self,
            Self::DkgPart1
                | Self::DkgPart2
                | Self::DkgPart3
                | Self::Refresh
                | Self::Reshare
                | Self::Repair
        )
    }
}
