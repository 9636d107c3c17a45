import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { httpLimits } from '../../platform/http/limits/http-limits.ts';
import { listen, TestApp } from '../../../test/harness.ts';
import { makeKey, uniqueIdOf } from '../../../test/clients/program-keys.ts';
import { layBets, programSocket } from '../../../test/clients/program-socket.ts';

let t: TestApp;
let url: string;

beforeAll(async () => {
  t = await TestApp.start({ limits: { session: httpLimits({}).session } });
  url = await listen(t.app);
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

it("a program is charged one call per 250 further tickets from its key's budget", async () => {
  const net = await t.network({ credit: 1_000 });
  const player = await uniqueIdOf(t, net.user);
  const times = (count: number) =>
    Array.from({ length: count }, () => ({
      player,
      gameId: 'funtargetbingo',
      requestId: randomUUID(),
      lines: [{ drawno: '7', qty: 1 }],
    }));
  const { key } = await makeKey(t, net.admin, { ticketsPerMinute: 1 });
  const socket = await programSocket(url, key);
  await layBets(socket, times(1));
  for (let n = 0; n < 99; n++) expect(await layBets(socket, times(500))).toMatchObject({ success: true });
  expect(await layBets(socket, times(500))).toMatchObject({ code: 'THROTTLED', retryAfter: 1 });
  socket.disconnect();
});
