//! Figure 9 — red alert: finds the parties that made a presignature fail.
//!
//! The red alert follows round 3 of presigning if the sums do not add up: δG ≠ ΣΔ_j (type 1) or δX ≠ ΣS_j
//! (type 2). Every party P_i proves to all, for γ (type 1) or for its share of the key
//! (type 2), that it followed the protocol:
//!
//! 4. [`AwaitingDecryptions`](rounds::decryptions::AwaitingDecryptions): the products that it sent and
//!    received, which have to be those whose digests were broadcast in round 2. With them comes Πdec: `K_i`
//!    times its secret, plus all D received, minus all F sent, decrypts to the logarithm of its broadcast in
//!    round 3.
//! 5. [`AwaitingProductProofs`](rounds::product_proofs::AwaitingProductProofs), if all of these are
//!    right: Πaff-g* for every product that it sent.
//!
//! A party whose proof fails is a culprit. In one of the two rounds a proof does fail: if all of them were
//! right, the sums would add up.
//!
//! # Deviations
//!
//! `docs/spec/arguments-ecdsa.md` describes all of these:
//! - F encrypts −β, so it is subtracted.
//! - Each party also shows the products that it received. So its Πdec can be verified whatever
//!   their sender does now, and no culprit hides behind another.
//! - Πdec takes a y of the size of a sum over all parties.
//! - Πaff-g* has a round of its own. A wrong sum is found by n Πdec; n² Πaff-g* are made only if
//!   two parties exchanged a product that neither could prove.

pub(super) mod alarm;
pub(super) mod messages;
pub(super) mod rounds;
pub(crate) mod view;
