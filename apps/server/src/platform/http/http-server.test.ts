import { expect, it } from 'vitest';
import { createTurns } from './http-server.ts';

it('yields between two tasks and keeps their order', async () => {
  const turn = createTurns();
  const seen: string[] = [];
  const others = setInterval(() => {});
  const noteLoop = (): void => void (seen.at(-1) !== 'loop' && seen.push('loop'), (looping = setImmediate(noteLoop)));
  let looping = setImmediate(noteLoop);
  await Promise.all([1, 2, 3].map((n) => turn().then(() => seen.push(String(n)))));
  clearImmediate(looping);
  clearInterval(others);
  expect(seen.join(' ')).toMatch(/1 loop 2 loop 3/);
});
