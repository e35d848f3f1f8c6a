// Opens the page in a browser without a window, and waits for its report: `node check.mjs PACKAGE BROWSER PARTY`. Once with three
// workers, and once with a party that is a program of its own.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, exit } from 'node:process';
import { serve } from './serve.mjs';

const [, , folder, browser, party] = argv;
let report;
const server = await serve(folder, 0, async (path, request, response) => {
    if (path !== '/result') return false;
    let body = '';
    for await (const part of request) body += part;
    response.end();
    report(JSON.parse(body));
    return true;
});
const origin = `http://127.0.0.1:${server.address().port}`;
// A container has no sandbox of its own to give, and little shared memory. The page is ours.
const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];

/** The results of the page. */
async function open(query) {
    const reported = new Promise((resolve) => { report = resolve; });
    const profile = mkdtempSync(join(tmpdir(), 'quorate-browser-'));
    const child = spawn(browser, [...flags, `--user-data-dir=${profile}`, `${origin}/check.html${query}`], { stdio: 'ignore' });
    let timer;
    const late = new Promise((resolve) => { timer = setTimeout(resolve, 120_000, [{ what: 'the browser reports within two minutes', holds: false }]); });
    const results = await Promise.race([reported, late]);
    clearTimeout(timer);
    child.kill();
    await new Promise((resolve) => { child.once('exit', resolve); setTimeout(resolve, 5000).unref(); });
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    return results;
}

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

const show = (title, results) => {
    console.log(title);
    for (const { what, holds } of results) console.log(`${holds ? 'ok    ' : 'FAILED'} ${what}`);
    return results.every(({ holds }) => holds);
};
const program = spawn(party, ['0', origin], { stdio: ['ignore', 'pipe', 'inherit'] });
const address = await started(program);
const workers = show('three workers', await open(''));
const stranger = show('a program', [{ what: 'it refuses pages of other origins', holds: await refuses(address) }]);
const native = show('two workers and the program', await open(`?socket=${encodeURIComponent(address)}`));
program.kill();
exit(workers && stranger && native ? 0 : 1);
