//! Parties 2 and 3 of the tests in Go. Commands come in as lines, and each answer ends with a line that has a dot alone.
//!
//! | command | answer |
//! |---|---|
//! | `keygen SID SCHEME T`, `aux SID`, `presign SID COUNT` | starts a run of parties 1, 2 and 3: lines `frame FROM HEX` for party 1 |
//! | `mldsa-keygen SID LEVEL T`, `mldsa-attempt SID NUMBER MESSAGE CONTEXT` | the same |
//! | `frame TO HEX` | none: a frame of party 1 |
//! | `turn` | advances: lines `frame FROM HEX` for party 1, and `done` at the end |
//! | `commit PARTY`, `sign PARTY PACKAGE` | FROST: `bytes HEX` |
//! | `spend PARTY INDEX PATH MESSAGE` | ECDSA: `bytes HEX`, a signature share with a presignature of the last run |

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::io::{BufRead as _, Write as _, stdin, stdout};
use std::sync::{Arc, Mutex, PoisonError};
use std::{env, fs};

use quorate_ffi::{
    AuxInfo, AuxSearch, AuxSecrets, KeyShare, MessageHash, MlDsaKeyShare, MlDsaLevel, Nonces,
    Outcome, Outgoing, Presignature, Progress, QuorateError, Scheme, SealKey, Session,
    SigningPackage, SpentTable, TableEntry, TableError, Task,
};

const PARTIES: [u16; 3] = [1, 2, 3];
const OWN: [u16; 2] = [2, 3];

type Fallible<T> = Result<T, Box<dyn Error>>;

