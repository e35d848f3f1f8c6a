// Prints the size of a file in bytes: plain, by gzip, and by Brotli.
import { readFileSync } from 'node:fs';
import { argv } from 'node:process';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const plain = readFileSync(argv[2]);
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } };
console.log(plain.length, gzipSync(plain, { level: 9 }).length, brotliCompressSync(plain, brotli).length);
