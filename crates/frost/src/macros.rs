//! The plain names that a suite's crate gives to the generic types.

/// Defines the aliases for the keys of a suite.
#[macro_export]
macro_rules! key_types {
    ($suite:ident) => {
        /// A party's secret share of a key.
        pub type KeyShare = $crate::KeyShare<$suite>;
        /// A group's key with every party's verifying share.
        pub type PublicKeyPackage = $crate::PublicKeyPackage<$suite>;
        /// A group's public key.
        pub type VerifyingKey = $crate::VerifyingKey<$suite>;
        /// The output of a trusted dealer.
        pub type Dealing = $crate::Dealing<$suite>;
        /// A share as a trusted dealer sends it.
        pub type DealtShare = $crate::DealtShare<$suite>;
        /// The distributed key generation, a protocol for [`Session`].
        ///
        /// [`Session`]: $crate::session::Session
        pub type Dkg = $crate::Dkg<$suite>;
        /// The parameters of a key generation.
        pub type DkgParams = $crate::DkgParams<$suite>;
        /// The result of a key generation for one party.
        pub type DkgOutput = $crate::DkgOutput<$suite>;
        /// Resharing and refresh, a protocol for a session.
        pub type Reshare = $crate::Reshare<$suite>;
        /// The key, the dealers and the new committee of a resharing.
        pub type ResharePlan = $crate::ResharePlan<$suite>;
        /// A party's part in a resharing.
        pub type ReshareParams = $crate::ReshareParams<$suite>;
        /// The result of a resharing for one party.
        pub type Reshared = $crate::Reshared<$suite>;
        /// The acknowledgement that all parties have stored their new shares, a protocol for a
        /// session.
        pub type Acknowledge = $crate::Acknowledge<$suite>;
        /// The parameters of an acknowledgement: the share that this party has stored.
        pub type AcknowledgeParams = $crate::AcknowledgeParams<$suite>;
        /// The proof that all parties have stored their shares of one package.
        pub type StoredByAll = $crate::StoredByAll<$suite>;
        /// The repair of a lost share, a protocol for a session.
        pub type Repair = $crate::Repair<$suite>;
        /// The key, the helpers and the target of a repair.
        pub type RepairPlan = $crate::RepairPlan<$suite>;
        /// A party's part in a repair.
        pub type RepairParams = $crate::RepairParams<$suite>;
        /// The result of a repair for one party.
        pub type Repaired = $crate::Repaired<$suite>;
    };
}

/// Defines the aliases of a suite's crate: those for its keys, and those for its signatures.
#[macro_export]
macro_rules! suite_types {
    ($suite:ident) => {
        $crate::key_types!($suite);

        /// A signature.
        pub type Signature = $crate::Signature<$suite>;
        /// A signer's secret nonces for one signature.
        pub type Nonces = $crate::Nonces<$suite>;
        /// Nonces made ahead of time.
        pub type NonceBatch = $crate::NonceBatch<$suite>;
        /// A pair of nonces that is taken out of a batch and not yet released.
        pub type Claim = $crate::Claim<$suite>;
        /// A signer's public commitments to its nonces.
        pub type Commitments = $crate::Commitments<$suite>;
        /// The commitments and the message, for every signer.
        pub type SigningPackage = $crate::SigningPackage<$suite>;
        /// A signer's share of a signature.
        pub type SignatureShare = $crate::SignatureShare<$suite>;
        /// Makes signing packages and turns shares into signatures.
        pub type Coordinator = $crate::Coordinator<$suite>;
        /// One signature in the making.
        pub type SigningSession = $crate::SigningSession<$suite>;
        /// The exchange of signature shares without a coordinator, a protocol for a session.
        pub type ShareExchange = $crate::ShareExchange<$suite>;
        /// A signer's part in an exchange of signature shares.
        pub type ShareExchangeParams = $crate::ShareExchangeParams<$suite>;
        /// The coordinator's side of a robust signing run.
        pub type RoastCoordinator = $crate::RoastCoordinator<$suite>;
        /// A signer's side of a robust signing run.
        pub type RoastSigner = $crate::RoastSigner<$suite>;
        /// A group's key, randomised for one signature.
        pub type RandomizedKey = $crate::RandomizedKey<$suite>;
    };
}
