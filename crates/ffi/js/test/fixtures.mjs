// Searches just before their end, and the way to their primes.
import { readFileSync } from 'node:fs';

export const fixtures = [1, 2, 3].map((party) => readFileSync(`${process.env.QUORATE_FIXTURES}/search-${party}.bin`));

/** The secrets at the end of a sealed search. */
export function openSearch(quorate, sealed, sealKey) {
    const search = quorate.AuxSearch.open(sealed, sealKey);
    for (;;) {
        const secrets = search.step(1);
        if (secrets !== undefined) return secrets;
    }
}
