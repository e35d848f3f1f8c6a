//! Signing a file, and putting a deployment under load.

use core::time::Duration;
use std::fs;
use std::path::Path;

use quorate_examples::failure::Failure;
use quorate_examples::out::Out;
use tokio::runtime::Builder;

use crate::args::{LoadSettings, SchemeChoice, SignSettings};
use crate::caller::{Caller, Signer};
use crate::deployment::unit::units;
use crate::deployment::{Deployment, servers};
use crate::http::form::{hex, unhex};
use crate::load::{self, Load, Process, Report};
use crate::request::{KeyId, LONGEST_MESSAGE, Scheme};
use crate::trust::Trust;
use crate::usage::{self, Usage};

/// Signs a file, verifies the signature, and prints it.
pub(crate) fn run(settings: &SignSettings, out: &mut Out) -> Result<(), Failure> {
    let deployment = Deployment::open(&settings.dir)?;
    let message = read(&settings.file)?;
    let trust = Trust::of(&deployment, settings.key.as_deref().map(name).transpose()?)?;
    let mut caller = Caller::new(deployment.gateway(), &deployment.requester()?);
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let (known, signed) = runtime.block_on(async {
        let known = caller.known(&trust, |scheme| settings.scheme.takes(scheme)).await?;
        let none = || Failure::new("there is no such key of this scheme yet");
        let known = known.into_iter().next().ok_or_else(none)?;
        let signed = caller.sign(&known.signer(&settings.path)?, &message, true).await?;
        Ok::<_, Failure>((known, signed))
    })?;
    out.line(format!("signature   {}", hex(&signed.signature)));
    out.line(format!("public key  {}", hex(&signed.public_key)));
    out.line(format!("request     {}", hex(&signed.key.0)));
    out.line(format!("key         {}", hex(&known.key.key.0)));
    out.line(format!("The key was verified by {}.", known.verified_by()));
    for doubt in &known.doubts {
        out.line(format!("Beware: {doubt}."));
    }
    out.line("Another implementation has verified the signature.");
    Ok(())
}

/// The name of a key on the command line.
fn name(text: &str) -> Result<KeyId, Failure> {
    let bytes = unhex(text).and_then(|bytes| bytes.try_into().ok());
    Ok(KeyId(bytes.ok_or_else(|| Failure::usage("--key: 16 bytes in hexadecimal"))?))
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let length = fs::metadata(path).map_err(Failure::file("read", path))?.len();
    if usize::try_from(length).is_ok_and(|length| length <= LONGEST_MESSAGE) {
        return fs::read(path).map_err(Failure::file("read", path));
    }
    Err(Failure::new(format!("{}: at most {LONGEST_MESSAGE} bytes are signed", path.display())))
}

/// Puts a deployment under load, and prints what came of it.
pub(crate) fn load(settings: &LoadSettings, out: &mut Out) -> Result<(), Failure> {
    let deployment = Deployment::open(&settings.dir)?;
    let requester = deployment.requester()?;
    let mut caller = Caller::new(deployment.gateway(), &requester);
    let trust = Trust::of(&deployment, None)?;
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let mut signers =
        runtime.block_on(caller.signers(&trust, |scheme| settings.scheme.takes(scheme)))?;
    if settings.scheme == SchemeChoice::Mixed {
        // In turn, whatever the number of keys of each.
        signers = in_turn(signers);
    }
    let load = Load {
        rate: settings.rate,
        length: Duration::from_secs(settings.seconds.into()),
        window: settings.window,
        signers,
    };
    let own = || usage::of_process(std::process::id()).unwrap_or_default();
    let (before, caller) = (processes(&deployment), own());
    let machine = [usage::network(), usage::disks()];
    let tally = load::run(load, deployment.gateway(), &requester)?;
    let was = |name: &str, pid: u32| {
        let same = before.iter().find(|(other, number, _)| other == name && *number == pid);
        same.map(|(_, _, usage)| *usage)
    };
    let after = processes(&deployment).into_iter();
    let processes =
        after.map(|(name, pid, after)| Process { before: was(&name, pid), name, after }).collect();
    let since = |now: Option<u64>, then| now.zip(then).map(|(now, then)| now.saturating_sub(then));
    let network = since(usage::network(), machine[0]);
    let disks = since(usage::disks(), machine[1]);
    let caller = own().cpu.saturating_sub(caller.cpu);
    let report = Report { tally, processes, caller, network, disks };
    if settings.json {
        let mut json = report.json();
        let choice = deployment.choice();
        let [nodes, threshold] = [choice.nodes, choice.threshold].map(u32::from);
        let asked = [("nodes", nodes), ("threshold", threshold), ("rate_asked", settings.rate)];
        if let Some(fields) = json.as_object_mut() {
            fields.extend(asked.map(|(name, number)| (name.to_owned(), number.into())));
        }
        out.line(json);
    } else {
        report.print(out);
    }
    Ok(())
}

fn in_turn(signers: Vec<Signer>) -> Vec<Signer> {
    let (one, two): (Vec<_>, Vec<_>) =
        signers.into_iter().partition(|signer| signer.scheme == Scheme::Ecdsa);
    let length = one.len().max(two.len());
    let pairs = one.iter().cycle().zip(two.iter().cycle()).take(length);
    let both: Vec<Signer> = pairs.flat_map(|(one, two)| [one.clone(), two.clone()]).collect();
    if both.is_empty() { [one, two].concat() } else { both }
}

/// What every process of a deployment has used, with its children.
fn processes(deployment: &Deployment) -> Vec<(String, u32, Usage)> {
    let ours = units(deployment).into_iter().map(|unit| (unit.pid(), unit.name));
    let servers = servers::pids(deployment).into_iter().map(|(name, pid)| (pid, name));
    let running = ours.chain(servers).filter_map(|(pid, name)| Some((name, pid?)));
    running.map(|(name, pid)| (name, pid, usage::with_children(pid))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_in_turn() {
        let signer = |scheme, number| Signer {
            key_id: KeyId([number; 16]),
            scheme,
            path: "m".parse().unwrap(),
            public_key: Vec::new(),
        };
        let all =
            vec![signer(Scheme::Ecdsa, 1), signer(Scheme::Ed25519, 2), signer(Scheme::Ed25519, 3)];
        let schemes: Vec<_> =
            in_turn(all.clone()).iter().map(|signer| signer.key_id.0[0]).collect();
        assert_eq!(schemes, [1, 2, 1, 3]);
        assert_eq!(in_turn(all[..1].to_vec()).len(), 1);
    }
}
