// The module for Node.js: the same WebAssembly as in browsers, read from the disk.
import { readFileSync } from 'node:fs';
import { initSync } from './quorate.js';

initSync({ module: readFileSync(new URL('quorate_bg.wasm', import.meta.url)) });

export * from './quorate.js';
