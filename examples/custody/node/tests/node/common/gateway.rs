//! The gateway of the tests: it collects what is ready, orders shares, and puts them together.

use custody_core::{
    Answer, KeyId, KeyInfo, Material, Order, Reason, Refusal, Scheme, SignedRequest,
};
use quorate::PartyId;
use quorate::ecdsa::{
    DerivationPath, EcdsaCurve, MessageDigest, PresignatureInfo, PublicKeyPackage as EcdsaKey,
};
use quorate::frost::ed448::Ed448Shake256;
use quorate::frost::ed25519::Ed25519Sha512;
use quorate::frost::generic::{
    Ciphersuite, Commitments, PublicKeyPackage, SignatureShare, SigningPackage,
};
use quorate::frost::secp256k1_tr::{Secp256k1Taproot, internal};

use super::cluster::{Cluster, party};

impl Cluster {
    pub async fn info(&self, number: u8, key: KeyId) -> KeyInfo {
        match self.order(number, Order::Keys { after: None }).await {
            Answer::Keys(keys) => keys.into_iter().find(|info| info.key == key).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    /// Makes nonces, and a signing package for a message.
    pub async fn package(&self, key: KeyId, signers: &[u8], message: &[u8]) -> Vec<u8> {
        let info = self.info(signers[0], key).await;
        match info.spec.scheme {
            Scheme::Ed25519 => {
                self.package_of(&own::<Ed25519Sha512>(&info), key, signers, message).await
            }
            Scheme::Taproot => self.package_of(&account(&info), key, signers, message).await,
            Scheme::Ed448 => {
                self.package_of(&own::<Ed448Shake256>(&info), key, signers, message).await
            }
            other => panic!("{other}"),
        }
    }

    /// A signing package of the pairs at one place of each node's list.
    pub async fn package_at(
        &self,
        info: &KeyInfo,
        signers: &[u8],
        message: &[u8],
        at: usize,
    ) -> Vec<u8> {
        let public = PublicKeyPackage::<Ed25519Sha512>::from_bytes(&info.package).unwrap();
        let mut all = Vec::new();
        for signer in signers {
            let order = Order::Stock { key: info.key, after: None };
            let Answer::Stock(stock) = self.order(*signer, order).await else { panic!() };
            all.push(Commitments::from_bytes(party(*signer), &stock.material[at]).unwrap());
        }
        SigningPackage::new(&public, all, message).unwrap().to_bytes()
    }

    pub async fn package_of<S: Ciphersuite>(
        &self,
        public: &PublicKeyPackage<S>,
        key: KeyId,
        signers: &[u8],
        message: &[u8],
    ) -> Vec<u8> {
        let mut all = Vec::new();
        for signer in signers {
            let made = self.order(*signer, Order::Nonces { key, count: 4 }).await;
            assert_eq!(made, Answer::Done);
            match self.order(*signer, Order::Stock { key, after: None }).await {
                Answer::Stock(stock) => {
                    let made = Commitments::<S>::from_bytes(party(*signer), &stock.material[0]);
                    let made = made.unwrap();
                    all.push(made.for_child(made.package_id(), public).unwrap());
                }
                other => panic!("{other:?}"),
            }
        }
        SigningPackage::new(public, all, message).unwrap().to_bytes()
    }

    /// Orders a share of each signer.
    pub async fn shares(
        &self,
        signers: &[u8],
        request: &SignedRequest,
        approvals: &[SignedRequest],
        material: &Material,
    ) -> Result<Vec<(PartyId, Vec<u8>)>, Refusal> {
        let mut shares = Vec::new();
        for signer in signers {
            let (request, approvals, material) =
                (request.clone(), approvals.to_vec(), material.clone());
            match self.order(*signer, Order::Sign { request, approvals, material }).await {
                Answer::Share { bytes } => shares.push((party(*signer), bytes)),
                Answer::Refused(why) => return Err(why),
                other => panic!("{other:?}"),
            }
        }
        Ok(shares)
    }

    /// Signs with FROST, and verifies the signature.
    pub async fn sign_frost(
        &self,
        key: KeyId,
        signers: &[u8],
        message: &[u8],
    ) -> Result<Vec<u8>, Refusal> {
        let package = self.package(key, signers, message).await;
        let material = Material::Nonces { package: package.clone() };
        let request = super::sign(key, &super::opaque(false, message));
        let shares = self.shares(signers, &request, &[], &material).await?;
        let info = self.info(signers[0], key).await;
        let signature = verify(&info, &package, &shares, message);
        signature.ok_or_else(|| Refusal::new(Reason::Internal, "the signature does not verify"))
    }

    /// Makes presignatures, and lists them.
    pub async fn presign(&self, key: KeyId, signers: &[u8], run: u8, count: u16) -> Vec<Vec<u8>> {
        let by = signers.iter().map(|number| party(*number)).collect();
        let order = Order::Presign { key, run: [run; 32], signers: by, count };
        let answers = self.until(signers, &order).await;
        assert!(answers.iter().all(|answer| *answer == Answer::Done), "{answers:?}");
        match self.order(signers[0], Order::Stock { key, after: None }).await {
            Answer::Stock(stock) => stock.material,
            other => panic!("{other:?}"),
        }
    }

    /// Signs with a presignature, and verifies the signature.
    pub async fn sign_ecdsa<C: EcdsaCurve>(
        &self,
        key: KeyId,
        signers: &[u8],
        presignature: &[u8],
        (message, path): (&[u8], &str),
    ) -> Result<Vec<u8>, Refusal> {
        let ahead = PresignatureInfo::<C>::from_bytes(presignature).unwrap();
        let material = Material::Presignature { name: ahead.id().name() };
        let target = format!("/v1/keys/{key}/sign");
        let body = super::body(&super::opaque(true, message), Some(path));
        let request = super::requester().request(&target, &body);
        let shares = self.shares(signers, &request, &[], &material).await?;
        let public = EcdsaKey::<C>::from_bytes(&self.info(signers[0], key).await.package).unwrap();
        let path: DerivationPath = path.parse().unwrap();
        let child = public.derivation(&path).unwrap();
        let signature = ahead.aggregate(&child, MessageDigest::sha256(message), shares).unwrap();
        public.derive(&path).unwrap().verifying_key().verify(message, &signature).unwrap();
        Ok(signature.to_compact().to_vec())
    }
}

/// Puts the shares of a FROST signature together; `None` if it does not verify.
pub fn verify(
    info: &KeyInfo,
    package: &[u8],
    shares: &[(PartyId, Vec<u8>)],
    message: &[u8],
) -> Option<Vec<u8>> {
    match info.spec.scheme {
        Scheme::Ed25519 => verify_of(&own::<Ed25519Sha512>(info), package, shares, message),
        Scheme::Taproot => verify_of(&account(info), package, shares, message),
        Scheme::Ed448 => verify_of(&own::<Ed448Shake256>(info), package, shares, message),
        _ => None,
    }
}

/// The public side of a key that signs itself.
pub fn own<S: Ciphersuite>(info: &KeyInfo) -> PublicKeyPackage<S> {
    PublicKeyPackage::from_bytes(&info.package).unwrap()
}

/// The output key of an account of Taproot.
fn account(info: &KeyInfo) -> PublicKeyPackage<Secp256k1Taproot> {
    let public = internal::PublicKeyPackage::from_bytes(&info.package).unwrap();
    public.tweak(None).unwrap()
}

pub fn verify_of<S: Ciphersuite>(
    public: &PublicKeyPackage<S>,
    package: &[u8],
    shares: &[(PartyId, Vec<u8>)],
    message: &[u8],
) -> Option<Vec<u8>> {
    let package = SigningPackage::<S>::from_bytes(package).ok()?;
    let shares = shares.iter().map(|(from, bytes)| SignatureShare::from_bytes(*from, bytes).ok());
    let signature = public.aggregate(&package, &shares.collect::<Option<Vec<_>>>()?).ok()?;
    public.verifying_key().verify(message, &signature).ok()?;
    Some(signature.to_bytes().as_ref().to_vec())
}
