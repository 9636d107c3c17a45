import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PATIENT } from '../../../../test/busy-machine.ts';
import { startReplicatedPair, type ReplicatedPair } from '../../../../test/processes/standby.ts';
import { ask } from '../../../../test/test-databases.ts';
import { connect, type Database } from '../database.ts';
import { ClusterClient, watchHosts, type HostChange } from './cluster-client.ts';
import { readCluster } from './read-cluster.ts';
import { acquireNamedLock } from './hold-lock.ts';
import { DatabaseUnavailable } from './unavailable.ts';

let pair: ReplicatedPair;
let db: Database;

beforeAll(async () => {
  pair = await startReplicatedPair();
  db = connect(pair.ownerUrl, { onError: () => {}, ...PATIENT });
  await db.query('create table notes (text text primary key)');
});
afterAll(async () => {
  await db.close();
  await pair.stop();
});

const port = async (): Promise<number> =>
  (await db.query<{ port: number }>('select inet_server_port() as port'))[0]!.port;
const portOf = (host: string): number => Number(host.split(':')[1]);

it('connects to the primary, wherever it is in the address', async () => {
  const [first, second] = [pair.primary.host, pair.standby.host];
  const turned = pair.ownerUrl.replace(`${first},${second}`, `127.0.0.1:1,${second},${first}`);
  const client = new ClusterClient({ connectionString: turned });
  await client.connect();
  try {
    expect(client.port).toBe(portOf(first));
  } finally {
    await client.end();
  }
});

it('prefers the standby for a reader that wants one, and names why no host fits', async () => {
  const reader = new ClusterClient({ connectionString: pair.ownerUrl.replace('read-write', 'prefer-standby') });
  await reader.connect();
  expect(reader.port).toBe(portOf(pair.standby.host));
  await reader.end();
  const only = `${pair.standby.ownerUrl}?target_session_attrs=read-write`;
  const none = connect(only, { onError: () => {} });
  await expect(none.query('select 1')).rejects.toThrow(`No host takes writes (${pair.standby.host}: a standby).`);
  await expect(none.query('select 1')).rejects.toThrow(DatabaseUnavailable);
  await expect(acquireNamedLock(only, 'name')).rejects.toThrow(DatabaseUnavailable);
  await none.close();
});

/** A host that refuses all connections with 22023. */
async function refusing(message: string) {
  const fields = ['SFATAL', 'VFATAL', 'C22023', `M${message}`, ''];
  const refusal = Buffer.from(`E\0\0\0\0${fields.map((field) => `${field}\0`).join('')}`);
  refusal.writeInt32BE(refusal.length - 1, 1);
  const server = createServer((socket) => socket.once('data', () => socket.end(refusal))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

it('is unavailable, not broken, if one host has lost its files and another is a standby or down', async () => {
  const { server, host } = await refusing('"base/5" is not a valid data directory');
  const url = `${pair.standby.ownerUrl.replace('@', `@${host},`)}?target_session_attrs=read-write`;
  const only = connect(url, { onError: () => {} });
  const failed = `No host takes writes (${pair.standby.host}: a standby; ${host}: "base/5" is not a valid data directory).`;
  await expect(only.query('select 1')).rejects.toEqual(
    expect.objectContaining({ constructor: DatabaseUnavailable, message: `The database did not answer: ${failed}` }),
  );
  await only.close();
  const down = connect(url.replace(pair.standby.host, '127.0.0.1:1'), { onError: () => {} });
  await expect(down.query('select 1')).rejects.toThrow(DatabaseUnavailable);
  await down.close();
  server.close();
});

it('throws the refusal of a setting, which no host takes', async () => {
  const message = 'invalid value for parameter "TimeZone": "Nowhere"';
  const { server, host } = await refusing(message);
  const all = connect(`postgresql://user@${host},127.0.0.1:1/name?target_session_attrs=read-write`, {
    onError: () => {},
  });
  await expect(all.query('select 1')).rejects.toMatchObject({ code: '22023', message });
  await all.close();
  server.close();
});

it('reads the role and lag of every host', async () => {
  await ask(pair.primary.ownerUrl, 'select pg_switch_wal()');
  const read = (): Promise<unknown> =>
    readCluster(pair.serverUrl.replace(pair.standby.host, `${pair.standby.host},127.0.0.1:1`));
  await expect.poll(read).toMatchObject([
    { host: pair.primary.host, role: 'primary', waitsFor: 'second' },
    { host: pair.standby.host, role: 'standby', behindBytes: 0 },
    { host: '127.0.0.1:1', role: 'unreachable', trouble: 'connect ECONNREFUSED 127.0.0.1:1' },
  ]);
  expect(await readCluster(pair.primary.serverUrl)).toEqual([]);
});

it.each(['', '127.0.0.1:1,'])('reports a wrong password at once (down: %s)', async (down) => {
  const wrong = new ClusterClient({ connectionString: pair.ownerUrl.replace(/:[0-9a-f]{48}@/, `:wrong@${down}`) });
  await expect(wrong.connect()).rejects.toMatchObject({ code: '28P01' });
});

it('does not count a commit whose wait for the standby was canceled', async () => {
  await ask(pair.primary.ownerUrl, "alter system set synchronous_standby_names = 'nobody'");
  await ask(pair.primary.ownerUrl, 'select pg_reload_conf()');
  const effects: string[] = [];
  const waiting = db.transaction(async (tx) => {
    tx.onCommit(() => effects.push('done'));
    await tx.query("insert into notes values ('alone')");
  });
  const cancel = (): Promise<unknown[]> =>
    db.query(
      `select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'SyncRep'`,
    );
  const outcome = waiting.catch((error: unknown) => error);
  await expect.poll(cancel).toHaveLength(1);
  expect(await outcome).toMatchObject({ constructor: DatabaseUnavailable, outcomeUnknown: true });
  expect(effects).toEqual([]);
  await ask(pair.primary.ownerUrl, "alter system set synchronous_standby_names = 'second'");
  await ask(pair.primary.ownerUrl, 'select pg_reload_conf()');
});

it('follows a promotion: new connections, locks and listeners leave the old primary, which still answers', async () => {
  const changes: HostChange[] = [];
  const stop = watchHosts(pair.ownerUrl, (change) => changes.push(change));
  const received: string[] = [];
  const listener = db.listen('news', { onMessage: (text) => received.push(text), missed: () => {} });
  await expect.poll(() => listener.isCurrent()).toBe(true);
  const lock = await acquireNamedLock(pair.ownerUrl, 'schedule');
  await db.transaction((tx) => tx.query("insert into notes values ('before')"));
  expect(await port()).toBe(portOf(pair.primary.host));

  await pair.promote();
  // Nothing asks for a connection, yet the lock's own is cut.
  await expect.poll(() => lock!.lost.aborted).toBe(true);
  expect(changes).toEqual([{ from: pair.primary.host, to: pair.standby.host }]);
  await expect.poll(port).toBe(portOf(pair.standby.host));
  expect(await db.query('select text from notes order by text')).toEqual([{ text: 'alone' }, { text: 'before' }]);
  await expect.poll(() => listener.isCurrent()).toBe(true);
  await ask(pair.standby.ownerUrl, "select pg_notify('news', 'from the new primary')");
  await expect.poll(() => received).toEqual(['from the new primary']);

  // The old primary alone no longer counts.
  pair.standby.kill();
  await expect.poll(() => port().catch((error: Error) => error.message)).toMatch(/replaced/);
  await lock!.release();
  await listener.close();
  stop();
});
