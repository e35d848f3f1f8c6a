//! The machine that a run was made on, and whether others used it meanwhile.

use std::time::Instant;

use quorate_bignum::Engine;
use serde::{Deserialize, Serialize};

use super::figure::real;

/// The machine and the build, on which every figure of a run depends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Machine {
    pub(super) cpu: String,
    /// Threads that run at once.
    pub(super) cores: usize,
    /// Set if the processor has AVX-512 IFMA.
    pub(super) ifma: bool,
    /// The engine of big numbers that was chosen.
    pub(super) engine: String,
    /// Operating system and architecture.
    pub(super) system: String,
    /// How this program was compiled.
    pub(super) build: String,
}

impl Machine {
    /// This machine.
    pub(super) fn here() -> Self {
        Self {
            cpu: system::cpu().unwrap_or_else(|| "unknown processor".to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            ifma: Engine::ifma().is_some(),
            engine: Engine::detect().name().to_owned(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            build: if cfg!(debug_assertions) { "not optimised" } else { "optimised" }.to_owned(),
        }
    }

    /// One line.
    pub(super) fn line(&self) -> String {
        let Self { cpu, cores, engine, system, build, .. } = self;
        let ifma = if self.ifma { "with" } else { "without" };
        format!("{cpu}, {cores} threads, {ifma} AVX-512 IFMA, engine {engine}, {system}, {build}")
    }
}

/// Seconds of processor time up to a moment: of all programs on all cores, of this program, what a hypervisor took, and the
/// time in which this thread could have run and did not.
type Times = [f64; 4];

/// What `/proc` tells.
#[cfg(target_os = "linux")]
mod system {
    use procfs::process::{Process, Stat};
    use procfs::{CpuInfo, CpuTime, Current as _, CurrentSI as _, KernelStats, ticks_per_second};

    use super::{Times, real};

    pub(super) fn cpu() -> Option<String> {
        Some(CpuInfo::current().ok()?.model_name(0)?.to_owned())
    }

    pub(super) fn times() -> Option<Times> {
        let process = Process::myself().ok()?;
        let thread = process.task_from_tid(rustix::thread::gettid().as_raw_nonzero().get());
        let waited = thread.and_then(|thread| thread.schedstat()).map_or(0, |all| all.run_delay);
        Some(read(&KernelStats::current().ok()?.total, &process.stat().ok()?, waited))
    }

    /// From the time of all cores, that of this program, and the nanoseconds that this thread waited.
    pub(super) fn read(cpu: &CpuTime, own: &Stat, waited: u64) -> Times {
        let seconds = |ticks: u64| real(ticks) / real(ticks_per_second());
        let interrupts = cpu.irq.unwrap_or(0) + cpu.softirq.unwrap_or(0);
        let all = seconds(cpu.user + cpu.nice + cpu.system + interrupts);
        let own = seconds(own.utime + own.stime);
        [all, own, seconds(cpu.steal.unwrap_or(0)), real(waited) / 1e9]
    }
}

/// Nothing where the system does not tell.
#[cfg(not(target_os = "linux"))]
mod system {
    pub(super) fn cpu() -> Option<String> {
        None
    }

    pub(super) fn times() -> Option<super::Times> {
        None
    }
}

/// A watch over what else uses the machine.
pub(super) struct Watch {
    started: Instant,
    times: Option<Times>,
}

impl Watch {
    /// Starts now.
    pub(super) fn start() -> Self {
        Self { started: Instant::now(), times: system::times() }
    }

    /// The load since the start of the measurement.
    pub(super) fn seen(&self) -> Load {
        let seconds = self.started.elapsed().as_secs_f64();
        let parts = self.times.zip(system::times()).map(|(then, now)| {
            let [all, own, stolen, waited] =
                [0, 1, 2, 3].map(|at: usize| ((now[at] - then[at]) / seconds).max(0.0));
            [(all - own).max(0.0), stolen, waited]
        });
        Load { seconds, parts }
    }
}

/// Cores taken by others, or parts of the time, above which figures are marked.
const QUIET: [f64; 3] = [0.15, 0.03, 0.02];

/// The other load of the machine during a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Load {
    /// The length of the section on the clock.
    pub(super) seconds: f64,
    /// Cores that other programs kept busy, cores that the hypervisor took, and the part of the time in which the
    /// measuring thread waited for a core. Nothing where the system does not tell.
    #[serde(rename = "load")]
    pub(super) parts: Option<[f64; 3]>,
}

impl Load {
    /// The load of several measurements, by their lengths.
    pub(super) fn together(all: &[Self]) -> Self {
        let seconds: f64 = all.iter().map(|one| one.seconds).sum();
        let known: f64 = all.iter().filter(|one| one.parts.is_some()).map(|one| one.seconds).sum();
        let weighted = |at: usize| {
            let part = |one: &Self| one.parts.map_or(0.0, |parts| parts[at] * one.seconds);
            all.iter().map(part).sum::<f64>() / known
        };
        Self { seconds, parts: (known > 0.0).then(|| [0, 1, 2].map(weighted)) }
    }
    /// Returns whether figures taken meanwhile are worth less. A moment is too short to tell.
    pub(super) fn is_busy(&self) -> bool {
        let over = |parts: [f64; 3]| parts.iter().zip(QUIET).any(|(part, quiet)| *part > quiet);
        self.seconds >= 0.2 && self.parts.is_some_and(over)
    }

