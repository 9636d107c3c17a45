import { expect, it } from 'vitest';
import { startSealing } from './sealing-thread.ts';

it('a crashing sealing thread is reported and stops nothing else', async () => {
  const broken = Promise.withResolvers<string | undefined>();
  const nothing = (): void => {};
  const data = { dir: '/nowhere', name: 'seals.test', privateKey: new Uint8Array(3), witnesses: [] };
  const sealing = startSealing(data, () => '', {
    changed: broken.resolve,
    unlogged: nothing,
    unpruned: nothing,
    witnessed: nothing,
  });
  expect(await broken.promise).toMatch(/^Sealing is stopped until the server restarts: ./);
  expect(sealing.trouble()).toBe(await broken.promise);
  await sealing.stop();
});
