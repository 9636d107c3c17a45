import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, connect as connectTo, type AddressInfo } from 'node:net';
import { getPriority } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../database.ts';
import { withPriority } from '../../../../test/busy-machine.ts';
import { TestApp } from '../../../../test/harness.ts';

let t: TestApp;
beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());

function ofSession(pid: number): number {
  const file = `/proc/${pid}/autogroup`;
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ').at(-1)) : 0;
}

async function expectBehind(url: string, expected: { process: number; session: number }): Promise<void> {
  const db = connect(url, { onError: () => {}, isLowPriority: true });
  try {
    await withPriority(async () => {
      const [there] = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
      const [other] = await t.db.query<{ pid: number }>('select pg_backend_pid() as pid');
      await expect
        .poll(() => ({
          process: getPriority(there!.pid) - getPriority(other!.pid),
          session: ofSession(there!.pid) - ofSession(other!.pid),
        }))
        .toEqual(expected);
    });
  } finally {
    await db.close();
  }
}

describe('a low-priority connection', () => {
  it("lowers its process's priority", async () => {
    const most = 19 - getPriority();
    await expectBehind(t.database.ownerUrl, {
      process: process.platform === 'linux' ? Math.min(10, most) : 0,
      session: existsSync('/proc/self/autogroup') ? 10 : 0,
    });
  });

  it('leaves a reused pid of another connection alone', async () => {
    const { hostname, port, pathname, username, password } = new URL(t.database.ownerUrl);
    const line = createServer((client) => {
      const upstream = connectTo(Number(port), hostname);
      client.pipe(upstream).pipe(client);
      for (const end of [client, upstream]) end.on('error', () => {});
    }).listen(0, '127.0.0.1');
    await once(line, 'listening');
    const through = `postgresql://${username}:${password}@127.0.0.1:${(line.address() as AddressInfo).port}${pathname}`;
    await expectBehind(through, { process: 0, session: 0 });
    line.close();
  });
});
