// Opens the page that a bundler made: `node bundle.mjs FOLDER BROWSER`.
import { resolve } from 'node:path';
import { argv, exit } from 'node:process';
import { serve } from '../../../../examples/browser/serve.mjs';
import { results, show, visit } from '../../../../examples/browser/visit.mjs';

const [, , folder, browser] = argv;
const server = await serve('', 0, results, resolve(folder));
const told = await visit(browser, `http://127.0.0.1:${server.address().port}/`);
exit(show('a page through a bundler', told) ? 0 : 1);
