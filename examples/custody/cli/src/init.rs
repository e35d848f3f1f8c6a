//! The setting up of machines and of a cluster.

mod cluster;
mod join;
mod member;

pub(crate) use cluster::cluster;
pub(crate) use join::{join, trust};
pub(crate) use member::member;
