// The two modules of the whole build: which one is loaded, and that what one makes the other takes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { execPath } from 'node:process';
import { test } from 'node:test';

// Node.js 20 knows the instructions only by this option, and later ones know no such option.
const option = '--experimental-wasm-relaxed-simd';
const options = execFileSync(execPath, ['--v8-options'], { encoding: 'utf8' }).includes(option) ? [option] : [];

/** The output of a program that imports the package in a process of its own, with the module's name before it. */
function run(flags, before, after) {
    const program = `
        import fs from 'node:fs';
        import { syncBuiltinESMExports } from 'node:module';
        const { readFileSync } = fs;
        const loaded = [];
        fs.readFileSync = (path, ...rest) => (String(path).endsWith('.wasm') && loaded.push(String(path).split('/').at(-1)), readFileSync(path, ...rest));
        syncBuiltinESMExports();
        ${before}
        const q = await import('@quorate/quorate');
        console.log(loaded.join());
        ${after}`;
    const output = execFileSync(execPath, [...flags, '--input-type=module', '--eval', program], { encoding: 'utf8', cwd: import.meta.dirname });
    return output.trim().split('\n');
}

const validates = run(options, '', `
    const { relaxed } = await import(new URL('relaxed.js', import.meta.resolve('@quorate/quorate')));
    console.log(relaxed());`)[1];

const signs = `
    const parties = [1, 2, 3];
    const sid = crypto.getRandomValues(new Uint8Array(32));
    const sessions = parties.map((me) => q.Session.start(sid, me, parties, q.Task.keygen('frost-secp256k1', 2)));
    for (let done = false; !done;) {
        const frames = sessions.flatMap((from) => from.outgoing().map((one) => ({ from: from.partyId, ...one })));
        for (const { from, recipient, bytes } of frames) {
            sessions.filter((one) => one.partyId !== from && (recipient ?? one.partyId) === one.partyId).forEach((to) => to.receive(from, bytes));
        }
        done = sessions.map((one) => { let at; do { at = one.advance(); } while (at === 'Working'); return at; }).every((at) => at === 'Done');
    }
    const shares = sessions.map((one) => one.outcome().share).slice(0, 2);
    const nonces = shares.map((share) => share.commit());
    const commitments = shares.map((share, i) => ({ sender: share.id, bytes: nonces[i].commitments }));
    const signing = q.SigningSession.start(shares[0].public, commitments, new TextEncoder().encode('both'));
    const sent = signing.package().toBytes();
    shares.forEach((share, i) => signing.receive(share.id, share.sign(q.SigningPackage.fromBytes(share.scheme, sent), nonces[i])));
    console.log(Buffer.from(shares[0].public.verifyingKey).toString('hex'));
    console.log(Buffer.from(signing.aggregate().bytes).toString('hex'));`;

const verifies = (key, signature) => `
    const [key, signature] = ['${key}', '${signature}'].map((hex) => new Uint8Array(Buffer.from(hex, 'hex')));
    const verify = (text) => q.verify('frost-secp256k1', key, new TextEncoder().encode(text), signature);
    verify('both');
    try { verify('other'); console.log('verified'); } catch ({ kind }) { console.log(kind); }`;

test('the module with relaxed SIMD is loaded where it is valid', { skip: validates !== 'true' && 'this Node.js has no relaxed SIMD' }, () => {
    assert.deepEqual(run(options, '', ''), ['quorate_relaxed_bg.wasm']);
});

test('the plain module is loaded where the other is not valid', () => {
    assert.deepEqual(run(options, 'WebAssembly.validate = () => false;', ''), ['quorate_bg.wasm']);
    if (options.length > 0) assert.deepEqual(run([], '', ''), ['quorate_bg.wasm']);
});

test('either module verifies what the other signs', () => {
    const plain = 'WebAssembly.validate = () => false;';
    for (const [signer, verifier] of [[plain, ''], ['', plain]]) {
        const [, key, signature] = run(options, signer, signs);
        const wrong = run(options, verifier, verifies(key, signature))[1];
        assert.equal(wrong, run(options, plain, verifies(key, signature))[1]);
        assert.notEqual(wrong, 'verified');
    }
});
