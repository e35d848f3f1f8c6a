//! The figures of the paper, each with its statement, its witness and the relation between them.
//!
//! | figure | statement | challenge |
//! |---|---|---|
//! | [`pi_sch`] | a discrete logarithm is known | scalar |
//! | [`pi_elog`] | an ElGamal commitment and a point hide one scalar | scalar |
//! | [`pi_enc_elg`] | a ciphertext and an ElGamal commitment hide one short scalar | scalar |
//! | [`pi_aff_g`] | a multiplication under somebody's key was done right, with short numbers | scalar |
//! | [`pi_fac`] | a modulus has no small factor | integer |
//! | [`pi_prm`] | a ring-Pedersen setup hides | 128 bits |
//! | [`pi_mod`] | a modulus is a product of two primes 3 modulo 4 (Πmod) | 128 numbers |
//! | [`pi_aff_g_star`] | as [`pi_aff_g`], to everybody | 128 bits |
//! | [`pi_dec`] | a ciphertext decrypts to the logarithm of a point | 128 bits |
//! | [`pi_elog_folded`] | [`pi_elog`] many times, in one proof | weights |
//! | [`pi_enc_elg_folded`] | [`pi_enc_elg`] many times, in one proof | weights |
//! | [`pi_aff_g_folded`] | [`pi_aff_g`] for both products of many presignatures, in one proof | weights, then a number |

pub mod pi_aff_g;
pub mod pi_aff_g_folded;
pub mod pi_aff_g_star;
pub mod pi_dec;
pub mod pi_elog;
pub mod pi_elog_folded;
pub mod pi_enc_elg;
pub mod pi_enc_elg_folded;
pub mod pi_fac;
pub mod pi_mod;
pub mod pi_prm;
pub mod pi_sch;
