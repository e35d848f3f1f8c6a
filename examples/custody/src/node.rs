//! A node: from its start to a signature, asking its database at every stage what is done already.

use std::path::PathBuf;
use std::sync::Arc;

use getrandom::SysRng;
use quorate::session::rand_core::UnwrapErr;
use quorate::session::zeroize::Zeroizing;
use quorate::session::{Recorded, Transcript};
use quorate::{Parties, PartyId, SealKey, SessionId};
use quorate_bignum::Engine;
use quorate_cggmp::{
    AuxInfo, AuxInfoGen, AuxInfoParams, AuxSearch, AuxSecrets, AuxStep, Claim, DerivationPath,
    KeyInfo, KeyShare, Keygen, KeygenParams, MessageDigest, PartialSignature, Presign,
    PresignParams, PresignatureInfo, Secp256k1, Signature,
};
use quorate_paillier::Level;

use super::mail::Mail;
use super::runner::{Ended, Runner};
use super::step::{Crash, Killed};
use super::store::Store;
use quorate_examples::failure::Failure;

// Runs. Their names are topics of the mail and, with a number or `end`, names of steps.
const KEYGEN: &str = "keygen";
const AUX_INFO: &str = "aux-info";
const PRESIGN: &str = "presign";
const SIGN: &str = "sign";

// Secrets in the database.
const PRIME_SEARCH: &str = "prime search";
const KEY_SHARE: &str = "key share";
/// The public side of the key, which is no secret; the share is opened with it.
const KEY_INFO: &str = "public side of the key";
const AUX: &str = "auxiliary information";
// Those that this node has, and does not know whether all others have.
const KEY_SHARE_UNCONFIRMED: &str = "key share, unconfirmed";
const AUX_UNCONFIRMED: &str = "auxiliary information, unconfirmed";

