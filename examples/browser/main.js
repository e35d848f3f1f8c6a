// The page: the user's side of three parties, and the coordinator of a signature, who has no secret.
import { PublicKeyPackage, SigningSession } from './quorate/ed25519/browser.js';

const at = (id) => document.getElementById(id);
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** A worker, and what it is waited for. */
class Party {
    #worker;
    #waiting = new Map();

    constructor(me) {
        this.me = me;
        // With `?socket=ws://…` party 3 is a program elsewhere.
        const socket = me === 3 && new URL(location.href).searchParams.get('socket');
        const script = socket ? `bridge.js?socket=${encodeURIComponent(socket)}` : `worker.js?party=${me}`;
        this.#worker = new Worker(script, { type: 'module' });
        this.#worker.onmessage = ({ data }) => {
            if (data.log) this.log(data.log);
            if (data.failed) this.log(data.failed, 'bad');
            for (const [name, value] of Object.entries(data)) {
                this.#waiting.get(name)?.(value);
                this.#waiting.delete(name);
            }
        };
        this.#worker.onerror = (error) => this.log(error.message ?? 'the worker does not start', 'bad');
    }

    log(text, kind = '') {
        const line = document.createElement('li');
        line.textContent = text;
        line.className = kind;
        at(`party-${this.me}`).querySelector('ol').append(line);
    }

    /** The next answer of this name. */
    wait(name) {
        return new Promise((resolve, reject) => {
            this.#waiting.set(name, resolve);
            this.#waiting.set('failed', (why) => reject(new Error(`party ${this.me}: ${why}`)));
        });
    }

    ask(name, call) {
        const answer = this.wait(name);
        this.#worker.postMessage(call);
        return answer;
    }
}

const parties = [1, 2, 3].map((me) => new Party(me));
const ready = Promise.all(parties.map((party) => party.wait('ready')));
let key;

async function make() {
    await ready;
    const sid = crypto.getRandomValues(new Uint8Array(32));
    const call = { call: 'keygen', run: `run-${hex(sid)}`, sid };
    const packages = await Promise.all(parties.map((party) => party.ask('key', call)));
    if (new Set(packages.map(hex)).size !== 1) throw new Error('the parties have different keys');
    key = PublicKeyPackage.fromBytes('frost-ed25519', packages[0]);
    at('key').textContent = hex(key.verifyingKey);
    at('sign').disabled = false;
}

async function sign() {
    const expected = at('message').value;
    const message = new TextEncoder().encode(expected);
    const signers = at('signers').value.split(',').map(Number);
    const chosen = parties.filter(({ me }) => signers.includes(me));
    const commitments = await Promise.all(chosen.map(async (party) => ({ sender: party.me, bytes: await party.ask('commitments', { call: 'commit' }) })));
    const session = SigningSession.start(key, commitments, message);
    const signing = session.package().toBytes();
    await Promise.all(chosen.map(async (party) => {
        session.receive(party.me, await party.ask('signatureShare', { call: 'sign', signing, expected }));
    }));
    const { bytes } = session.aggregate();
    at('signature').textContent = hex(bytes);
    // Verified by the browser, too, which knows nothing of thresholds.
    const native = await crypto.subtle.importKey('raw', key.verifyingKey, 'Ed25519', false, ['verify']);
    const verified = await crypto.subtle.verify('Ed25519', native, bytes, message);
    at('verdict').textContent = verified ? 'verified by WebCrypto' : 'WebCrypto refuses it';
    at('verdict').className = verified ? 'ok' : 'bad';
    return verified;
}

const told = (work) => async () => {
    try {
        return await work();
    } catch (error) {
        at('verdict').textContent = error.message;
        at('verdict').className = 'bad';
        throw error;
    }
};
at('make').onclick = told(make);
at('sign').onclick = told(sign);
at('make').disabled = false;
