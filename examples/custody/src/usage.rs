//! What a process has used so far, from `/proc` (Linux). Elsewhere nothing is known.

use core::time::Duration;
use std::fs;
use std::path::Path;

/// Ticks a second of the times in `/proc`: `USER_HZ`, which Linux fixes at 100 for all its architectures.
const TICKS: u64 = 100;

/// Bytes of a sector in `/sys/block`, whatever those of the disk are.
const SECTOR: u64 = 512;

/// Bytes of what `/proc/PID/status` calls `kB`.
const KIB: u64 = 1024;

/// Processor time, memory and disk of a process.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Usage {
    /// Time in user mode and in the kernel, of all threads, and of children that were waited for.
    pub cpu: Duration,
    /// Resident memory, in bytes: of a page that several processes share, the part of one of them (PSS), so that the sum over a
    /// server's processes counts it once. Where the kernel does not tell that, all of it (RSS).
    pub resident: u64,
    /// Bytes that were fetched from a disk, not from the cache of its pages.
    pub read: u64,
    /// Bytes that were sent to a disk, or are going to be, as the kernel counts them for the process: see [`disks`].
    pub written: u64,
}

/// What a process has used; `None` if there is none with this id.
#[must_use]
pub fn of_process(pid: u32) -> Option<Usage> {
    let folder = Path::new("/proc").join(pid.to_string());
    let stat = fs::read_to_string(folder.join("stat")).ok()?;
    let memory = |name, field| number_of(&fs::read_to_string(folder.join(name)).ok()?, field);
    let resident = memory("smaps_rollup", "Pss:").or_else(|| memory("status", "VmRSS:"));
    let io = fs::read_to_string(folder.join("io")).unwrap_or_default();
    let disk = |name| number_after(&io, name).unwrap_or(0);
    let (read, written) = (disk("read_bytes:"), disk("write_bytes:"));
    Some(Usage { cpu: cpu(&stat)?, resident: resident.unwrap_or(0), read, written })
}

/// Bytes that came in over all interfaces of this machine so far, the loopback included; `None` where nobody tells.
#[must_use]
pub fn network() -> Option<u64> {
    received(&fs::read_to_string("/proc/net/dev").ok()?)
}

/// Bytes that all disks of this machine were given to write so far, of all programs; `None` where nobody tells. What a process
/// counts itself ([`Usage::written`]) may be far more: where the kernel keeps a file in blocks of many pages, all of a block
/// is counted when one page of it is written.
#[must_use]
pub fn disks() -> Option<u64> {
    let disks = fs::read_dir("/sys/block").ok()?.flatten().map(|entry| entry.path());
    // What is made of other disks has no device of its own.
    let real = disks.filter(|disk| disk.join("device").exists());
    let written = real.filter_map(|disk| sectors(&fs::read_to_string(disk.join("stat")).ok()?));
    Some(written.fold(0_u64, u64::saturating_add).saturating_mul(SECTOR))
}

/// The sectors that were written: the seventh number of `/sys/block/NAME/stat` (Documentation/block/stat of Linux).
fn sectors(stat: &str) -> Option<u64> {
    stat.split_whitespace().nth(6)?.parse().ok()
}

/// The first column of each interface (proc(5)).
fn received(dev: &str) -> Option<u64> {
    let bytes = |line: &str| line.split_once(':')?.1.split_whitespace().next()?.parse::<u64>().ok();
    dev.lines().skip(2).map(bytes).try_fold(0_u64, |sum, one| Some(sum.saturating_add(one?)))
}

/// The number of a line that begins with a name.
fn number_after(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name))?.trim().parse().ok()
}

/// What a process and those that it has started have used. Time of children that have ended is counted once they were waited
/// for.
#[must_use]
pub fn with_children(pid: u32) -> Usage {
    let all = core::iter::once(pid).chain(children(pid)).filter_map(of_process);
    all.fold(Usage::default(), |sum, one| Usage {
        cpu: sum.cpu.saturating_add(one.cpu),
        resident: sum.resident.saturating_add(one.resident),
        read: sum.read.saturating_add(one.read),
        written: sum.written.saturating_add(one.written),
    })
}

/// Processes whose parent is this one, and theirs.
fn children(pid: u32) -> Vec<u32> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let all = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let pairs: Vec<(u32, u32)> = all.filter_map(|child| Some((child, parent(child)?))).collect();
    let mut found = vec![pid];
    let mut at = 0;
    while let Some(one) = found.get(at).copied() {
        let more = pairs.iter().filter(|(child, parent)| *parent == one && !found.contains(child));
        let more: Vec<u32> = more.map(|(child, _)| *child).collect();
        found.extend(more);
        at += 1;
    }
    found.split_off(1)
}

fn parent(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat")).ok()?;
    after_name(&stat)?.nth(1)?.parse().ok()
}

/// The fields of `/proc/PID/stat` from the third on (proc(5)): the name before them may have spaces and brackets.
fn after_name(stat: &str) -> Option<impl Iterator<Item = &str>> {
    Some(stat.rsplit_once(") ")?.1.split(' '))
}

/// `utime`, `stime`, `cutime` and `cstime`, the 14th to 17th field.
fn cpu(stat: &str) -> Option<Duration> {
    let ticks: Option<Vec<u64>> =
        after_name(stat)?.skip(11).take(4).map(|field| field.parse().ok()).collect();
    let ticks: u64 = ticks?.iter().sum();
    Some(Duration::from_millis(ticks.saturating_mul(1000_u64.checked_div(TICKS)?)))
}

/// Bytes of a line that gives them in kB.
fn number_of(text: &str, field: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(field))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib * KIB)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_child_is_counted() {
        let mut child = Command::new("sleep").arg("30").spawn().unwrap();
        assert!(children(std::process::id()).contains(&child.id()));
        let all = with_children(std::process::id());
        assert!(all.resident >= of_process(child.id()).unwrap().resident);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!children(std::process::id()).contains(&child.id()));
    }

    #[test]
    fn disk_and_network() {
        let io = "rchar: 1\nread_bytes: 4096\nwrite_bytes: 8192\ncancelled_write_bytes: 5\n";
        assert_eq!(number_after(io, "read_bytes:"), Some(4096));
        assert_eq!(number_after(io, "write_bytes:"), Some(8192));
        let dev = "Inter-|\n face |\n    lo: 100 1 0 0\n  eth0:23 4 0\n";
        assert_eq!((received(dev), received("a\nb\nlo 5")), (Some(123), None));
        let stat = "  100  0  4096  20  300  0  8192  40  0  50  60  0 0 0 0 0 0\n";
        assert_eq!((sectors(stat), sectors("1 2 3")), (Some(8192), None));
    }

    #[test]
    fn fields_after_a_name_with_brackets() {
        let stat = "42 (a) b) (c)) S 7 42 42 0 -1 0 0 0 0 0 150 50 30 20 20 0 1 0 5 6 7";
        assert_eq!(cpu(stat), Some(Duration::from_millis(2500)));
        assert_eq!(after_name(stat).unwrap().nth(1), Some("7"));
        assert_eq!(cpu("42 (a"), None);
        let status = "Name:\tx\nVmRSS:\t    1234 kB\n";
        assert_eq!(number_of(status, "VmRSS:"), Some(1234 * 1024));
        let rollup = "5641a2dd3000-7ffd73ef7000 ---p 00000000 00:00 0 [rollup]\nRss: 1792 kB\nPss: 177 kB\nPss_Dirty: 1 kB\n";
        assert_eq!(number_of(rollup, "Pss:"), Some(177 * 1024));
        assert_eq!(of_process(u32::MAX), None);
    }
}
