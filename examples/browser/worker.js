// One party. It has a database of its own, and talks to the others over a channel.
import { KeyShare, SealKey, SigningPackage, Task, startSteps, step } from './quorate/ed25519/browser.js';
import { Store } from './quorate/store.js';

const me = Number(new URL(self.location.href).searchParams.get('party'));
const PARTIES = [1, 2, 3];
// Workers of one page trust this channel. Between machines, frames are signed, and those with a recipient are encrypted.
const channel = new BroadcastChannel('parties');
const store = await Store.create(`party-${me}`);
const secret = (await store.sealKey()) ?? (await store.makeSealKey());
const sealKey = new SealKey(secret);
secret.fill(0);
const keygen = Task.keygen('frost-ed25519', 2);

const tell = (what) => self.postMessage(what);
const send = (run, outgoing) => outgoing.forEach(({ recipient, bytes }) => channel.postMessage({ run, sender: me, recipient, bytes }));

/** The run that made the key of the page. Each run has its own share, and none is overwritten. */
let current;

async function share() {
    const { bytes } = await store.read(`share of ${current}`);
    if (!bytes) throw new Error('there is no share yet');
    return KeyShare.open(bytes, sealKey);
}

/** Stores what a step gave, all of it or nothing, and then sends its messages. */
async function settle(run, version, { state, progress, outgoing, waitingFor, outcome, reason }) {
    const changes = [{ name: run, version, bytes: state.bytes }];
    if (outcome) changes.push({ name: `share of ${run}`, version: 0, bytes: outcome.share.seal(sealKey) });
    if (!(await store.replaceAll(changes))) {
        throw new Error('another worker of this party has gone on');
    }
    send(run, outgoing);
    if (progress === undefined) throw reason;
    if (!outcome) {
        tell({ log: `waits for ${waitingFor.join(' and ')}` });
        return;
    }
    current = run;
    tell({ log: `has its share, sealed: ${outcome.share.state}` });
    tell({ key: outcome.share.public.toBytes() });
}

async function begin({ run, sid }) {
    await settle(run, 0, startSteps(sid, me, PARTIES, keygen, sealKey));
}

/** Frames that came before this party began. */
const early = new Map();

async function hear({ run, sender, recipient, bytes }) {
    if ((recipient ?? me) !== me) return;
    const state = await store.read(run);
    if (!state.bytes) {
        early.set(run, [...(early.get(run) ?? []), { sender, recipient, bytes }]);
        return;
    }
    await settle(run, state.version, step(state.bytes, sealKey, keygen, [{ sender, bytes }]));
}

/** Nonces for one signature, in memory alone. */
let nonces;

const calls = {
    async keygen(call) {
        await begin(call);
        for (const frame of early.get(call.run) ?? []) await hear({ run: call.run, ...frame });
        early.delete(call.run);
    },
    async commit() {
        nonces = (await share()).commit();
        tell({ commitments: nonces.commitments });
    },
    async sign({ signing, expected }) {
        const own = await share();
        const read = SigningPackage.fromBytes(own.scheme, signing);
        // A signer looks at what it signs. Here it was told by its own user; a wallet decodes a transaction.
        if (new TextDecoder().decode(read.message) !== expected) throw new Error('this is another message');
        const signatureShare = own.sign(read, nonces);
        tell({ log: `signs “${expected}”` });
        tell({ signatureShare });
    },
};

// One thing after the other.
let turn = Promise.resolve();
const queue = (work) => {
    turn = turn.then(work).catch((error) => tell({ failed: String(error.message ?? error) }));
};
channel.onmessage = ({ data }) => queue(() => hear(data));
self.onmessage = ({ data }) => queue(() => calls[data.call](data));
tell({ ready: true });
