// JavaScript, which made the key, verifies what Go has signed.
import { readFileSync } from 'node:fs';
import { argv } from 'node:process';
import { verify } from '@quorate/quorate/verify';

const read = (name) => readFileSync(`${argv[2]}/${name}`);
verify('frost-ed25519', read('frost-ed25519.key'), new TextEncoder().encode('across'), read('signature'));
console.log('a key that JavaScript made, Python refreshed, and Rust and Go opened has signed');
