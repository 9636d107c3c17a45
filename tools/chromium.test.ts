import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureChromium, findChromium } from './chromium.ts';

let folder: string;
let browser: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'chromium-'));
  browser = path.join(folder, 'chromium-browser');
  writeFileSync(browser, '');
  chmodSync(browser, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

it('takes CHROMIUM_PATH first, and says when it is wrong', () => {
  expect(findChromium({ CHROMIUM_PATH: browser, PATH: '' })).toBe(browser);
  expect(() => findChromium({ CHROMIUM_PATH: `${browser}-none`, PATH: folder })).toThrow('CHROMIUM_PATH');
});

it('finds the one of the system', () => {
  expect(findChromium({ PATH: `/no/such/folder:${folder}` })).toBe(browser);
});

it('fails with a clear message where there is none and nothing to install it by', () => {
  expect(() => ensureChromium({ PATH: '/no/such/folder' })).toThrow('The browser tests need Chromium');
});
