//! Engines: who does the work. An engine is a value chosen at run time.

use alloc::vec::Vec;
use core::fmt;
use core::num::NonZeroUsize;

use crate::job::{Job, Words};
#[cfg(target_arch = "x86_64")]
use crate::kernel::ifma8_square::Ifma8Square;
use crate::kernel::portable::Portable;
#[cfg(target_arch = "x86_64")]
use crate::kernel::x86::{Avx2x4, Ifma1, Ifma8, Mulx};
use crate::kernel::{Form, Kernel, Shared};
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
    X86_64(Mulx, Avx2x4),
    /// One number alone, and eight side by side.
    #[cfg(target_arch = "x86_64")]
    Ifma(Ifma1, Ifma8),
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
        return Some(Self::of(Kind::X86_64(Mulx::detect()?, Avx2x4::detect()?)));
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// AVX-512 IFMA; nothing if the machine lacks it.
    #[must_use]
    pub fn ifma() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        return Some(Self::of(Kind::Ifma(Ifma1::detect()?, Ifma8::detect()?)));
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

    /// This engine over a number of threads, which live for one call each.
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

    /// The engine's own kernels; nothing where the work is another library's.
    fn kernels(&self) -> Option<Kernels<'_>> {
        match &self.kind {
            Kind::Portable => Some(Kernels { one: &Portable, many: &Portable }),
            #[cfg(target_arch = "x86_64")]
            Kind::X86_64(one, many) => Some(Kernels { one, many }),
            #[cfg(target_arch = "x86_64")]
            Kind::Ifma(one, many) => Some(Kernels { one, many }),
            #[cfg(feature = "gmp")]
            Kind::Gmp => None,
            #[cfg(feature = "openssl")]
            Kind::OpenSsl => None,
        }
    }

    /// How many jobs fit side by side.
    fn lanes(&self) -> usize {
        self.kernels().map_or(1, |kernels| kernels.many.lanes())
    }

    /// Limbs of a number under the modulus of a job, and of one under its root where that is of use: jobs with as many
    /// can go side by side.
    fn shape(&self, job: &Job) -> [u32; 2] {
        let form = self.kernels().map_or(Form::Words, |kernels| kernels.many.form());
        let root = match self.kind {
            #[cfg(target_arch = "x86_64")]
            Kind::Ifma(..) => job.modulus.root().map_or(0, |root| root.parameters.bits()),
            _ => 0,
        };
        [form.limbs(job.modulus.bits()), if root == 0 { 0 } else { form.limbs(root) }]
    }

    fn run_group<const VARTIME: bool>(&self, jobs: &[&Job]) -> Result<Vec<Words>, Error> {
        let Some(Kernels { one, many }) = self.kernels() else {
            return self.run_foreign::<VARTIME>(jobs);
        };
        if jobs.len() == 1 || many.lanes() == 1 {
            return each(jobs, |job| alone::<VARTIME>(one, job));
        }
        #[cfg(target_arch = "x86_64")]
        if let Kind::Ifma(_, eight) = self.kind
            && jobs.iter().all(|job| job.modulus.root().is_some())
        {
            return window::run::<VARTIME>(&Ifma8Square::from(eight), jobs);
        }
        window::run::<VARTIME>(many, jobs)
    }

    /// The work of the engines over other libraries.
    fn run_foreign<const VARTIME: bool>(&self, jobs: &[&Job]) -> Result<Vec<Words>, Error> {
        match self.kind {
            #[cfg(feature = "gmp")]
            Kind::Gmp => each(jobs, foreign::run::<foreign::Gmp, VARTIME>),
            #[cfg(feature = "openssl")]
            Kind::OpenSsl => each(jobs, foreign::run::<foreign::OpenSsl, VARTIME>),
            _ => each(jobs, |_| Err(Error::NoValue)),
        }
    }

    fn run_comb_group<const VARTIME: bool>(
        &self,
        jobs: &[&CombJob<'_>],
    ) -> Result<Vec<Words>, Error> {
        let kernels = self.kernels().ok_or(Error::NoValue)?;
        run_comb::<VARTIME>(kernels.many, jobs)
    }

    /// Whether the engine reads this comb's tables.
    fn reads(&self, comb: &Comb) -> bool {
        self.kernels().is_some_and(|kernels| comb.form() == Some(kernels.many.form()))
    }

    pub(crate) fn build_comb(
        &self,
        modulus: &Modulus,
        bases: &[(Natural, u32)],
        max_bytes: usize,
    ) -> Result<Comb, Error> {
        let Some(Kernels { one, many }) = self.kernels() else {
            return Ok(Comb::bare(modulus, bases));
        };
        Comb::build(many, &|job| alone::<true>(one, job), modulus, bases, max_bytes)
    }
}

/// An engine's kernels.
#[derive(Clone, Copy)]
struct Kernels<'a> {
    /// Works on a number alone.
    one: &'a dyn Kernel,
    /// Works on numbers side by side; on one, where the engine has no such kernel.
    many: &'a dyn Shared,
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

/// One job with a kernel of one lane.
fn alone<const VARTIME: bool>(kernel: &dyn Kernel, job: &Job) -> Result<Words, Error> {
    if VARTIME {
        return sliding::run_vartime(kernel, job);
    }
    window::run::<false>(kernel, &[job])?.pop().ok_or(Error::NoValue)
}

#[cfg(test)]
mod tests;
