// What TypeScript accepts and refuses.
import { KeyShare, SealKey, Session, ShareClaim, Task, step, type Outcome, type QuorateError } from '@quorate/quorate';
import { verify } from '@quorate/quorate/verify';
import * as small from '@quorate/quorate/ed25519';
import { Store } from '@quorate/quorate/store';

export async function keep(store: Store, outcome: Outcome, key: SealKey): Promise<KeyShare | undefined> {
    switch (outcome.kind) {
        case 'KeyMade':
            if (!(await store.replace('share', 0, outcome.share.seal(key)))) throw new Error('there is a share');
            return outcome.share;
        case 'Presigned':
            outcome.presignatures.forEach((one) => one.info.signers.map((signer: number) => signer + 1));
            return undefined;
        default:
            // @ts-expect-error: not every outcome has a signature
            outcome.signature;
            return undefined;
    }
}

export function begin(sid: Uint8Array): Session {
    // @ts-expect-error: no such scheme
    Task.keygen('frost-ed25518', 2);
    return Session.start(sid, 1, [1, 2, 3], Task.keygen('frost-ed25519', 2));
}

export function culprits(error: QuorateError): number[] {
    return error.kind === 'Misbehaviour' ? error.culprits : [];
}

export function verified(key: Uint8Array, message: Uint8Array, signature: Uint8Array): void {
    verify('frost-taproot', key, message, signature);
}

export function stepped(state: Uint8Array, key: SealKey, task: Task): Uint8Array {
    const { outgoing, state: next } = step(state, key, task, [{ sender: 2, bytes: new Uint8Array() }]);
    outgoing.forEach(({ recipient, bytes }) => (recipient === undefined ? bytes.length : recipient));
    // @ts-expect-error: an answer that is missing is none
    ({} as ShareClaim).release(undefined);
    ({} as ShareClaim).release('new');
    return next.bytes;
}

export function smallOutcome(outcome: small.Outcome): small.KeyShare | undefined {
    return outcome.kind === 'KeyMade' ? outcome.share : undefined;
}
