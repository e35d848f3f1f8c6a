// The module for Node.js: the same WebAssembly as in browsers, read from the disk.
import { readFileSync } from 'node:fs';
import { initSync } from './quorate.js';
import { relaxed } from './relaxed.js';

initSync({
    module: readFileSync(relaxed() ? new URL('quorate_relaxed_bg.wasm', import.meta.url) : new URL('quorate_bg.wasm', import.meta.url)),
});

export * from './quorate.js';
