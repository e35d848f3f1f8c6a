//! The messages of `ExternalJWTSigner`, in the versions `v1` and `v1alpha1`, which do not differ.

/// The claims of a token that is to be signed (`SignJWTRequest`).
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct SignRequest {
    /// The claims in base64url: the second part of the token.
    #[prost(string, tag = "1")]
    pub claims: String,
}

/// The rest of a token (`SignJWTResponse`).
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct SignResponse {
    /// The header in base64url: the first part of the token.
    #[prost(string, tag = "1")]
    pub header: String,
    /// The signature in base64url: the third part of the token.
    #[prost(string, tag = "2")]
    pub signature: String,
}

/// The question for the public keys.
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct FetchKeysRequest {}

/// The public keys.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct FetchKeysResponse {
    /// The keys that tokens are verified with.
    #[prost(message, repeated, tag = "1")]
    pub keys: Vec<PublicKey>,
    /// The time at which they were read.
    #[prost(message, optional, tag = "2")]
    pub data_timestamp: Option<Timestamp>,
    /// The seconds after which the API server asks again.
    #[prost(int64, tag = "3")]
    pub refresh_hint_seconds: i64,
}

/// A public key (`Key`).
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct PublicKey {
    /// The `kid` of its tokens.
    #[prost(string, tag = "1")]
    pub key_id: String,
    /// The DER of its `SubjectPublicKeyInfo`.
    #[prost(bytes = "vec", tag = "2")]
    pub key: Vec<u8>,
    /// The API server leaves the key out of those that it shows to others.
    #[prost(bool, tag = "3")]
    pub exclude_from_oidc_discovery: bool,
}

/// A point in time (`google.protobuf.Timestamp`).
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct Timestamp {
    /// The seconds since 1970.
    #[prost(int64, tag = "1")]
    pub seconds: i64,
    /// The nanoseconds of the second.
    #[prost(int32, tag = "2")]
    pub nanos: i32,
}

/// The question for the limits of the signer.
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct MetadataRequest {}

/// The limits of the signer.
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct MetadataResponse {
    /// The longest life of a token, in seconds.
    #[prost(int64, tag = "1")]
    pub max_token_expiration_seconds: i64,
}
