//! The life of a threshold key, once for every family of signatures and every curve.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod acknowledge;
mod committee;
mod deal;
mod error;
mod family;
mod id;
mod repair;
mod reshare;
mod share;
mod shared;
mod state;
mod wire;

pub use acknowledge::{Acknowledge, AcknowledgeParams, State as AcknowledgeState, StoredByAll};
pub use committee::Committee;
pub use error::{CommitteeError, DecodeError, Mismatch, PlanError};
pub use family::{Family, Point, PointBytes, Scalar};
pub use id::PackageId;
pub use quorate_curve::{Curve, Secret};
pub use quorate_session as session;
pub use repair::{Repair, RepairParams, Repaired, State as RepairState};
pub use reshare::{Reshare, ReshareParams, ResharePlan, Reshared, State as ReshareState};
pub use share::SecretShare;
pub use shared::SharedKey;
pub use state::ShareState;
