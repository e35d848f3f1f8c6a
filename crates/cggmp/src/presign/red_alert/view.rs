//! The public view of a red alert.

use alloc::vec::Vec;

use quorate_bignum::Engine;
use quorate_paillier::Ciphertext;
use quorate_session::{Fault, PartyId, PerParty, wire::Reader};
use quorate_zk::{Own, ReceivedProof, pi_aff_g_star, pi_dec};

use super::messages::{AlertMessage, MtaPair, Shown, aff_g_star_bytes, dec_bytes};
use crate::EcdsaCurve;
use crate::presign::factor::{ByFactor, Factor, Pair};
use crate::presign::view::{View as Presigning, WrongSum};
use crate::proofs::{Refusal, first_refusal, verify};

const DEC: &str = "red alert dec ";
const AFF_G_STAR: &str = "red alert aff-g* ";

/// The view of the presigning that failed, and the presignature and the factor whose sum is wrong.
#[derive(Clone, Copy)]
pub(crate) struct View<'v, C: EcdsaCurve> {
    pub(crate) presigning: &'v Presigning<C>,
    pub(crate) wrong: WrongSum,
}

impl<'v, C: EcdsaCurve> View<'v, C> {
    /// Figure 9: reads the products of a party and its Πdec.
    pub(crate) fn read<'m>(
        &self,
        from: PartyId,
        message: &'m [u8],
    ) -> Result<AlertMessage<'m>, Refusal> {
        let aux = &self.presigning.aux;
        let mut reader = Reader::new(message);
        let mut exchanged = PerParty::new();
        let key = |party| aux.encryption_key(party).ok_or(Refusal::Internal);
        for peer in self.presigning.peers(from) {
            let products = MtaPair::read(&mut reader, [key(from)?, key(peer)?])?;
            // Announced in round 2, and the same for all. A party that received other products had to
            // object then.
            if !self.is_announced(&products.sent, [from, peer])
                || !self.is_announced(&products.received, [peer, from])
            {
                return Err(Fault::InvalidDecommitment.into());
            }
            exchanged.insert(peer, products);
        }
        let dec = reader.bytes(dec_bytes(aux.level()))?;
        reader.finish()?;
        Ok(AlertMessage { exchanged, dec })
    }

    /// Returns whether round 2 broadcast the digest of this product and the one that is not shown.
    fn is_announced(&self, Shown { pair, other }: &Shown, between: [PartyId; 2]) -> bool {
        let WrongSum { index, factor } = self.wrong;
        let products = self.presigning.between(between, index);
        let digest = products.joined(&ByFactor::new(|one| {
            if one == factor { products.digest_of(one, pair) } else { *other }
        }));
        self.presigning.digest(between, index) == Some(&digest)
    }

    /// Reads the Πaff-g* of a party, by receiver of the product.
    pub(crate) fn read_product_proofs<'m>(
        &self,
        from: PartyId,
        message: &'m [u8],
    ) -> Result<PerParty<&'m [u8]>, Fault> {
        let mut reader = Reader::new(message);
        let length = aff_g_star_bytes(self.presigning.aux.level());
        let mut read = |peer| Ok((peer, reader.bytes(length)?));
        let proofs = self.presigning.peers(from).map(&mut read).collect::<Result<_, Fault>>()?;
        reader.finish()?;
        Ok(proofs)
    }

    /// Figure 9, output: Πdec of a party.
    pub(crate) fn verify_dec(
        &self,
        engine: &Engine,
        from: PartyId,
        shown: &AlertMessage<'_>,
        own: Own<'_>,
    ) -> Result<(), Refusal> {
        // All of them are units under one key.
        let sum = sum(&shown.exchanged).map_err(|_| Refusal::Internal)?;
        let statement = self.dec(from, &sum).ok_or(Refusal::Internal)?;
        let instance = self.dec_instance();
        let context = self.presigning.binding.broadcast(from, &instance);
        let proof = ReceivedProof::new(&statement, shown.dec, context, own);
        Ok(first_refusal(verify(engine, [(from, proof)]))?)
    }

    /// Figure 9, output: Πaff-g* of a party for its product with one peer.
    pub(crate) fn verify_aff_g_star(
        &self,
        engine: &Engine,
        [from, to]: [PartyId; 2],
        (sent, proof): (&Pair, &[u8]),
        own: Own<'_>,
    ) -> Result<(), Refusal> {
        let statement = self.aff_g_star([from, to], sent).ok_or(Refusal::Internal)?;
        let instance = self.aff_g_star_instance(to);
        let context = self.presigning.binding.broadcast(from, &instance);
        let proof = ReceivedProof::new(&statement, proof, context, own);
        Ok(first_refusal(verify(engine, [(from, proof)]))?)
    }

    /// The statement of P_j's Πdec: `K_j` times its secret, plus `sum`, decrypts to the logarithm of its broadcast.
    pub(super) fn dec<'s>(
        &'s self,
        party: PartyId,
        sum: &'s Ciphertext,
    ) -> Option<pi_dec::Statement<'s, C>> {
        let WrongSum { index, factor } = self.wrong;
        let k = &self.presigning.opening(party, index)?.k;
        let (sums, g) = (self.presigning.sums.get(party)?.each.get(index)?, C::generator());
        let (s, h) = match factor {
            Factor::Gamma => (C::msm_vartime(&[sums.delta], &[g]), g),
            Factor::Share => (sums.s, self.presigning.gamma(index)),
        };
        Some(pi_dec::Statement { k, d: sum, x: self.image(party)?, s, h })
    }

    /// The statement of P_j's Πaff-g* for its product with a peer's k.
    pub(super) fn aff_g_star<'s>(
        &'s self,
        [party, peer]: [PartyId; 2],
        sent: &'s Pair,
    ) -> Option<pi_aff_g_star::Statement<'s, C>> {
        let c = &self.presigning.opening(peer, self.wrong.index)?.k;
        Some(pi_aff_g_star::Statement { c, d: &sent.d, y: &sent.f, x: self.image(party)? })
    }

    /// `Γ_j` or `λ_j·X_j`
    fn image(&self, party: PartyId) -> Option<C::Point> {
        match self.wrong.factor {
            Factor::Gamma => {
                self.presigning.announced.get(party)?.gammas.get(self.wrong.index).copied()
            }
            Factor::Share => self.presigning.share_point(party),
        }
    }

    pub(super) fn dec_instance(&self) -> Vec<u8> {
        self.instance(DEC, 0)
    }

    /// The instance of Πaff-g* for the product with a peer.
    pub(super) fn aff_g_star_instance(&self, peer: PartyId) -> Vec<u8> {
        self.instance(AFF_G_STAR, peer.get())
    }

    fn instance(&self, role: &'static str, peer: u16) -> Vec<u8> {
        let WrongSum { index, factor } = self.wrong;
        let instance = self.presigning.binding.instance_at(role, index);
        [instance.as_slice(), factor.name().as_bytes(), &peer.to_be_bytes()].concat()
    }
}

/// `⊕ D_{i,j} ⊖ F_{j,i}` over all peers j of party i: all D received less all F sent.
pub(super) fn sum(exchanged: &PerParty<MtaPair>) -> Result<Ciphertext, quorate_paillier::Error> {
    let mut products = exchanged.values();
    let first = products.next().ok_or(quorate_paillier::Error::Inconsistent)?;
    let (mut d, mut f) = (first.received.pair.d.clone(), first.sent.pair.f.clone());
    for MtaPair { sent, received } in products {
        d = d.add(&received.pair.d)?;
        f = f.add(&sent.pair.f)?;
    }
    d.sub_vartime(&f)
}
