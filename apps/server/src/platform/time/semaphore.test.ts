import { expect, it } from 'vitest';
import { createSemaphore } from './semaphore.ts';

it('limits concurrency in order, also after a failure', async () => {
  const turn = createSemaphore(2).run;
  const begun: number[] = [];
  const ends: ((failed?: Error) => void)[] = [];
  const works = Array.from({ length: 5 }, (_, number) =>
    turn(() => {
      begun.push(number);
      return new Promise<number>((resolve, reject) =>
        ends.push((failed) => (failed ? reject(failed) : resolve(number))),
      );
    }),
  );
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  ends[1]!(new Error('it failed'));
  await expect(works[1]).rejects.toThrow('it failed');
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  for (const number of [0, 2]) ends[number]!();
  await expect.poll(() => begun).toEqual([0, 1, 2, 3, 4]);
  for (const number of [3, 4]) ends[number]!();
  expect(await Promise.allSettled(works)).toEqual(
    [0, 1, 2, 3, 4].map((number) =>
      number === 1 ? expect.objectContaining({ status: 'rejected' }) : { status: 'fulfilled', value: number },
    ),
  );
});