/// Results of a run, each with its name in the database.
type Rows = Vec<(&'static str, Zeroizing<Vec<u8>>)>;

/// The number of candidates that are tested before the search for primes is stored again.
const BUDGET: u64 = 512;

/// The settings that all nodes agree on, and those of this node.
#[derive(Clone)]
pub struct Config {
    /// This node.
    pub me: PartyId,
    /// All nodes.
    pub parties: Parties,
    /// Those that sign.
    pub signers: Parties,
    /// The threshold.
    pub threshold: u16,
    /// The size of the moduli.
    pub level: Level,
    /// A name for this custody that no other has; the ids of all sessions come from it.
    pub custody: [u8; 32],
    /// The message to be signed. A real node would ask somebody whether it is.
    pub message: Vec<u8>,
    /// The path of the database.
    pub database: PathBuf,
    /// The key that opens it, from a key service or the like: never from the same disk.
    pub seal_key: Arc<SealKey>,
}

impl Config {
    /// The settings that the others must have, too, line by line. Not secret.
    #[must_use]
    pub fn settings(&self) -> String {
        let list = |parties: &Parties| {
            let numbers = parties.iter().map(|party| party.to_string());
            numbers.collect::<Vec<_>>().join(",")
        };
        let (threshold, bits) = (self.threshold, self.level.modulus_bits());
        let (parties, signers) = (list(&self.parties), list(&self.signers));
        format!("threshold {threshold}\nparties {parties}\nsigners {signers}\nmoduli {bits}\n")
    }
}

/// The reason why a node ends.
#[derive(Debug)]
pub enum Stop {
    /// It was killed.
    Killed,
    /// The network is closed; nothing is left to do.
    Closed,
    /// It cannot go on.
    Failed(Failure),
}

impl From<Killed> for Stop {
    fn from(_: Killed) -> Self {
        Self::Killed
    }
}

impl<E: Into<Failure>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// A running node. Nothing in it is worth keeping.
pub struct Node {
    config: Config,
    engine: Engine,
    store: Store,
    mail: Mail,
    crash: Crash,
}

impl Node {
    /// Starts a node, for the first time or again.
    ///
    /// # Errors
    /// [`Stop::Failed`] if its database does not open.
    pub fn start(config: Config, mail: Mail, crash: Crash) -> Result<Self, Stop> {
        let store = Store::open_for(&config)?;
        mail.hello(&store)?;
        Ok(Self { config, engine: Engine::detect(), store, mail, crash })
    }

    /// Does all that is left to do, and returns the signature if this node is one of the signers.
    ///
    /// # Errors
    /// [`Stop`].
    pub fn work(&mut self) -> Result<Option<Signature<Secp256k1>>, Stop> {
        let key = self.key()?;
        let aux = self.aux_info()?;
        if !self.config.signers.contains(self.config.me) {
            return Ok(None);
        }
        let presignature = self.presign(&key, aux)?;
        self.sign(&key, &presignature).map(Some)
    }

    /// Answers peers that have to catch up, for as long as there are any.
    ///
    /// # Errors
    /// [`Stop::Closed`] in the end.
    pub fn serve(&mut self) -> Result<(), Stop> {
        self.mail.receive("nothing", &self.store).map(drop)
    }

    /// A run of a protocol among these parties.
    fn run<'a>(&'a mut self, name: &'static str, parties: &'a Parties) -> Runner<'a> {
        let mut transcript = Transcript::new("custody session");
        transcript.append("custody", &self.config.custody);
        transcript.append("name", name.as_bytes());
        let (sid, me) = (SessionId::new(transcript.finish32()), self.config.me);
        let Self { store, mail, crash, .. } = self;
        Runner { name, sid, me, parties, store, mail, crash }
    }

    /// Stores what has come of a run: the result, or, apart from it, one that not all have
    /// confirmed, which is for the operator to decide upon; and in any case that the run is over.
    fn end<T>(
        &mut self,
        ended: Ended<T>,
        [name, unconfirmed]: [&'static str; 2],
        rows: impl Fn(&'static str, &T) -> Rows,
    ) -> Result<T, Stop> {
        let Ended { result, end } = ended;
        match result {
            Ok(result) => {
                self.store.finish(&end, &rows(name, &result))?;
                Ok(result)
            }
            Err((why, Some(result))) => {
                self.store.finish(&end, &rows(unconfirmed, &result))?;
                Err(why.into())
            }
            Err((why, None)) => {
                self.store.bury(&end)?;
                Err(why.into())
            }
        }
    }

    /// The node's share of the key.
    fn key(&mut self) -> Result<Arc<KeyShare<Secp256k1>>, Stop> {
        if let Some(key) = stored_key(&self.store)? {
            return Ok(Arc::new(key));
        }
        let parties = self.config.parties.clone();
        let params = KeygenParams::new(self.config.threshold);
        let ended = self.run(KEYGEN, &parties).run::<Keygen<Secp256k1>>(params)?;
        let key = self.end(ended, [KEY_SHARE, KEY_SHARE_UNCONFIRMED], |name, key| {
            let info = Zeroizing::new(key.info().to_bytes());
            vec![(name, key.to_bytes()), (KEY_INFO, info)]
        })?;
        self.crash.passes("keygen-end")?;
        Ok(Arc::new(key))
    }

    /// The node's own primes. The search is stored as it goes; what comes out is determined when it
    /// begins, so that one that was interrupted ends with the same primes.
    fn secrets(&mut self) -> Result<AuxSecrets, Stop> {
        let (engine, level) = (&self.engine, self.config.level);
        let mut search = match self.store.get(PRIME_SEARCH)? {
            Some(saved) => AuxSearch::resume(engine, level, &saved)?,
            None => AuxSecrets::generate(engine, level, &mut UnwrapErr(SysRng))?,
        };
        loop {
            self.store.put(PRIME_SEARCH, &search.save())?;
            search = match search.step(BUDGET)? {
                AuxStep::Searching(search) => search,
                AuxStep::Done(secrets) => return Ok(secrets),
            };
            self.crash.passes("primes")?;
        }
    }

    /// The auxiliary information, which serves any number of keys.
    fn aux_info(&mut self) -> Result<Arc<AuxInfo>, Stop> {
        if let Some(bytes) = self.store.get(AUX)? {
            return Ok(Arc::new(AuxInfo::from_bytes(&self.engine, self.config.level, &bytes)?));
        }
        let parties = self.config.parties.clone();
        let params = AuxInfoParams::new(self.engine, Arc::new(self.secrets()?));
        let ended = self.run(AUX_INFO, &parties).run::<AuxInfoGen>(params)?;
        let aux =
            self.end(ended, [AUX, AUX_UNCONFIRMED], |name, aux| vec![(name, aux.to_bytes())])?;
        // The primes are in there.
        self.store.remove(PRIME_SEARCH)?;
        self.crash.passes("aux-info-end")?;
        Ok(Arc::new(aux))
    }

    /// The public side of the presignature. A real service keeps a stock of them, and its signers
    /// compare lists (`Presignatures::intersect`) before they take one.
    fn presign(
        &mut self,
        key: &Arc<KeyShare<Secp256k1>>,
        aux: Arc<AuxInfo>,
    ) -> Result<PresignatureInfo<Secp256k1>, Stop> {
        if let Some(info) = self.store.presignature_info()? {
            return Ok(info);
        }
        let signers = self.config.signers.clone();
        let params = PresignParams::new(self.engine, Arc::clone(key), aux);
        let Ended { result, end } =
            self.run(PRESIGN, &signers).run::<Presign<Secp256k1>>(params)?;
        let presignature = match result {
            Ok(presignature) => presignature,
            Err((why, _)) => {
                self.store.bury(&end)?;
                return Err(why.into());
            }
        };
        self.store.finish_presigning(&end, &presignature)?;
        self.crash.passes("presign-end")?;
        Ok(presignature.info().clone())
    }

    /// The signature, put together by every signer for itself.
    fn sign(
        &mut self,
        key: &KeyShare<Secp256k1>,
        presignature: &PresignatureInfo<Secp256k1>,
    ) -> Result<Signature<Secp256k1>, Stop> {
        let digest = MessageDigest::sha256(&self.config.message);
        if let Some(stored) = self.store.signature(digest.as_bytes())? {
            return Ok(Signature::from_recoverable(&stored)?);
        }
        let mut shares = vec![(self.config.me, self.own_share(key)?.to_bytes())];
        while shares.len() < self.config.signers.len() {
            let letter = self.mail.receive(SIGN, &self.store)?;
            let letter = letter.ok_or_else(|| Failure::new("not all shares have come"))?;
            // It may come twice.
            if shares.iter().all(|(from, _)| *from != letter.from) {
                shares.push((letter.from, letter.bytes));
            }
        }
        let itself = key.info().derivation(&DerivationPath::default())?;
        // Verified in there before it comes out; whoever sent a wrong share is named.
        let signature = presignature.combine(&itself, digest, shares)?;
        let bytes = signature.to_recoverable();
        let bytes = bytes.ok_or_else(|| Failure::new("a signature without a recovery id"))?;
        self.store.put_signature(digest.as_bytes(), &bytes)?;
        self.crash.passes("combine")?;
        Ok(signature)
    }

    /// This node's share of the signature: spent first, then released, then sent.
    fn own_share(
        &mut self,
        key: &KeyShare<Secp256k1>,
    ) -> Result<PartialSignature<Secp256k1>, Stop> {
        if let Some(bytes) = self.store.released(SIGN)? {
            // It was sent again at the start.
            return Ok(PartialSignature::from_bytes(&bytes)?);
        }
        let (claim, receipt) = spend(&mut self.store, key, &self.config.message)?;
        self.crash.passes("claim")?;
        let share = claim.release(receipt)?;
        self.store.release(SIGN, &share)?;
        self.crash.passes("release")?;
        self.mail.send(quorate::To::Everyone, SIGN, &share.to_bytes());
        Ok(share)
    }
}

/// Spends the presignature on a message. The record is in the database when this returns.
///
/// # Errors
/// A [`Failure`] if there is no presignature, or it was spent on another message.
pub fn spend(
    store: &mut Store,
    key: &KeyShare<Secp256k1>,
    message: &[u8],
) -> Result<(Claim<Secp256k1>, Recorded), Failure> {
    let presignature = store.presignature()?;
    let none = || Failure::new("there is no presignature left");
    let claim = presignature.ok_or_else(none)?.claim(key, &DerivationPath::default(), message)?;
    let receipt = claim.record().store(store)?;
    Ok((claim, receipt))
}

/// The key share in a node's database.
///
/// # Errors
/// A [`Failure`] if there is none yet.
pub fn key_in(store: &Store) -> Result<KeyShare<Secp256k1>, Failure> {
    stored_key(store)?.ok_or_else(|| Failure::new("there is no key yet"))
}

fn stored_key(store: &Store) -> Result<Option<KeyShare<Secp256k1>>, Failure> {
    let (Some(share), Some(info)) = (store.get(KEY_SHARE)?, store.get(KEY_INFO)?) else {
        return Ok(None);
    };
    Ok(Some(KeyShare::from_bytes(&share, &KeyInfo::from_bytes(&info)?)?))
}

/// Asks the database of a node that is not running to spend its presignature.
///
/// # Errors
/// A [`Failure`] if it was spent on something else.
pub fn spend_elsewhere(config: &Config, message: &[u8]) -> Result<(), Failure> {
    let mut store = Store::open_for(config)?;
    let key = key_in(&store)?;
    spend(&mut store, &key, message).map(drop)
}
