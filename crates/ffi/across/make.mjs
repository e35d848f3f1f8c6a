// JavaScript makes a key for Ed25519, and one for ECDSA, and seals the shares.
import { readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { Session, Task, SealKey } from '@quorate/quorate';

const folder = argv[2];
const key = new SealKey(readFileSync(`${folder}/seal.key`));
for (const scheme of ['frost-ed25519', 'ecdsa-secp256k1']) {
    const sid = crypto.getRandomValues(new Uint8Array(32));
    const sessions = [1, 2, 3].map((me) => Session.start(sid, me, [1, 2, 3], Task.keygen(scheme, 2)));
    for (let ended = false; !ended;) {
        const frames = sessions.flatMap((from) => from.outgoing().map((frame) => ({ sender: from.partyId, ...frame })));
        for (const { sender, recipient, bytes } of frames) {
            sessions.filter(({ partyId }) => partyId !== sender && partyId === (recipient ?? partyId)).forEach((to) => to.receive(sender, bytes));
        }
        ended = sessions.map((one) => one.advance()).includes('Done');
    }
    for (const session of sessions) {
        const { share } = session.outcome();
        writeFileSync(`${folder}/${scheme}-${session.partyId}.share`, share.seal(key));
        writeFileSync(`${folder}/${scheme}.key`, share.public.verifyingKey);
    }
}
