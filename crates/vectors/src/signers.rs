//! The signers of threshold ECDSA: their shares and auxiliary information, from the files that have them, and the vectors of
//! presigning and signing.

use std::collections::BTreeMap;
use std::sync::Arc;

use quorate::PartyId;
use quorate::ecdsa::{
    AuxInfo, DerivationPath, Ecdsa, EcdsaCurve, KeyShare, MessageDigest, Presign, PresignMany,
    PresignManyParams, PresignParams, Presignature, PresignatureInfo, PublicKeyPackage, RawDigest,
    Sign, SignParams, Signature,
};
use quorate::keys::Family as _;
use quorate::session::{Protocol, SpentInMemory};
use quorate_testkit::unhex;
use serde_json::Value;

use crate::frost::MESSAGE;
use crate::json::{Json, object};
use crate::keys::GENERATION;
use crate::record::own;
use crate::run::Script;
use crate::seeds::{Seeds, ceremony};
use crate::shapes::Shape;
use crate::terms::{Item, Terms, package};

/// The number of presignatures of a run in bulk.
const COUNT: u16 = 3;
/// The path of the child key that signs with a presignature of the run in bulk.
const PATH: &str = "m/44/0/7";

/// Shares of a signature.
pub(crate) struct Shares<C: EcdsaCurve> {
    /// The public side of the presignature.
    pub(crate) info: PresignatureInfo<C>,
    /// The signers, with the records of what they spend.
    pub(crate) players: Vec<Json>,
    /// The shares, with their senders.
    pub(crate) sent: Vec<(PartyId, Vec<u8>)>,
}

/// The signers of a group.
pub(crate) struct Signers<C: EcdsaCurve> {
    /// The group.
    pub(crate) shape: Shape,
    /// The shares of the key.
    pub(crate) keys: BTreeMap<PartyId, Arc<KeyShare<C>>>,
    /// The auxiliary information.
    pub(crate) aux: BTreeMap<PartyId, Arc<AuxInfo>>,
    /// The name of the file of the key, and of that of the auxiliary information.
    pub(crate) files: [String; 2],
}

impl<C: EcdsaCurve> Signers<C> {
    /// The signers of a group, from the files of its key and of the auxiliary information, which have these names.
    pub(crate) fn read(
        shape: Shape,
        bits: u32,
        [keys, aux]: [&Value; 2],
        files: [String; 2],
    ) -> Self {
        let level = crate::aux_info::level(bits);
        let results = |file, ceremony, party: PartyId| {
            let results = self::ceremony(file, ceremony)["results"].as_array();
            let mut results = results.expect("a list of results").iter();
            let result = results.find(|one| one["party"] == party.get()).expect("this party");
            result["result"].clone()
        };
        let bytes = |value: &Value| unhex(value.as_str().expect("hexadecimal digits"));
        let key = |party| {
            let result = results(keys, GENERATION, party);
            let public = &ceremony(keys, GENERATION)["public_result"];
            let public = PublicKeyPackage::from_bytes(&bytes(public)).expect("a key");
            KeyShare::from_bytes(&bytes(&result["share"]), &public).expect("a share")
        };
        let info = |party| {
            let result = results(aux, crate::aux_info::CEREMONY, party);
            let info = AuxInfo::from_bytes(level, &bytes(&result["auxiliary_information"]));
            info.expect("auxiliary information")
        };
        let signers = shape.signers();
        Self {
            shape,
            keys: signers.iter().map(|party| (party, Arc::new(key(party)))).collect(),
            aux: signers.iter().map(|party| (party, Arc::new(info(party)))).collect(),
            files,
        }
    }

    /// The public side of the key.
    pub(crate) fn public(&self) -> &PublicKeyPackage<C> {
        self.keys.values().next().expect("a share").public()
    }

    /// The auxiliary information of one of them.
    pub(crate) fn first_aux(&self) -> &AuxInfo {
        self.aux.values().next().expect("auxiliary information")
    }

    /// A run of these signers. The terms end with `more`.
    fn script<P: Protocol>(
        &self,
        ceremony: &str,
        seeds: &Seeds<'_>,
        more: Option<Item>,
        params: impl Fn(PresignParams<C>) -> P::Params,
    ) -> Script<P> {
        let mut bound = package(Ecdsa::<C>::NAME, self.public().package_id());
        bound.push(Item::Bytes("aux-info", self.first_aux().digest().to_vec()));
        bound.extend(more);
        let common = object! { "public": Json::hex(self.public().to_bytes()) };
        let terms = Terms::new(ceremony, seeds, self.shape.signers(), bound).with(common);
        Script::new(terms, seeds, |party| {
            let (key, aux) = (Arc::clone(&self.keys[&party]), Arc::clone(&self.aux[&party]));
            (params(PresignParams::new(key, aux)), object! {})
        })
    }

    /// A run for one presignature.
    pub(crate) fn presigning(&self, seeds: &Seeds<'_>) -> Script<Presign<C>> {
        self.script("presigning", seeds, None, |one| one)
    }

