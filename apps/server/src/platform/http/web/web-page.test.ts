import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readWebPage, withEarly } from './serve-web.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'drawhouse-page-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (html: string) => writeFileSync(join(root, 'index.html'), html);

it('reads the build named in the page', () => {
  write('<head><meta name="build" content="5a0c77"></head>');
  expect(readWebPage(root)).toMatchObject({ build: '5a0c77', inlineScripts: [], inlineStyles: [] });
});

it('finds no build without a page or without a name in it', () => {
  expect(readWebPage(undefined)).toBeUndefined();
  expect(readWebPage(root)).toBeUndefined();
  write('<head></head>');
  expect(readWebPage(root)).toMatchObject({ build: undefined, inlineScripts: [] });
});

it("allows the page's inline scripts by hash, not files", () => {
  write('<script>alert(1)</script><script type="module" src="/a.js"></script>');
  // printf 'alert(1)' | openssl dgst -sha256 -binary | base64
  expect(readWebPage(root)?.inlineScripts).toEqual(["'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='"]);
});

it("allows the page's inline styles by hash", () => {
  write('<style>a{}</style><link rel="stylesheet" href="/a.css">');
  expect(readWebPage(root)?.inlineStyles).toEqual(["'sha256-X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk='"]);
});

it('names the files and calls that a page starts early, and its calls only without a query', () => {
  write('<meta data-files="%EARLY_FILES%" data-next="%NEXT_FILES%" data-calls="%EARLY_CALLS%">');
  const pages = {
    '': { files: ['/a.js'], next: [], calls: ['auth/session'] },
    'admin/user/0': { files: ['/a.js', '/list.js'], next: [], calls: ['auth/session', 'users/all?page=1&pageSize=25'] },
    'admin/game/3': { files: ['/a.js', '/panel.js'], next: [], calls: ['auth/session', 'live?gameId=:0'] },
    'admin/game/3/roulette': { files: ['/a.js'], next: ['/wheel.js'], calls: ['auth/session', 'live?gameId=:0'] },
  };
  writeFileSync(join(root, 'early.json'), JSON.stringify(pages));
  const page = readWebPage(root)!;
  const shown = (url: string) => /files="(.*)" data-next="(.*)" data-calls="(.*)"/.exec(withEarly(page, url))!.slice(1);
  expect(shown('/admin/user')).toEqual(['/a.js /list.js', '', 'auth/session users/all?page=1&amp;pageSize=25']);
  expect(shown('/admin/user?page=2')).toEqual(['/a.js /list.js', '', 'auth/session']);
  expect(shown('/admin/game/x/y/z')).toEqual(['/a.js /panel.js', '', 'auth/session live?gameId=:0']);
  expect(shown('/admin/game/roulette/y/z')).toEqual(['/a.js', '/wheel.js', 'auth/session live?gameId=:0']);
  expect(shown('/admin/user/edit/1')).toEqual(['/a.js', '', 'auth/session']);
});
