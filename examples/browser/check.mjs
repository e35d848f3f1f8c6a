// Opens the page in a browser without a window, waits for its report: `node check.mjs PACKAGE BROWSER`.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, exit } from 'node:process';
import { serve } from './serve.mjs';

const [, , folder, browser] = argv;
let report;
const reported = new Promise((resolve) => { report = resolve; });
const server = await serve(folder, 0, async (path, request, response) => {
    if (path !== '/result') return false;
    let body = '';
    for await (const part of request) body += part;
    response.end();
    report(JSON.parse(body));
    return true;
});
const profile = mkdtempSync(join(tmpdir(), 'quorate-browser-'));
// A container has no sandbox of its own to give, and little shared memory. The page is ours.
const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', `--user-data-dir=${profile}`];
const child = spawn(browser, [...flags, `http://127.0.0.1:${server.address().port}/check.html`], { stdio: 'ignore' });
const late = new Promise((resolve) => { setTimeout(resolve, 120_000, [{ what: 'the browser reports within two minutes', holds: false }]); });
const results = await Promise.race([reported, late]);
for (const { what, holds } of results) console.log(`${holds ? 'ok    ' : 'FAILED'} ${what}`);
child.kill();
await new Promise((resolve) => { child.once('exit', resolve); setTimeout(resolve, 5000); });
rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
exit(results.every(({ holds }) => holds) ? 0 : 1);
