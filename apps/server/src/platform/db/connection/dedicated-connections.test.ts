import { expect, it } from 'vitest';
import { dedicatedClient, shareOut } from './dedicated-connections.ts';

it('distributes queued work in order and, after a failure, stops everything', async () => {
  const clients = [dedicatedClient('', 'one'), dedicatedClient('', 'other')];
  const log: string[] = [];
  const slow = Promise.withResolvers<void>();
  const shared = shareOut(clients, ['slow', 'fails', 'never'], async (client, what) => {
    log.push(`${what} on ${clients.indexOf(client)}`);
    if (what === 'slow') await slow.promise;
    if (what === 'fails') {
      setImmediate(slow.resolve);
      throw new Error('it failed');
    }
    log.push(`${what} ended`);
  });
  await expect(shared).rejects.toThrow('it failed');
  expect(log).toEqual(['slow on 0', 'fails on 1', 'slow ended']);
});