    /// A run for some presignatures.
    fn in_bulk(&self, seeds: &Seeds<'_>) -> Script<PresignMany<C>> {
        let count = Item::Bytes("presignatures", COUNT.to_be_bytes().to_vec());
        let params = |one| PresignManyParams::new(one, COUNT);
        self.script("presigning in bulk", seeds, Some(count), params)
    }

    /// A run that signs at once.
    pub(crate) fn signing(&self, seeds: &Seeds<'_>) -> Script<Sign<C>> {
        let digest = Item::Bytes("digest", digest::<C>().as_bytes().to_vec());
        let params = |one| SignParams::new(one, self::digest::<C>());
        self.script("signing in one session", seeds, Some(digest), params)
    }

    /// The file of these signers.
    pub(crate) fn file(&self, bits: u32, seeds: &Seeds<'_>) -> Json {
        let (detail, name) = crate::aux_info::detail(bits, self.shape.all);
        let one = self.presigning(seeds).honest();
        let mut ceremonies = vec![one.json(detail, |one| own(presignature(one)))];
        let path = DerivationPath::default();
        let made = one.into_results().map(|(_, one)| one);
        ceremonies.push(self.signed("signing", made, (&path, "m")));
        let many = self.in_bulk(seeds).honest();
        let result = |all: &Vec<_>| {
            own(object! { "presignatures": Json::list(all.iter().map(presignature)) })
        };
        ceremonies.push(many.json(detail, result));
        let path = PATH.parse().expect("a path");
        let made = many.into_results().map(|(_, mut all)| all.remove(1));
        ceremonies.push(self.signed("signing with a child key", made, (&path, PATH)));
        ceremonies.push(self.signing(seeds).honest().json(detail, |one| own(forms(one))));
        object! {
            "scheme": "ECDSA",
            "curve": C::NAME,
            "level": bits,
            "n": self.shape.all.len(),
            "t": self.shape.threshold,
            "detail": name,
            "key_file": self.files[0].clone(),
            "auxiliary_information_file": self.files[1].clone(),
            "ceremonies": ceremonies,
        }
    }

    /// A signature from a presignature of all signers.
    fn signed(
        &self,
        ceremony: &str,
        made: impl Iterator<Item = Presignature<C>>,
        (path, text): (&DerivationPath, &str),
    ) -> Json {
        let digest = MessageDigest::sha256(MESSAGE);
        let Shares { info, players, sent } = self.shares(made, path);
        let child = self.public().derivation(path).expect("a child");
        let signature = info.aggregate(&child, digest, sent).expect("a signature");
        let key = self.public().derive(path).expect("a child");
        let check = |message: &[u8]| {
            let valid = key.verifying_key().verify(message, &signature).is_ok();
            let key = key.verifying_key().as_bytes().as_ref();
            object! { "key": key, "message": message, "valid": valid }
        };
        object! {
            "ceremony": ceremony,
            "kind": "call",
            "public": Json::hex(self.public().to_bytes()),
            "presignature_public": Json::hex(info.to_bytes()),
            "path": text,
            "tweak": C::encode_scalar(&child.tweak).as_ref(),
            "message": MESSAGE,
            "digest": Json::hex(digest.as_bytes()),
            "players": players,
        }
        .and(forms(&signature))
        .and(object! { "checks": Json::list([check(MESSAGE), check(b"another message")]) })
    }

    /// Shares of a signature from a presignature of all signers, each spent in a table of its own.
    pub(crate) fn shares(
        &self,
        made: impl Iterator<Item = Presignature<C>>,
        path: &DerivationPath,
    ) -> Shares<C> {
        let digest = MessageDigest::sha256(MESSAGE);
        let (mut players, mut sent, mut info) = (Vec::new(), Vec::new(), None);
        for one in made {
            let (party, name) = (one.party_id(), one.id());
            info = Some(one.info().clone());
            let claim = one.claim(&self.keys[&party], path, digest).expect("its own presignature");
            let record = claim.record();
            let receipt = record.store(&mut SpentInMemory::new()).expect("unspent");
            let (spent_name, spent_digest) = (Json::hex(record.id), Json::hex(record.digest));
            let share = claim.release(receipt).expect("its own receipt").to_bytes();
            players.push(object! {
                "party": party.get(),
                "presignature": Json::hex(name.to_bytes()),
                "spent_name": spent_name,
                "spent_digest": spent_digest,
                "signature_share": Json::hex(&share),
            });
            sent.push((party, share));
        }
        Shares { info: info.expect("a presignature"), players, sent }
    }
}

/// The digest of the message that is signed.
pub(crate) fn digest<C: EcdsaCurve>() -> RawDigest {
    RawDigest::of_message::<C>(MESSAGE)
}

/// The members for a presignature.
pub(crate) fn presignature<C: EcdsaCurve>(one: &Presignature<C>) -> Json {
    object! {
        "presignature": Json::hex(one.to_bytes()),
        "name": Json::hex(one.id().name()),
        "digest": Json::hex(one.info().digest()),
    }
}

/// The forms of a signature.
pub(crate) fn forms<C: EcdsaCurve>(signature: &Signature<C>) -> Json {
    object! {
        "signature": Json::hex(signature.to_compact()),
        "recoverable": signature.to_recoverable().map(Json::hex),
        "der": Json::hex(signature.to_der()),
    }
}
