import { expect, it } from 'vitest';
import { findSlowFiles } from './slow-files.ts';

const file = { path: 'a.test.ts', startMs: 60_000, endMs: 80_000 };

it('fails a file above the limit', () => {
  expect(findSlowFiles([file, { ...file, endMs: 74_000 }], [{ atMs: 70_000, tookMs: 1 }])).toMatchObject([
    { name: 'a.test.ts', message: expect.stringContaining('took 20.0 s') },
  ]);
});

it('raises the limit while the machine is slow, only for files of that time', () => {
  const slow = { atMs: 70_000, tookMs: 60 };
  expect(findSlowFiles([file], [slow])).toEqual([]);
  expect(findSlowFiles([{ ...file, endMs: 95_000 }], [slow])).toHaveLength(1);
  expect(findSlowFiles([file], [{ ...slow, atMs: 90_000 }])).toHaveLength(1);
});

it('judges no file while the machine is busy', () => {
  expect(findSlowFiles([{ ...file, endMs: 95_000 }], [{ atMs: 70_000, tookMs: 61 }])).toEqual([]);
});

it('judges no file of a busy run, even in a lull', () => {
  const lull = { atMs: 70_000, tookMs: 30 };
  expect(findSlowFiles([file], [lull])).toHaveLength(1);
  expect(findSlowFiles([file], [lull, { atMs: 200_000, tookMs: 120 }])).toEqual([]);
});
