// The loop of the README, as it is printed there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as q from '@quorate/quorate/ed25519';

const readme = readFileSync(new URL('node_modules/@quorate/quorate/README.md', import.meta.url), 'utf8');

test('three parties make a key by the loop of the README', async () => {
    const [, block] = readme.match(/```js\nimport [^\n]*\n(.*?)```/s);
    const names = ['SealKey', 'Task', 'startSteps', 'step', 'sessionId', 'me', 'sealKey', 'run', 'store', 'send', 'incoming'];
    const AsyncFunction = (async () => {}).constructor;
    const loop = new AsyncFunction(...names, block);
    const [sessionId, sealKey] = [crypto.getRandomValues(new Uint8Array(32)), new q.SealKey(crypto.getRandomValues(new Uint8Array(32)))];

    const inboxes = new Map([1, 2, 3].map((me) => [me, { frames: [], waiting: undefined }]));
    const deliver = (to, frame) => {
        const inbox = inboxes.get(to);
        if (inbox.waiting) {
            inbox.waiting(frame);
            inbox.waiting = undefined;
        } else {
            inbox.frames.push(frame);
        }
    };
    const stores = new Map();
    const party = (me) => {
        const stored = new Map();
        stores.set(me, stored);
        const store = {
            async replaceAll(changes) {
                if (changes.some(({ name, version }) => (stored.get(name)?.version ?? 0) !== version)) return false;
                changes.forEach(({ name, version, bytes }) => stored.set(name, { version: version + 1, bytes }));
                return true;
            },
        };
        const send = ({ recipient, bytes }) => [1, 2, 3].filter((to) => to !== me && (recipient ?? to) === to)
            .forEach((to) => deliver(to, { sender: me, bytes }));
        const incoming = () => new Promise((resolve) => {
            const inbox = inboxes.get(me);
            if (inbox.frames.length > 0) resolve(inbox.frames.shift());
            else inbox.waiting = resolve;
        });
        return loop(q.SealKey, q.Task, q.startSteps, q.step, sessionId, me, sealKey, 'run 1', store, send, incoming);
    };
    const shares = await Promise.all([1, 2, 3].map(party));
    for (const share of shares) {
        assert.equal(share.state, 'Ready');
        assert.deepEqual(share.public.verifyingKey, shares[0].public.verifyingKey);
        const { bytes } = stores.get(share.id).get('share of run 1');
        assert.deepEqual(q.KeyShare.open(bytes, sealKey).public.digest, share.public.digest);
    }
});
