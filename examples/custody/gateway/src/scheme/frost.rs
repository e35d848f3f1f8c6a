//! Keys of FROST, and their children.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use custody_core::{
    Certificate, Child, DerivationPath, Derivations, Material, Reason, Refusal, Root, Scheme, Sign,
};
use quorate::PartyId;
use quorate::frost::generic::{
    AggregateError, Ciphersuite, Commitments, Coordinator, DecodeError, PublicKeyPackage,
    RootSuite, SigningPackage, SigningSession,
};
use quorate::keys::PackageId;
use quorate_purpose::Message;

use super::{AttemptState, Failed, Family, Item, Read, Session, message};
use crate::state::{Signature, refuse as refused};

/// The coordinator of the signatures of a child, and its public key.
struct Signer<S: Ciphersuite> {
    coordinator: Coordinator<S>,
    public_key: Vec<u8>,
}

/// A key of FROST, whose descendants sign.
pub(super) struct Frost<R: RootSuite> {
    public: PublicKeyPackage<R>,
    signers: Derivations<Signer<R::Descendant>>,
    /// The key itself, whose nonces serve its children, too.
    package: PackageId,
    scheme: Scheme,
    root: Root,
}

impl<R: RootSuite> Frost<R> {
    pub(super) fn new(certificate: &Certificate) -> Result<Self, Refusal> {
        let public = PublicKeyPackage::<R>::from_bytes(&certificate.package);
        let public = public.map_err(|why| refused(Reason::Malformed, why))?;
        let own = public.descendant(&DerivationPath::default());
        let package = own.map_err(|why| refused(Reason::Malformed, why))?.package_id();
        let root = certificate.root.clone();
        let root = root.ok_or_else(|| refused(Reason::Malformed, "the key has no root"))?;
        let signers = Derivations::default();
        Ok(Self { public, signers, package, scheme: certificate.spec.scheme, root })
    }

    fn signer(&self, child: &Child) -> Result<Arc<Signer<R::Descendant>>, Refusal> {
        self.signers.at(child, |child| {
            let scripts = child.merkle_root.map(|root| root.0);
            let public = self.public.descendant_output(&child.path, scripts);
            let public = public.map_err(|why| refused(Reason::WrongPath, why))?;
            let public_key = self.root.public_key(self.scheme, child)?;
            Ok(Signer { coordinator: Coordinator::new(public), public_key })
        })
    }

    fn message(&self, sign: &Sign) -> Result<Message, Refusal> {
        message(sign, self.scheme)
    }
}

impl<R: RootSuite> Family for Frost<R> {
    fn items(&self, from: PartyId, listed: Vec<Vec<u8>>) -> Vec<Item> {
        let all = Commitments::<R::Descendant>::from_bytes_many(from, &listed);
        let item = |(bytes, read): (Vec<u8>, Result<Commitments<R::Descendant>, DecodeError>)| {
            let own = read.ok().filter(|own| own.package_id() == self.package)?;
            let (name, signers) = (own.nonce_id().0, vec![from.get()]);
            Some(Item { name, signers, bytes, read: Read::new(own) })
        };
        listed.into_iter().zip(all).filter_map(item).collect()
    }

    fn check(&self, sign: &Sign) -> Result<(), Refusal> {
        self.message(sign)?;
        self.signer(&sign.child()).map(drop)
    }

    /// The PEM of RFC 8410. Keys of Taproot have none.
    fn spki(&self, public_key: &[u8]) -> Option<String> {
        let head: &[u8] = match self.scheme {
            Scheme::Ed25519 => &[0x30, 42, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 33, 0],
            Scheme::Ed448 => &[0x30, 67, 0x30, 5, 6, 3, 0x2b, 0x65, 0x71, 3, 58, 0],
            _ => return None,
        };
        let text = STANDARD.encode([head, public_key].concat());
        let lines = text.as_bytes().chunks(64).map(String::from_utf8_lossy).collect::<Vec<_>>();
        Some(format!(
            "-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n",
            lines.join("\n")
        ))
    }

    fn begin(&self, sign: &Sign, items: &[Item]) -> Result<(Material, Box<dyn Session>), Refusal> {
        let message = self.message(sign)?;
        let raw = message.raw().ok_or_else(|| refused(Reason::WrongPurpose, "not for FROST"))?;
        let signer = self.signer(&sign.child())?;
        let mut commitments = Vec::new();
        for (item, party) in items.iter().flat_map(|item| item.signers().map(move |id| (item, id)))
        {
            let read = item.read.get::<Commitments<R::Descendant>>().copied();
            let own = read.map_or_else(|| Commitments::from_bytes(party, &item.bytes), Ok);
            let own = own.map_err(|why| refused(Reason::WrongMaterial, why))?;
            let own = own.for_child(self.package, signer.coordinator.public());
            commitments.push(own.map_err(|why| refused(Reason::WrongMaterial, why))?);
        }
        let session = signer.coordinator.start_with(commitments, raw);
        let session = session.map_err(|why| refused(Reason::WrongMaterial, why))?;
        let material = Material::Nonces { package: session.package().to_bytes() };
        Ok((material, Box::new(FrostSession { signer, session: Some(session) })))
    }

    fn join(
        &self,
        sign: &Sign,
        material: &Material,
    ) -> Result<(Vec<PartyId>, Box<dyn Session>), Refusal> {
        let wrong = |why: &dyn core::fmt::Display| refused(Reason::WrongMaterial, why);
        let Material::Nonces { package } = material else {
            return Err(wrong(&"the scheme signs with nonces"));
        };
        let package = SigningPackage::<R::Descendant>::from_bytes(package);
        let package = package.map_err(|why| wrong(&why))?;
        let message = self.message(sign)?;
        if message.raw() != Some(package.message()) {
            return Err(wrong(&"the package is for another message"));
        }
        let signer = self.signer(&sign.child())?;
        let signers = package.signers().to_vec();
        let commitments = signers.iter().filter_map(|party| package.commitments_of(*party));
        let session = signer.coordinator.start_with(commitments, package.message());
        let session = session.map_err(|why| wrong(&why))?;
        Ok((signers, Box::new(FrostSession { signer, session: Some(session) })))
    }
}

struct FrostSession<S: Ciphersuite> {
    signer: Arc<Signer<S>>,
    session: Option<SigningSession<S>>,
}

impl<S: Ciphersuite> Session for FrostSession<S> {
    fn receive(&mut self, from: PartyId, share: &[u8]) -> AttemptState {
        let Some(session) = &mut self.session else { return AttemptState::Waiting };
        if let Err(why) = session.receive(from, share) {
            let (unfit, why) = (vec![(from, why.to_string())], why.to_string());
            return AttemptState::Failed(Failed { unfit, why, ..Failed::default() });
        }
        if session.waiting_for().next().is_some() {
            return AttemptState::Waiting;
        }
        let Some(session) = self.session.take() else { return AttemptState::Waiting };
        match self.signer.coordinator.aggregate(session) {
            Ok(signature) => AttemptState::Signed(Signature {
                bytes: signature.to_bytes().as_ref().to_vec(),
                recovery_id: None,
                public_key: self.signer.public_key.clone(),
            }),
            Err(error) => AttemptState::Failed(failure(error)),
        }
    }
}

fn failure(error: AggregateError) -> Failed {
    let why = error.to_string();
    let cheaters = error.culprits().iter().map(|party| (*party, why.clone())).collect();
    let unfit = match error {
        AggregateError::OtherPackage(party)
        | AggregateError::Mismatch { party: Some(party), .. } => vec![(party, why.clone())],
        _ => Vec::new(),
    };
    Failed { cheaters, unfit, why }
}
