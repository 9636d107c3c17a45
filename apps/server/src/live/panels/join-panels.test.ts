import { expect, it } from 'vitest';
import { latestOnly } from './join-panels.ts';

it('runs only the latest request made during another, one at a time', async () => {
  const done: string[] = [];
  const ends: (() => void)[] = [];
  const ask = latestOnly<string>(async (what) => {
    await new Promise<void>((end) => ends.push(end));
    done.push(what);
  });
  const end = async (): Promise<void> => {
    expect(ends.length).toBe(1);
    ends.pop()!();
    await new Promise(setImmediate);
  };
  for (const what of ['first', 'second', 'third']) ask(what);
  await end();
  expect(done).toEqual(['first']);
  await end();
  expect(done).toEqual(['first', 'third']);
  expect(ends).toEqual([]);
  ask('later');
  await end();
  expect(done).toEqual(['first', 'third', 'later']);
});
