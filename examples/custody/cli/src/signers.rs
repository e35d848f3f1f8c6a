//! `custody signers`: a gateway's record of who signed what, in a file for `custody audit`.

use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Read as _, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use custody_audit::Signature;

use crate::args::SignersArgs;
use crate::folder::Folder;
use crate::run::gateway_database;
use crate::settings::{Role, Settings};

/// The longest line, in bytes.
const LINE: u64 = 1 << 16;

/// Writes a line of JSON for each signature. The gateway may run meanwhile.
pub(crate) fn run(args: &SignersArgs) -> Result<String> {
    let folder = Folder::new(&args.dir);
    let settings = Settings::read(&folder.path(Settings::FILE))?;
    ensure!(settings.role == Role::Gateway, "a node has no record of signers: its log is its own");
    let records = gateway_database(&folder, &settings)?.signatures()?;
    let shown = args.out.display();
    let mut file = BufWriter::new(File::create_new(&args.out).with_context(|| shown.to_string())?);
    for record in &records {
        let signature = Signature {
            request: record.request,
            time: record.time,
            signers: record.signers.clone(),
        };
        serde_json::to_writer(&mut file, &signature)?;
        file.write_all(b"\n")?;
    }
    file.flush().with_context(|| shown.to_string())?;
    Ok(format!("{} signatures\n", records.len()))
}

/// Reads such a file.
pub(crate) fn read(path: &Path) -> Result<Vec<Signature>> {
    let named = || path.display().to_string();
    let (mut file, mut found) = (BufReader::new(File::open(path).with_context(named)?), Vec::new());
    loop {
        let mut line = Vec::new();
        file.by_ref().take(LINE).read_until(b'\n', &mut line).with_context(named)?;
        if line.is_empty() {
            return Ok(found);
        }
        let number = found.len() + 1;
        let signature = serde_json::from_slice(&line);
        found.push(signature.with_context(|| format!("{}, line {number}", path.display()))?);
    }
}