    /// A sentence for the reader.
    pub(super) fn sentence(&self) -> String {
        let Some([others, stolen, waited]) = self.parts else {
            return "The system does not say what else ran.".to_owned();
        };
        let what = format!(
            "other programs used {others:.2} cores, the hypervisor took {stolen:.2}, and the measuring thread waited \
             {:.0} % of the time",
            waited * 100.0
        );
        if self.is_busy() {
            format!("The machine was busy: {what}. Trust ratios more than times.")
        } else {
            format!("The machine was quiet: {what}.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn reads_what_the_kernel_writes() {
        use procfs::{FromBufReadSI as _, FromRead as _, KernelStats, process::Stat};
        let stat =
            "cpu  100 0 50 9999 3 10 20 400 0 0\ncpu0 1 1 1 1\nctxt 1\nbtime 1\nprocesses 1\n";
        let own = "77 (a (odd) name) S 1 2 3 4 5 6 7 8 9 10 250 50 0 0 1 1 1 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 0";
        let all = KernelStats::from_buf_read(stat.as_bytes(), &procfs::LocalSystemInfo).unwrap();
        let own = Stat::from_read(own.as_bytes()).unwrap();
        let times = system::read(&all.total, &own, 2_000_000_000);
        for (seconds, expected) in times.into_iter().zip([1.8, 3.0, 4.0, 2.0]) {
            assert!((seconds - expected).abs() < 1e-9, "{times:?}");
        }
    }

    #[test]
    fn loads_are_weighed_by_their_lengths() {
        let load = |seconds, parts| Load { seconds, parts };
        let all = [load(1.0, Some([1.0, 0.0, 0.5])), load(3.0, Some([0.0; 3])), load(9.0, None)];
        assert_eq!(Load::together(&all), load(13.0, Some([0.25, 0.0, 0.125])));
        assert_eq!(Load::together(&[]), load(0.0, None));
    }

    #[test]
    fn a_busy_machine_is_noticed() {
        let load = |parts| Load { seconds: 1.0, parts: Some(parts) };
        assert!(!load([0.1, 0.0, 0.01]).is_busy());
        for busy in [[1.0, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.5]] {
            assert!(load(busy).is_busy());
            assert!(load(busy).sentence().starts_with("The machine was busy"));
        }
        assert!(!Load { seconds: 1.0, parts: None }.is_busy());
        assert!(!Load { seconds: 0.01, parts: Some([1.0; 3]) }.is_busy());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn another_thread_of_this_program_is_not_another_program() {
        let watch = Watch::start();
        let until = Instant::now() + core::time::Duration::from_millis(250);
        let mut sum = 0u64;
        while Instant::now() < until {
            sum = sum.wrapping_mul(31).wrapping_add(1);
        }
        assert!(core::hint::black_box(sum) != 0);
        let load = watch.seen();
        assert!(load.seconds >= 0.25 && load.parts.is_some());
    }
}
