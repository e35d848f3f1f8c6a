// Two parts of the package through a bundler. The server is told what came of it.
import { SealKey } from '@quorate/quorate';
import { verify } from '@quorate/quorate/verify';

const key = new SealKey(crypto.getRandomValues(new Uint8Array(32)));
key.free();
let refused;
try {
    verify('frost-ed25519', new Uint8Array(32), new Uint8Array(), new Uint8Array(64));
} catch ({ kind }) {
    refused = kind;
}
const modules = performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.wasm'));
const loaded = modules.map((name) => name.split('/').at(-1).replace(/-.*/, '')).sort().join();
const results = [
    { what: `a key of zeros is refused: ${refused}`, holds: refused !== undefined },
    { what: `each part has its module: ${loaded}`, holds: loaded === 'quorate_bg,quorate_relaxed_bg' },
];
await fetch('/result', { method: 'POST', body: JSON.stringify(results) });
