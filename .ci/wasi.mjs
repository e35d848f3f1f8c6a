// Runs a program for WASI in Node.js, with the files of this repository: `node .ci/wasi.mjs PROGRAM ARGUMENTS…`.
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import process, { argv, env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { WASI } from 'node:wasi';

const args = argv.slice(2);
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const wasi = new WASI({ version: 'preview1', args, env, preopens: { [root]: root } });
const program = await WebAssembly.compile(await readFile(args[0]));
process.exitCode = wasi.start(await WebAssembly.instantiate(program, wasi.getImportObject()));
