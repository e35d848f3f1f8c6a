//! A server of RFC 9497 in several processes: any two of them evaluate for a caller, and prove it under the one public key.

use std::collections::BTreeMap;
use std::time::Duration;

use getrandom::SysRng;
use quorate::frost::generic::PublicKeyPackage;
use quorate::prf::oprf::BlindedElement;
use quorate::prf::{
    AggregateError, Contribution, ProofNonces, ProofPackage, ProofShare, Query, Ristretto255Sha512,
    Voprf,
};
use quorate::session::rand_core::UnwrapErr;
use quorate::{Parties, PartyId};

use crate::Failure;
use crate::mesh::Mesh;
use crate::prf::{ASKING, Key, REFUSAL, ask, spoiled};
use crate::tool::check;

/// The kind of the key.
pub type Blind = Voprf<Ristretto255Sha512>;

/// The evaluations that each party makes for one caller; in life an hour's, and as many as there are logins.
pub const BUDGET: u32 = 8;
/// How long a caller waits for the key to be made.
const PATIENCE: Duration = Duration::from_mins(1);

/// The first byte of a message to a party says what is asked.
const EVALUATE: u8 = 1;
const PROVE: u8 = 2;
/// For demonstrations: somebody breaks in, and the next evaluation is wrong.
const INTRUDER: u8 = 3;
/// For demonstrations: somebody switches the party off.
const UNPLUG: u8 = 4;

/// A caller's connection to the parties. It holds no secret.
pub struct Gateway<'m> {
    mesh: &'m mut Mesh,
    parties: Vec<PartyId>,
    public: PublicKeyPackage<Blind>,
    /// The parties that evaluated wrongly.
    pub cheaters: Vec<PartyId>,
}

impl<'m> Gateway<'m> {
    /// Takes the public side of the key, on which all parties have to agree. In life it is a part of the configuration.
    ///
    /// # Errors
    /// If a party is silent, or says something else than the others.
    pub fn new(mesh: &'m mut Mesh, parties: &Parties) -> Result<Self, Failure> {
        let mut said = Vec::new();
        for _ in parties.iter() {
            said.push(mesh.receive(ASKING, PATIENCE).ok_or("a party is silent")?.1);
        }
        check(said.iter().all(|one| *one == said[0]), "the parties have different keys")?;
        let public = PublicKeyPackage::from_bytes(&said[0])?;
        Ok(Self { mesh, parties: parties.iter().collect(), public, cheaters: Vec::new() })
    }

    /// The public key, as RFC 9497 encodes it.
    #[must_use]
    pub fn public_key(&self) -> [u8; 32] {
        self.public.verifying_key().to_bytes()
    }

    /// The evaluated element and the proof, by the first two parties that answer as they should.
    ///
    /// # Errors
    /// Why fewer than two do. A party whose answer in the second round is wrong or missing ends it, and the caller tries again.
    pub fn evaluate(&mut self, element: &[u8]) -> Result<(Vec<u8>, Vec<u8>), Failure> {
        let query = Query::blinded(&self.public, &[BlindedElement::from_bytes(element)?])?;
        let (mut contributions, mut reasons) = (Vec::new(), Vec::new());
        for party in self.parties.clone() {
            if contributions.len() == 2 {
                break;
            }
            match self.contribution(&query, party, element) {
                Ok(contribution) => contributions.push(contribution),
                Err(why) => reasons.push(why.to_string()),
            }
        }
        if contributions.len() < 2 {
            return Err(reasons.join("; ").into());
        }
        let package = ProofPackage::new(&self.public, &query, contributions)?;
        let mut shares = Vec::new();
        for party in package.parties() {
            let answer = ask(self.mesh, party, &[&[PROVE], &package.to_bytes()[..]].concat())?;
            shares.push(ProofShare::from_bytes(party, &answer)?);
        }
        let proof = package.aggregate(&shares)?.to_bytes();
        let elements = package.evaluation().elements();
        Ok((elements.first().ok_or("no element")?.to_bytes().to_vec(), proof))
    }

