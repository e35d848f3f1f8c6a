//! Engines: who does the work. An engine is a value chosen at run time.

use alloc::vec::Vec;
use core::fmt;
use core::num::NonZeroUsize;

use crate::job::{Job, Words};
use crate::kernel::portable::Portable;
#[cfg(target_arch = "x86_64")]
use crate::kernel::squares::Squares;
#[cfg(target_arch = "x86_64")]
use crate::kernel::x86::{Eight, Four, Mulx, One};
use crate::kernel::{Form, Kernel};
use crate::power::comb::{CombJob, run as run_comb};
use crate::power::{sliding, window};
use crate::product::{PublicProduct, SecretProduct};
use crate::{Comb, Error, Modulus, Natural, SecretNatural};

#[cfg(any(feature = "gmp", feature = "openssl"))]
mod foreign;
mod plan;
mod schedule;
mod search;

use schedule::Group;

/// Evaluates lists of products. All engines give the same results; they differ in speed and in what they need.
///
/// Features add engines and never change which one [`Engine::detect`] takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engine {
    kind: Kind,
    threads: NonZeroUsize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Portable,
    /// One number alone, and four side by side.
    #[cfg(target_arch = "x86_64")]
    X86_64(Mulx, Four),
    /// One number alone, and eight side by side.
    #[cfg(target_arch = "x86_64")]
    Ifma(One, Eight),
    #[cfg(feature = "gmp")]
    Gmp,
    #[cfg(feature = "openssl")]
    OpenSsl,
}

impl Engine {
    const fn of(kind: Kind) -> Self {
        Self { kind, threads: NonZeroUsize::MIN }
    }

    /// The fastest engine of ours that this machine runs. Without the `std` feature there is no detection, and it is
    /// the portable one.
    #[must_use]
    pub fn detect() -> Self {
        Self::ifma().or(Self::x86_64()).unwrap_or(Self::portable())
    }

    /// Safe Rust for any target.
    #[must_use]
    pub const fn portable() -> Self {
        Self::of(Kind::Portable)
    }

    /// BMI2 and ADX multiplication, AVX2 for lists; nothing if the machine lacks any of them.
    #[must_use]
    pub fn x86_64() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        return Some(Self::of(Kind::X86_64(Mulx::detect()?, Four::detect()?)));
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// AVX-512 IFMA; nothing if the machine lacks it.
    #[must_use]
    pub fn ifma() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        return Some(Self::of(Kind::Ifma(One::detect()?, Eight::detect()?)));
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// GMP, through `rug`: `mpz_powm`, and `mpz_powm_sec` for secrets.
    #[cfg(feature = "gmp")]
    #[must_use]
    pub const fn gmp() -> Self {
        Self::of(Kind::Gmp)
    }

    /// OpenSSL's `BN_mod_exp`, and its constant-time form for secrets.
    #[cfg(feature = "openssl")]
    #[must_use]
    pub const fn openssl() -> Self {
        Self::of(Kind::OpenSsl)
    }

    /// Every engine that is compiled in and that this machine runs.
    #[must_use]
    pub fn available() -> Vec<Self> {
        let ours = [Some(Self::portable()), Self::x86_64(), Self::ifma()];
        let foreign = [
            #[cfg(feature = "gmp")]
            Some(Self::gmp()),
            #[cfg(feature = "openssl")]
            Some(Self::openssl()),
        ];
        ours.into_iter().chain(foreign).flatten().collect()
    }