/// An error as text: that of the library has no other form.
fn told<T>(result: Result<T, QuorateError>) -> Fallible<T> {
    result.map_err(|error| format!("{error:?}").into())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Fallible<Vec<u8>> {
    let digits: Vec<u32> =
        text.chars().map(|digit| digit.to_digit(16).ok_or("no hex")).collect::<Result<_, _>>()?;
    Ok(digits
        .chunks(2)
        .map(|pair| u8::try_from(pair[0] * 16 + pair[1]))
        .collect::<Result<_, _>>()?)
}

/// The table of spent names.
#[derive(Default)]
struct Table(Mutex<HashMap<Vec<u8>, Vec<u8>>>);

impl SpentTable for Table {
    fn record(&self, id: Vec<u8>, digest: Vec<u8>) -> Result<TableEntry, TableError> {
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = table.entry(id).or_insert_with(|| digest.clone());
        Ok(if *before == digest {
            TableEntry::New
        } else {
            TableEntry::Before { digest: before.clone() }
        })
    }
}

/// Both parties.
#[derive(Default)]
struct Peers {
    sessions: BTreeMap<u16, Arc<Session>>,
    secrets: BTreeMap<u16, Arc<AuxSecrets>>,
    shares: BTreeMap<u16, Arc<KeyShare>>,
    mldsa_shares: BTreeMap<u16, Arc<MlDsaKeyShare>>,
    aux: BTreeMap<u16, Arc<AuxInfo>>,
    presignatures: BTreeMap<u16, Vec<Arc<Presignature>>>,
    nonces: BTreeMap<u16, Arc<Nonces>>,
    table: Arc<Table>,
}

impl Peers {
    /// The value of a party.
    fn of<T>(values: &BTreeMap<u16, Arc<T>>, party: u16) -> Fallible<Arc<T>> {
        Ok(Arc::clone(values.get(&party).ok_or("nothing of this party")?))
    }

    /// Starts a run of all parties, and gives the frames for party 1.
    fn start(
        &mut self,
        sid: &str,
        task: impl Fn(&Self, u16) -> Fallible<Task>,
    ) -> Fallible<Vec<String>> {
        let sid = unhex(sid)?;
        self.sessions.clear();
        for me in OWN {
            let session = Session::start(sid.clone(), me, PARTIES.to_vec(), task(self, me)?);
            self.sessions.insert(me, told(session)?);
        }
        let mut lines = Vec::new();
        for (from, session) in &self.sessions {
            self.route(*from, told(session.outgoing())?, &mut lines)?;
        }
        Ok(lines)
    }

    /// Delivers messages to the other party here, and writes those for party 1.
    fn route(&self, from: u16, messages: Vec<Outgoing>, lines: &mut Vec<String>) -> Fallible<()> {
        for Outgoing { recipient, bytes } in messages {
            if recipient.is_none_or(|to| to == 1) {
                lines.push(format!("frame {from} {}", hex(&bytes)));
            }
            let others = self.sessions.iter().filter(|(to, _)| {
                **to != from && recipient.is_none_or(|recipient| recipient == **to)
            });
            for (_, session) in others {
                told(session.receive(from, bytes.clone()))?;
            }
        }
        Ok(())
    }

    /// Advances as far as the frames allow.
    fn turn(&mut self) -> Fallible<Vec<String>> {
        let (mut lines, mut ended) = (Vec::new(), Vec::new());
        for (me, session) in &self.sessions {
            match told(session.advance())? {
                Progress::Waiting | Progress::Working => {}
                Progress::Round => self.route(*me, told(session.outgoing())?, &mut lines)?,
                Progress::Done => ended.push((*me, told(session.outcome())?)),
                Progress::Unconfirmed => return Err("a run was not confirmed".into()),
            }
        }
        for (me, outcome) in ended {
            self.sessions.remove(&me);
            match outcome {
                Outcome::KeyMade { share } => drop(self.shares.insert(me, share)),
                Outcome::MlDsaKeyMade { share } => drop(self.mldsa_shares.insert(me, share)),
                // Party 1 looks at the signature.
                Outcome::MlDsaAttempted { .. } => {}
                Outcome::AuxInfoMade { aux } => drop(self.aux.insert(me, aux)),
                Outcome::Presigned { presignatures } => {
                    drop(self.presignatures.insert(me, presignatures));
                }
                _ => return Err("an outcome that was not asked for".into()),
            }
        }
        if self.sessions.is_empty() {
            lines.push("done".into());
        }
        Ok(lines)
    }

    /// Opens the searches of parties 2 and 3, which are just before their end.
    fn search(&mut self) -> Fallible<()> {
        let folder = env::args().nth(1).ok_or("the folder of the searches is missing")?;
        for me in OWN {
            let sealed = fs::read(format!("{folder}/search-{me}.bin"))?;
            let search = told(AuxSearch::open(sealed, told(SealKey::new(&[7; 32]))?))?;
            let secrets = loop {
                if let Some(secrets) = told(search.step(100))? {
                    break secrets;
                }
            };
            self.secrets.insert(me, secrets);
        }
        Ok(())
    }

    fn sign(&mut self, party: u16, package: &str) -> Fallible<Vec<u8>> {
        let share = Self::of(&self.shares, party)?;
        let package = told(SigningPackage::from_bytes(share.scheme(), unhex(package)?))?;
        told(share.sign(package, Self::of(&self.nonces, party)?))
    }

    fn spend(&self, party: u16, index: usize, path: &str, message: &str) -> Fallible<Vec<u8>> {
        let all = self.presignatures.get(&party).ok_or("no presignatures")?;
        let one = all.get(index).ok_or("no such presignature")?;
        let (share, table) = (Self::of(&self.shares, party)?, Arc::clone(&self.table));
        told(one.sign(share, path.into(), unhex(message)?, MessageHash::Sha256, table))
    }

    fn answer(&mut self, line: &str) -> Fallible<Option<Vec<String>>> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let bytes = |bytes: &[u8]| vec![format!("bytes {}", hex(bytes))];
        Ok(Some(match *words.as_slice() {
            ["keygen", sid, scheme, threshold] => {
                let (scheme, threshold) = (self::scheme(scheme.parse()?)?, threshold.parse()?);
                self.start(sid, |_, _| Ok(Task::Keygen { scheme, threshold }))?
            }
            ["aux", sid] => {
                self.search()?;
                self.start(sid, |this, me| {
                    Ok(Task::MakeAuxInfo { secrets: Self::of(&this.secrets, me)? })
                })?
            }
            ["presign", sid, count] => {
                let count = count.parse()?;
                self.start(sid, |this, me| {
                    let (share, aux) = (Self::of(&this.shares, me)?, Self::of(&this.aux, me)?);
                    Ok(Task::PresignMany { share, aux, count })
                })?
            }
            ["mldsa-keygen", sid, level, threshold] => {
                let (level, threshold) = (self::level(level)?, threshold.parse()?);
                self.start(sid, |_, _| Ok(Task::MlDsaKeygen { level, threshold }))?
            }
            ["mldsa-attempt", sid, number, message, context] => {
                let (message, context) = (unhex(message)?, unhex(context)?);
                let (number, id) = (number.parse()?, unhex(sid)?);
                self.start(sid, |this, me| {
                    let share = Self::of(&this.mldsa_shares, me)?;
                    let (message, context) = (message.clone(), context.clone());
                    let table = Arc::clone(&this.table);
                    let attempt = share.attempt(
                        number,
                        id.clone(),
                        PARTIES.to_vec(),
                        message,
                        context,
                        table,
                    );
                    Ok(Task::MlDsaSign { attempt: told(attempt)? })
                })?
            }
            ["frame", to, frame] => {
                let session = Self::of(&self.sessions, to.parse()?)?;
                told(session.receive(1, unhex(frame)?))?;
                return Ok(None);
            }
            ["turn"] => self.turn()?,
            ["commit", party] => {
                let party = party.parse()?;
                let nonces = told(Self::of(&self.shares, party)?.commit())?;
                let commitments = nonces.commitments();
                self.nonces.insert(party, nonces);
                bytes(&commitments)
            }
            ["sign", party, package] => bytes(&self.sign(party.parse()?, package)?),
            ["spend", party, index, path, message] => {
                bytes(&self.spend(party.parse()?, index.parse()?, path, message)?)
            }
            _ => return Err(format!("no command: {line}").into()),
        }))
    }
}

fn scheme(code: u8) -> Fallible<Scheme> {
    let all = [
        Scheme::FrostEd25519,
        Scheme::FrostRistretto255,
        Scheme::FrostEd448,
        Scheme::FrostP256,
        Scheme::FrostSecp256k1,
        Scheme::FrostTaproot,
        Scheme::EcdsaP256,
        Scheme::EcdsaSecp256k1,
    ];
    Ok(all.into_iter().find(|scheme| *scheme as u8 == code).ok_or("no such scheme")?)
}

fn level(text: &str) -> Fallible<MlDsaLevel> {
    let all = [MlDsaLevel::MlDsa44, MlDsaLevel::MlDsa65, MlDsaLevel::MlDsa87];
    Ok(all.into_iter().find(|level| (*level as u8).to_string() == text).ok_or("no such level")?)
}

fn main() -> Fallible<()> {
    let mut peers = Peers::default();
    for line in stdin().lock().lines() {
        if let Some(lines) = peers.answer(&line?)? {
            let mut out = stdout().lock();
            for line in lines {
                writeln!(out, "{line}")?;
            }
            writeln!(out, ".")?;
            out.flush()?;
        }
    }
    Ok(())
}
