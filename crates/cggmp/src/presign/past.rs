//! Presignatures that an inventory had before.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use quorate_keys::PackageId;
use quorate_session::stock::Ranges;
use quorate_session::wire::{Reader, bounded};

use super::id::{MAX_PRESIGNATURES, PresignatureId};
use super::presignature::Presignature;
use crate::{DecodeError, EcdsaCurve};

/// The runs of which something is used, by package: their results, and which of their presignatures are gone.
///
/// The list grows until the epoch of its key is over, by 76 bytes a run where the indices that are gone are one range.
#[derive(Default)]
pub(super) struct Past(BTreeMap<PackageId, BTreeMap<[u8; 32], Used>>);

/// A run of which something is used.
struct Used {
    /// The digest of all results of the run.
    results: [u8; 32],
    /// The indices that are gone. Never empty.
    gone: Ranges,
}

/// The knowledge of a presignature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// Nothing against adding it.
    No,
    /// The presignature was here, and is gone.
    Gone,
    /// The run had other results.
    OtherResults,
}

impl Past {
    pub(super) const fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// Looks for a presignature.
    pub(super) fn of<C: EcdsaCurve>(&self, presignature: &Presignature<C>) -> Known {
        let id = presignature.id();
        let runs = self.0.get(&presignature.info().package_id());
        match runs.and_then(|runs| runs.get(id.run())) {
            Some(used) if used.results != *presignature.results() => Known::OtherResults,
            Some(used) if used.gone.contains(id.index()) => Known::Gone,
            _ => Known::No,
        }
    }

    /// Takes note that this presignature is gone.
    pub(super) fn add<C: EcdsaCurve>(&mut self, presignature: &Presignature<C>) {
        let id: PresignatureId = presignature.id();
        let runs = self.0.entry(presignature.info().package_id()).or_default();
        let results = *presignature.results();
        let used = runs.entry(*id.run()).or_insert(Used { results, gone: Ranges::new() });
        used.gone.insert(id.index());
    }

    /// Forgets what is of other packages.
    pub(super) fn keep_only(&mut self, package: &PackageId) {
        self.0.retain(|other, _| other == package);
    }

    pub(super) fn encoded_len(&self) -> usize {
        let run = |used: &Used| used.gone.encoded_len() + 64;
        let package = |runs: &BTreeMap<_, Used>| {
            let runs = runs.values().map(run).fold(0, usize::saturating_add);
            runs.saturating_add(PackageId::LENGTH + 4)
        };
        self.0.values().map(package).fold(4, usize::saturating_add)
    }

    /// number of packages (4) ‖ for each, ascending: its name ‖ number of runs (4) ‖ for each, ascending: context ‖ digest
    /// of its results ‖ indices that are gone.
    pub(super) fn put(&self, bytes: &mut Vec<u8>) {
        put_count(bytes, self.0.len());
        for (package, runs) in &self.0 {
            package.put(bytes);
            put_count(bytes, runs.len());
            for (run, Used { results, gone }) in runs {
                bytes.extend_from_slice(run);
                bytes.extend_from_slice(results);
                gone.put(bytes);
            }
        }
    }

    /// Reads what [`put`](Self::put) wrote, strictly.
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let mut packages = BTreeMap::new();
        for _ in 0..reader.u32()? {
            let package = PackageId::read(reader)?;
            if packages.last_key_value().is_some_and(|(last, _)| *last >= package) {
                return Err(DecodeError::BadOrder);
            }
            packages.insert(package, read_runs(reader)?);
        }
        Ok(Self(packages))
    }
}

fn read_runs(reader: &mut Reader<'_>) -> Result<BTreeMap<[u8; 32], Used>, DecodeError> {
    let mut runs = BTreeMap::<[u8; 32], Used>::new();
    for _ in 0..reader.u32()? {
        let run = reader.array()?;
        if runs.last_key_value().is_some_and(|(last, _)| *last >= run) {
            return Err(DecodeError::BadOrder);
        }
        let results = reader.array()?;
        let (most, ranges) = (MAX_PRESIGNATURES - 1, usize::from(MAX_PRESIGNATURES).div_ceil(2));
        let gone = Ranges::read(reader, ranges, most.into())?;
        if gone.is_empty() {
            return Err(DecodeError::Inconsistent("a run of which nothing is gone"));
        }
        runs.insert(run, Used { results, gone });
    }
    if runs.is_empty() {
        return Err(DecodeError::Inconsistent("a package of which nothing is gone"));
    }
    Ok(runs)
}

/// A run, of which the party has made presignatures, takes more than 64 bytes of the stored form: that has less than 2^26.
fn put_count(bytes: &mut Vec<u8>, count: usize) {
    bytes.extend_from_slice(&bounded::<u32>(count).to_be_bytes());
}