    /// The engine's name: `portable`, `x86-64`, `ifma`, `gmp` or `openssl`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self.kind {
            Kind::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::X86_64(..) => "x86-64",
            #[cfg(target_arch = "x86_64")]
            Kind::Ifma(..) => "ifma",
            #[cfg(feature = "gmp")]
            Kind::Gmp => "gmp",
            #[cfg(feature = "openssl")]
            Kind::OpenSsl => "openssl",
        }
    }

    /// The same engine over so many threads, which live for one call each.
    #[cfg(feature = "rayon")]
    #[must_use]
    pub const fn with_threads(self, threads: NonZeroUsize) -> Self {
        Self { threads, ..self }
    }

    /// The values of public products, in their order. One product's error does not keep the others from their value.
    /// Variable time.
    #[must_use]
    pub fn evaluate_vartime(&self, products: &[PublicProduct<'_>]) -> Vec<Result<Natural, Error>> {
        plan::public(self, products)
    }

    /// The values of products with secrets, in their order, each below its modulus. The time depends on the lengths
    /// of moduli and exponents, on public bases and exponents and on nothing else.
    #[must_use]
    pub fn evaluate(&self, products: &[SecretProduct<'_>]) -> Vec<Result<SecretNatural, Error>> {
        plan::secret(self, products)
    }

    /// Runs jobs, in groups of what the engine does at once.
    fn run<const VARTIME: bool>(&self, jobs: &[Job]) -> Values {
        let groups = schedule::groups(self.lanes(), |job| self.shape(job), jobs);
        self.gather(jobs.len(), &groups, |group| {
            let members: Vec<&Job> = group.members.iter().filter_map(|&i| jobs.get(i)).collect();
            self.run_group::<VARTIME>(&members)
        })
    }

    /// Runs jobs over combs, which all have tables that this engine reads.
    fn run_combs<const VARTIME: bool>(&self, jobs: &[CombJob<'_>]) -> Values {
        let groups = schedule::comb_groups(self.lanes(), jobs);
        self.gather(jobs.len(), &groups, |group| {
            let members: Vec<&CombJob<'_>> =
                group.members.iter().filter_map(|&i| jobs.get(i)).collect();
            self.run_comb_group::<VARTIME>(&members)
        })
    }

    /// Each group's results, back in the order of the jobs. A job whose group gave an error, or not one result for each
    /// member, has an error in its place.
    fn gather(
        &self,
        len: usize,
        groups: &[Group],
        work: impl Fn(&Group) -> Result<Vec<Words>, Error> + Sync,
    ) -> Values {
        scatter(len, groups, self.map(groups, &work))
    }

    #[cfg(not(feature = "rayon"))]
    fn map(
        &self,
        groups: &[Group],
        work: &(impl Fn(&Group) -> Result<Vec<Words>, Error> + Sync),
    ) -> Vec<Result<Vec<Words>, Error>> {
        groups.iter().map(work).collect()
    }

    #[cfg(feature = "rayon")]
    fn map(
        &self,
        groups: &[Group],
        work: &(impl Fn(&Group) -> Result<Vec<Words>, Error> + Sync),
    ) -> Vec<Result<Vec<Words>, Error>> {
        use rayon::prelude::*;
        if self.threads.get() > 1
            && groups.len() > 1
            && let Ok(pool) =
                rayon::ThreadPoolBuilder::new().num_threads(self.threads.get()).build()
        {
            return pool.install(|| groups.par_iter().map(work).collect());
        }
        groups.iter().map(work).collect()
    }

    /// How many jobs fit side by side.
    fn lanes(&self) -> usize {
        match self.kind {
            #[cfg(target_arch = "x86_64")]
            Kind::X86_64(..) => 4,
            #[cfg(target_arch = "x86_64")]
            Kind::Ifma(..) => 8,
            _ => 1,
        }
    }

    /// Limbs of a number under the modulus of a job, and of one under its root where that is of use: jobs with as many
    /// can go side by side.
    fn shape(&self, job: &Job) -> [u32; 2] {
        let bits = job.modulus.bits();
        match self.kind {
            #[cfg(target_arch = "x86_64")]
            Kind::X86_64(..) => [Form::Avx2.limbs(bits), 0],
            #[cfg(target_arch = "x86_64")]
            Kind::Ifma(..) => {
                let root = job.modulus.root().map(|root| root.parameters.bits());
                [Form::Ifma.limbs(bits), root.map_or(0, |bits| Form::Ifma.limbs(bits))]
            }
            _ => [Form::Words.limbs(bits), 0],
        }
    }

    fn run_group<const VARTIME: bool>(&self, jobs: &[&Job]) -> Result<Vec<Words>, Error> {
        match self.kind {
            Kind::Portable => each(jobs, |job| alone::<Portable, VARTIME>(Portable, job)),
            #[cfg(target_arch = "x86_64")]
            Kind::X86_64(_, four) if jobs.len() > 1 => window::run::<_, VARTIME>(four, jobs),
            #[cfg(target_arch = "x86_64")]
            Kind::X86_64(one, _) => each(jobs, |job| alone::<_, VARTIME>(one, job)),
            #[cfg(target_arch = "x86_64")]
            Kind::Ifma(_, eight) if jobs.len() > 1 && squares(jobs) => {
                window::run::<_, VARTIME>(Squares::from(eight), jobs)
            }
            #[cfg(target_arch = "x86_64")]
            Kind::Ifma(_, eight) if jobs.len() > 1 => window::run::<_, VARTIME>(eight, jobs),
            #[cfg(target_arch = "x86_64")]
            Kind::Ifma(one, _) => each(jobs, |job| alone::<_, VARTIME>(one, job)),
            #[cfg(feature = "gmp")]
            Kind::Gmp => each(jobs, foreign::run::<foreign::Gmp, VARTIME>),
            #[cfg(feature = "openssl")]
            Kind::OpenSsl => each(jobs, foreign::run::<foreign::OpenSsl, VARTIME>),
        }
    }

    fn run_comb_group<const VARTIME: bool>(
        &self,
        jobs: &[&CombJob<'_>],
    ) -> Result<Vec<Words>, Error> {
        match self.kind {
            #[cfg(target_arch = "x86_64")]
            Kind::X86_64(_, four) => run_comb::<_, VARTIME>(four, jobs),
            #[cfg(target_arch = "x86_64")]
            Kind::Ifma(_, eight) => run_comb::<_, VARTIME>(eight, jobs),
            // One lane, so one job in each group.
            _ => run_comb::<_, VARTIME>(Portable, jobs),
        }
    }

    /// Whether the engine reads this comb's tables.
    fn reads(&self, comb: &Comb) -> bool {
        comb.form().is_some_and(|form| match self.kind {
            Kind::Portable => form == Form::Words,
            #[cfg(target_arch = "x86_64")]
            Kind::X86_64(..) => form == Form::Avx2,
            #[cfg(target_arch = "x86_64")]
            Kind::Ifma(..) => form == Form::Ifma,
            #[allow(unreachable_patterns, reason = "reachable with the features that add engines")]
            _ => false,
        })
    }

    pub(crate) fn build_comb(
        &self,
        modulus: &Modulus,
        bases: &[(Natural, u32)],
        max_bytes: usize,
    ) -> Result<Comb, Error> {
        match self.kind {
            Kind::Portable => Comb::build(
                Portable,
                |job| alone::<_, true>(Portable, job),
                modulus,
                bases,
                max_bytes,
            ),
            #[cfg(target_arch = "x86_64")]
            Kind::X86_64(one, four) => {
                Comb::build(four, |job| alone::<_, true>(one, job), modulus, bases, max_bytes)
            }
            #[cfg(target_arch = "x86_64")]
            Kind::Ifma(one, eight) => {
                Comb::build(eight, |job| alone::<_, true>(one, job), modulus, bases, max_bytes)
            }
            #[allow(unreachable_patterns, reason = "reachable with the features that add engines")]
            _ => Ok(Comb::bare(modulus, bases)),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The value of each job, or the error that it ended with.
type Values = Vec<Result<Words, Error>>;

/// The results of groups, in the order of all their members.
fn scatter(len: usize, groups: &[Group], results: Vec<Result<Vec<Words>, Error>>) -> Values {
    let mut out: Values = (0..len).map(|_| Err(Error::NoValue)).collect();
    for (group, results) in groups.iter().zip(results) {
        let results = results.and_then(|results| {
            if results.len() == group.members.len() { Ok(results) } else { Err(Error::NoValue) }
        });
        let mut results = results.map(Vec::into_iter);
        for &index in &group.members {
            let result = results.as_mut().map_err(|error| *error);
            if let Some(place) = out.get_mut(index) {
                *place = result.and_then(|results| results.next().ok_or(Error::NoValue));
            }
        }
    }
    out
}

fn each(jobs: &[&Job], one: impl Fn(&Job) -> Result<Words, Error>) -> Result<Vec<Words>, Error> {
    jobs.iter().map(|job| one(job)).collect()
}

/// Whether all moduli are squares that know their roots.
#[cfg(target_arch = "x86_64")]
fn squares(jobs: &[&Job]) -> bool {
    jobs.iter().all(|job| job.modulus.root().is_some())
}

/// One job with a kernel of one lane.
fn alone<K: Kernel, const VARTIME: bool>(kernel: K, job: &Job) -> Result<Words, Error> {
    if VARTIME {
        return sliding::run_vartime(kernel, job);
    }
    window::run::<K, false>(kernel, &[job])?.pop().ok_or(Error::NoValue)
}

#[cfg(test)]
mod tests;
