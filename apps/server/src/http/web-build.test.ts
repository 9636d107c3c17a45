import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { webBuildOf } from './web-build.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'drawhouse-build-'));
});
afterEach(() => rmSync(root, { recursive: true }));

it('reads the build that the page names', () => {
  writeFileSync(join(root, 'index.html'), '<head><meta name="build" content="5a0c77"></head>');
  expect(webBuildOf(root)).toBe('5a0c77');
});

it('knows none without a page, or of one that names none', () => {
  expect(webBuildOf(undefined)).toBeUndefined();
  expect(webBuildOf(root)).toBeUndefined();
  writeFileSync(join(root, 'index.html'), '<head></head>');
  expect(webBuildOf(root)).toBeUndefined();
});