    /// One party's contribution, whose proof verifies.
    fn contribution(
        &mut self,
        query: &Query<Blind>,
        party: PartyId,
        element: &[u8],
    ) -> Result<Contribution<Blind>, Failure> {
        let answer = ask(self.mesh, party, &[&[EVALUATE], element].concat())?;
        let contribution = Contribution::from_bytes(party, &answer)?;
        let checked = query.verify_share(&self.public, contribution.evaluation_share());
        if let Err(AggregateError::Cheaters(cheaters)) = &checked {
            self.cheaters.extend(cheaters);
        }
        checked?;
        Ok(contribution)
    }

    /// Of the demonstration: lets an intruder into a party, for one evaluation.
    ///
    /// # Errors
    /// If the party is down.
    pub fn break_into(&mut self, party: PartyId) -> Result<(), Failure> {
        ask(self.mesh, party, &[INTRUDER]).map(drop)
    }

    /// Of the demonstration: switches a party off.
    ///
    /// # Errors
    /// If it is off already.
    pub fn unplug(&mut self, party: PartyId) -> Result<(), Failure> {
        Ok(self.mesh.send(party, ASKING, &[UNPLUG])?)
    }
}

/// A party: makes the key with the others, and answers callers.
///
/// # Errors
/// The run's that makes the key, or the system's.
pub fn serve(mesh: &mut Mesh, parties: &Parties) -> Result<(), Failure> {
    let key = Key::<Blind>::make(mesh, parties)?;
    let caller = PartyId::new(1).ok_or("zero")?;
    mesh.send(caller, ASKING, &key.public.to_bytes())?;
    let (mut callers, mut intruder) = (BTreeMap::<_, Caller>::new(), false);
    while let Some((from, message)) = mesh.order(ASKING) {
        let mut answer = match message.as_slice() {
            [UNPLUG] => return Ok(()),
            [INTRUDER] => {
                intruder = true;
                b"done".to_vec()
            }
            // The transport says who calls.
            message => callers.entry(from).or_default().answer(&key, message),
        };
        if message.first() == Some(&EVALUATE) && core::mem::take(&mut intruder) {
            answer = spoiled::<Blind>(&answer);
        }
        mesh.send(from, ASKING, &answer)?;
    }
    Ok(())
}

/// A party's record of one caller.
#[derive(Default)]
struct Caller {
    /// In life in a database, and set to zero each hour.
    evaluations: u32,
    /// The evaluation that waits for its proof.
    open: Option<(Query<Blind>, ProofNonces<Blind>)>,
}

impl Caller {
    fn answer(&mut self, key: &Key<Blind>, message: &[u8]) -> Vec<u8> {
        let answer = match message {
            [EVALUATE, element @ ..] => self.evaluate(key, element),
            [PROVE, package @ ..] => self.prove(key, package),
            _ => Err("no such request".into()),
        };
        // In life the reason is in a log.
        answer.unwrap_or_else(|_| REFUSAL.to_vec())
    }

    /// Counts first: whatever comes of it, the caller has used one evaluation.
    fn evaluate(&mut self, key: &Key<Blind>, element: &[u8]) -> Result<Vec<u8>, Failure> {
        check(self.evaluations < BUDGET, "too many guesses")?;
        self.evaluations += 1;
        let query = Query::blinded(&key.public, &[BlindedElement::from_bytes(element)?])?;
        let (nonces, own) = query.contribute(&key.share, &mut UnwrapErr(SysRng))?;
        self.open = Some((query, nonces));
        Ok(own.to_bytes())
    }

    fn prove(&mut self, key: &Key<Blind>, package: &[u8]) -> Result<Vec<u8>, Failure> {
        let (query, nonces) = self.open.take().ok_or("nothing was evaluated")?;
        let package = ProofPackage::from_bytes(&key.public, &query, package)?;
        Ok(package.prove(&key.share, nonces)?.to_bytes())
    }
}
