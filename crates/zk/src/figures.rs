//! The figures of the paper, each with its statement, its witness and the relation between them.

pub mod pi_aff_g;
pub mod pi_aff_g_star;
pub mod pi_dec;
pub mod pi_elog;
pub mod pi_enc_elg;
pub mod pi_fac;
pub mod pi_mod;
pub mod pi_prm;
pub mod pi_sch;
