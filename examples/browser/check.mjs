// Opens the page in a browser without a window, and waits for its report: `node check.mjs PACKAGE BROWSER PARTY`. Once with three
// workers, and once with a party that is a program of its own.
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { argv, exit } from 'node:process';
import { serve } from './serve.mjs';
import { results, show, visit } from './visit.mjs';

const [, , folder, browser, party] = argv;
const server = await serve(folder, 0, results);
const origin = `http://127.0.0.1:${server.address().port}`;
const open = (query) => visit(browser, `${origin}/check.html${query}`);

/** The first line that a program prints. */
async function started(program) {
    let text = '';
    for await (const part of program.stdout) {
        text += part;
        if (text.includes('\n')) break;
    }
    return text.trim();
}

/** Whether the program refuses a connection that comes from a page elsewhere. */
async function refuses(address) {
    const { hostname, port } = new URL(address);
    const head = ['GET / HTTP/1.1', `Host: ${hostname}`, 'Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==', 'Origin: https://elsewhere.example', '', ''];
    const socket = connect(Number(port), hostname, () => socket.write(head.join('\r\n')));
    let answer = '';
    for await (const part of socket) answer += part;
    return !answer.startsWith('HTTP/1.1 101');
}

const program = spawn(party, ['0', origin], { stdio: ['ignore', 'pipe', 'inherit'] });
const address = await started(program);
const workers = show('three workers', await open(''));
const stranger = show('a program', [{ what: 'it refuses pages of other origins', holds: await refuses(address) }]);
const native = show('two workers and the program', await open(`?socket=${encodeURIComponent(address)}`));
program.kill();
exit(workers && stranger && native ? 0 : 1);
