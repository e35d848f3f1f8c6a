//! The step after the generator for Python: no handle is copied, pickled or used after it is closed; bytes may be any object with a
//! buffer; errors and records print what they are.
//!
//! UniFFI's objects hold a counted reference as a number. `copy.copy` and `pickle` would duplicate the number without counting.

use std::fs;
use std::path::PathBuf;

/// The base class of all objects, and the functions that it needs.
const HANDLE: &str = include_str!("handle.py");
/// The functions that replace private ones of the generated module.
const AFTER: &str = include_str!("after.py");
/// The comment before which [`HANDLE`] stands.
const BEGIN: &str = "# Public interface members begin here.\n";
/// A line that occurs only in classes of objects.
const FIELD: &str = "    _handle: ctypes.c_uint64";

/// Changes the module that was written, if these arguments asked for Python.
pub(crate) fn finish(arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let arguments: Vec<String> = arguments.collect();
    let after = |names: [&str; 2]| {
        let at = arguments.iter().position(|one| names.contains(&one.as_str()))?;
        arguments.get(at.checked_add(1)?)
    };
    if after(["--language", "-l"]).is_none_or(|language| language != "python") {
        return Ok(());
    }
    let folder = after(["--out-dir", "-o"]).ok_or("name the folder: --out-dir")?;
    let path = PathBuf::from(folder).join("quorate.py");
    let failed = |error| format!("{}: {error}", path.display());
    let written = fs::read_to_string(&path).map_err(failed)?;
    fs::write(&path, changed(&written)?).map_err(failed)
}

/// The module with all changes.
fn changed(written: &str) -> Result<String, String> {
    let (before, generated) =
        written.split_once(BEGIN).ok_or("UniFFI's module has another form: no public part")?;
    let mut lines: Vec<String> = generated.lines().map(str::to_owned).collect();
    let mut class = None;
    let mut objects: u32 = 0;
    for at in 0..lines.len() {
        let Some(line) = lines.get(at) else { break };
        if line.starts_with("class ") {
            class = Some(at);
        } else if line == FIELD {
            let head = class.and_then(|class| lines.get_mut(class));
            let head = head.ok_or("UniFFI's module has another form: a handle in no class")?;
            *head = head.replacen('(', "(Handle, ", 1);
            objects = objects.saturating_add(1);
        } else if let Some(method) = in_object(line, class, at, &lines)
            && let Some(line) = lines.get_mut(at)
        {
            *line = method;
        }
    }
    let clones = lines.iter().filter(|line| line.contains("return self._clone(")).count();
    if objects == 0 || u32::try_from(clones) != Ok(objects) {
        return Err(format!(
            "UniFFI's module has another form: {objects} objects, {clones} clones"
        ));
    }
    Ok([before, BEGIN, HANDLE, &lines.join("\n"), "\n\n\n", AFTER].concat())
}

/// The replacement for a line of an object's class; `None` if the line stays.
fn in_object(line: &str, class: Option<usize>, at: usize, lines: &[String]) -> Option<String> {
    let body = lines.get(class?..at)?;
    if !body.iter().any(|line| line == FIELD) {
        return None;
    }
    let clone = "return _uniffi_rust_call(_UniffiLib.";
    if let Some(rest) = line.trim_start().strip_prefix(clone)
        && let Some(name) = rest.strip_suffix(", self._handle)")
    {
        return Some(format!("        return self._clone(_UniffiLib.{name})"));
    }
    let takes_bytes = line.starts_with("    def ") && line.contains(": bytes");
    takes_bytes.then(|| line.replace(": bytes", ": BytesLike"))
}
