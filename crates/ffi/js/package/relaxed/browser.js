// The module for browsers and their workers: the one with relaxed SIMD where the browser takes it. It is ready when it is imported.
import init from './quorate.js';
import { relaxed } from './relaxed.js';

await init({
    module_or_path: relaxed() ? new URL('quorate_relaxed_bg.wasm', import.meta.url) : new URL('quorate_bg.wasm', import.meta.url),
});

export * from './quorate.js';
