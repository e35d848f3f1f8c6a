"""Replays ../vectors and compares every byte: `vectors.py [NAME...]`. A name or its beginning chooses files (../vectors.md)."""

import sys, time
from multiprocessing import Pool

from vector_file import FOLDER, File
from vector_runs import cheat, session
from vector_signatures import ecdsa_signing, frost_signing, nonces

def ceremony(file, c):
    """The function that plays a ceremony."""
    if c["kind"] == "call":
        if "suite" not in file.data:
            return ecdsa_signing
        return frost_signing if "signing_package" in c else nonces
    return {"session": session, "cheat": cheat}[c["kind"]]

def replay(path):
    """Replays a file; gives a line about it."""
    file, start = File(path.stem), time.process_time()
    for file.where, c in file.ceremonies.items():
        ceremony(file, c)(file, c)
    left = f"; {file.skipped} runs, whose culprit's frames are hashes, were left out" if file.skipped else ""
    return f"{file.name}: {file.same} values are the same, {time.process_time() - start:.1f} seconds of processor time{left}"

if __name__ == "__main__":
    beginnings = tuple(sys.argv[1:] or [""])
    paths = [path for path in FOLDER.glob("*.json") if path.stem.startswith(beginnings) and path.stem != "schema"]
    if not paths:
        sys.exit("no file has such a name")
    with Pool() as pool:
        for line in pool.imap_unordered(replay, sorted(paths, key=lambda path: -path.stat().st_size)):
            print(line, flush=True)
