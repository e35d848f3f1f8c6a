//! Texts of extended keys: BIP-32's serialization in Base58Check.

use alloc::string::String;

use quorate_curve::{Curve, Secp256k1};
use quorate_session::wire::{Reader, joined};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::{ExtendedKey, Network, XpubError};

/// Version, depth, fingerprint, child number, chain code, key.
const BODY: usize = 4 + 1 + 4 + 4 + 32 + 33;
const CHECKSUM: usize = 4;
const LENGTH: usize = BODY + CHECKSUM;
/// The number of characters. The version bytes were chosen so that all extended keys have this many.
const CHARACTERS: usize = 111;

impl ExtendedKey<Secp256k1> {
    /// The text that wallets read, 111 characters.
    #[must_use]
    pub fn to_xpub(&self, network: Network) -> String {
        let (version, number) = (network.version(), self.child_number().to_be_bytes());
        let (parent, key) = (self.parent_fingerprint(), Secp256k1::encode_point(self.key()));
        let depth = [self.depth()];
        let parts: [&[u8]; 6] = [&version, &depth, &parent, &number, self.chain_code(), &key];
        let body: [u8; BODY] = joined(&parts);
        bs58::encode(joined::<LENGTH>(&[&body, &check(&body)])).into_string()
    }

    /// Reads the text of an extended public key of `network`, strictly. An extended *private* key is refused by
    /// its first characters, before any of it is decoded. One with other first characters is wiped.
    ///
    /// # Errors
    /// An [`XpubError`] with the reason. Show [`XpubError::Private`] to the person who pasted the wrong text.
    pub fn from_xpub(text: &str, network: Network) -> Result<Self, XpubError> {
        // xprv, tprv, and the yprv, zprv, uprv, vprv of SLIP-132.
        if text.get(1..4) == Some("prv") {
            return Err(XpubError::Private);
        }
        if text.len() != CHARACTERS {
            return Err(XpubError::Length { expected: CHARACTERS, got: text.len() });
        }
        let mut bytes = Zeroizing::new([0; LENGTH]);
        let written = bs58::decode(text).onto(&mut *bytes).map_err(|_| XpubError::NotBase58)?;
        if written != LENGTH {
            return Err(XpubError::NotBase58);
        }
        let (body, checksum) = bytes.split_at(BODY);
        if checksum != check(body) {
            return Err(XpubError::Checksum);
        }
        read(Reader::new(body), network)
    }
}

/// The first four bytes of `SHA256(SHA256(body))`.
fn check(body: &[u8]) -> [u8; CHECKSUM] {
    let [a, b, c, d, ..]: [u8; 32] = Sha256::digest(Sha256::digest(body)).into();
    [a, b, c, d]
}

fn read(mut reader: Reader<'_>, network: Network) -> Result<ExtendedKey<Secp256k1>, XpubError> {
    // The body is as long as all of its parts, so no read fails.
    let short = |_| XpubError::NotBase58;
    let version = reader.array().map_err(short)?;
    let all = [Network::Main, Network::Test];
    if all.iter().any(|one| version == one.private_version()) {
        return Err(XpubError::Private);
    }
    let found = all.into_iter().find(|one| version == one.version());
    let found = found.ok_or(XpubError::Version(version))?;
    if found != network {
        return Err(XpubError::WrongNetwork { expected: network, found });
    }
    let depth = reader.u8().map_err(short)?;
    let parent = reader.array().map_err(short)?;
    let number = reader.u32().map_err(short)?;
    let chain_code = reader.array().map_err(short)?;
    let key = reader.bytes(33).map_err(short)?;
    let key = Secp256k1::decode_point(key).ok_or(XpubError::BadPoint)?;
    ExtendedKey::new(depth, parent, number, chain_code, key)
}
