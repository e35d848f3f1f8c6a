// The module for browsers and their workers. It is ready when it is imported.
import init from './quorate.js';

await init({ module_or_path: new URL('quorate_bg.wasm', import.meta.url) });

export * from './quorate.js';
