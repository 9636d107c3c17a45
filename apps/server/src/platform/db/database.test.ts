import { once } from 'node:events';
import { createServer, connect as connectTo, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { connect, type Database } from './database.ts';
import { COMMAND_TIMEOUTS, CALL_TIMEOUTS, type Timeouts } from './connection/timeouts.ts';
import { DatabaseUnavailable } from './connection/unavailable.ts';
import { createDatabase, type TestDatabase } from '../../../test/test-databases.ts';

/** Only the wait under test is short; everything else gets {@link COMMAND_TIMEOUTS}, for busy machines. */
const SHORT_MS = 300;

/** Proxy to PostgreSQL that can fall silent. */
class Line {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  onData: (chunk: Buffer) => void = () => {};
  silentAfter: string | undefined;

  private constructor(target: URL) {
    this.#server = createServer((client) => {
      const upstream = connectTo(Number(target.port), target.hostname);
      let silent = false;
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket);
        socket.on('error', () => {});
      }
      client.on('data', (chunk) => {
        silent ||= this.silentAfter !== undefined && chunk.includes(this.silentAfter);
        upstream.write(chunk);
        this.onData(chunk);
      });
      upstream.on('data', (chunk) => silent || client.write(chunk));
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => client.destroy());
    });
  }

  static async to(target: URL): Promise<Line> {
    const line = new Line(target);
    line.#server.listen(0, '127.0.0.1');
    await once(line.#server, 'listening');
    return line;
  }

  get port(): string {
    return String((this.#server.address() as AddressInfo).port);
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

let database: TestDatabase;
let owner: Database;
let line: Line;
let db: Database;

beforeAll(async () => {
  database = await createDatabase(inject('cluster'));
  owner = connect(database.ownerUrl, { onError: () => {}, patience: COMMAND_TIMEOUTS });
  await owner.query('create table notes (text text primary key)');
});
afterAll(async () => {
  await owner.close();
  await database.drop();
});
beforeEach(async () => {
  line = await Line.to(new URL(database.ownerUrl));
  db = through();
});
afterEach(async () => {
  await db.close();
  await line.close();
  await owner.query('delete from notes');
});

function through(patience: Partial<Timeouts> = {}): Database {
  const url = new URL(database.ownerUrl);
  url.port = line.port;
  return connect(() => url.href, { onError: () => {}, poolSize: 2, patience: { ...COMMAND_TIMEOUTS, ...patience } });
}

/** Fakes client-side timers, so only explicit advances pass time. */
async function timeless(act: () => Promise<unknown>): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await act();
  } finally {
    vi.useRealTimers();
  }
}

function passOver(ms: number, text: string, saidBy = 1): void {
  let left = saidBy;
  line.onData = (chunk) => {
    if (chunk.includes(text) && --left === 0) vi.advanceTimersByTime(ms);
  };
}

const INSERT = 'insert into notes values ($1)';
const note = (text: string, patience?: Timeouts): Promise<unknown> =>
  db.transaction((tx) => tx.query(INSERT, [text]), patience);
const unavailable = expect.objectContaining({ constructor: DatabaseUnavailable, outcomeUnknown: false });

describe('an unreachable database', () => {
  it('is recognized whatever the driver reports', async () => {
    await db.query('select 1');
    const waiting = db.query('select pg_sleep(5)');
    line.cut();
    await expect(waiting).rejects.toEqual(unavailable);
    await expect(note('after')).resolves.toEqual([]);
    await line.close();
    await expect(note('gone')).rejects.toEqual(unavailable);
    line = await Line.to(new URL(database.ownerUrl));
  });

  it('is abandoned if a new connection stays silent', async () => {
    db = through({ connectMs: SHORT_MS });
    line.silentAfter = 'drawhouse';
    await expect(db.query('select 1')).rejects.toEqual(unavailable);
    await expect(note('silent')).rejects.toEqual(unavailable);
  });

  it('is abandoned if silent in a transaction, which then has no effect', async () => {
    line.silentAfter = INSERT;
    passOver(COMMAND_TIMEOUTS.answerMs, INSERT);
    await timeless(() => expect(note('half')).rejects.toEqual(unavailable));
    line.silentAfter = undefined;
    await expect.poll(() => owner.query('select text from notes')).toEqual([]);
    await expect(note('half')).resolves.toEqual([]);
  });

  it('leaves the outcome unknown without an answer to commit, and says so', async () => {
    line.silentAfter = 'commit';
    passOver(COMMAND_TIMEOUTS.answerMs, 'commit');
    await timeless(() =>
      expect(note('perhaps')).rejects.toMatchObject({ constructor: DatabaseUnavailable, outcomeUnknown: true }),
    );
    await expect.poll(() => owner.query('select text from notes')).toEqual([{ text: 'perhaps' }]);
  });

  it('runs no effects of an unconfirmed commit and frees the connection', async () => {
    line.silentAfter = 'commit';
    const effects: string[] = [];
    const lose = (n: number): Promise<void> =>
      db.transaction(async (tx) => {
        tx.onCommit(() => effects.push(String(n)));
        await tx.query('select 1');
      });
    passOver(COMMAND_TIMEOUTS.answerMs, 'commit', 2);
    await timeless(async () => {
      for (const result of await Promise.allSettled([1, 2, 3].map(lose))) expect(result.status).toBe('rejected');
    });
    line.silentAfter = undefined;
    await expect(note('others')).resolves.toEqual([]);
    expect(effects).toEqual([]);
  });
});

describe('a slow database', () => {
  it('stops a statement at its timeout and keeps the connection', async () => {
    db = through({ statementMs: SHORT_MS });
    const tooSlow = db.transaction((tx) => tx.query('select pg_sleep(10)'));
    await expect(tooSlow).rejects.toMatchObject({ constructor: DatabaseUnavailable, refused: true });
    await expect(note('next', COMMAND_TIMEOUTS)).resolves.toEqual([]);
  });

  it('allows a longer timeout on request', async () => {
    db = through({ statementMs: CALL_TIMEOUTS.statementMs, answerMs: SHORT_MS });
    const limit = "select setting::int as ms from pg_settings where name = 'statement_timeout'";
    const asLong = () => db.transaction((tx) => tx.query(limit), COMMAND_TIMEOUTS);
    passOver(SHORT_MS, 'pg_settings');
    await timeless(() => expect(asLong()).resolves.toEqual([{ ms: COMMAND_TIMEOUTS.statementMs }]));
  });

  it('waits for locks for a limited time', async () => {
    db = through({ lockMs: SHORT_MS });
    await note('locked');
    const update = "update notes set text = text where text = 'locked'";
    await owner.transaction(async (tx) => {
      await tx.query(update);
      await expect(db.transaction((other) => other.query(update))).rejects.toMatchObject({
        constructor: DatabaseUnavailable,
        refused: true,
      });
    });
  });

  it('limits waiting for a free connection like for a new one', async () => {
    await timeless(async () => {
      const lockHeld = Promise.withResolvers<void>();
      const holders = [1, 2].map(() => {
        const begun = Promise.withResolvers<void>();
        const ended = db.transaction(() => (begun.resolve(), lockHeld.promise));
        return { begun: begun.promise, ended };
      });
      await Promise.all(holders.map(({ begun }) => begun));
      const third = db.query('select 1');
      vi.advanceTimersByTime(COMMAND_TIMEOUTS.connectMs);
      await expect(third).rejects.toEqual(unavailable);
      lockHeld.resolve();
      await Promise.all(holders.map(({ ended }) => ended));
    });
  });
});

describe('a transaction', () => {
  it('does not count as committed if an error in it was ignored', async () => {
    const passedOver = db.transaction(async (tx) => {
      await tx.query("insert into notes values ('lost')");
      await tx.query('select 1 / 0').catch(() => {});
    });
    await expect(passedOver).rejects.toThrow('nothing was done');
  });
});

it('refuses writes in read-only mode', async () => {
  const reader = connect(database.ownerUrl, { onError: () => {}, readOnly: true, patience: COMMAND_TIMEOUTS });
  try {
    await expect(reader.query("insert into notes values ('no')")).rejects.toMatchObject({ cause: { code: '25006' } });
    expect(await reader.query('select text from notes')).toEqual([]);
  } finally {
    await reader.close();
  }
});

it('answers a call within ten seconds, including waits for a connection and an answer', () => {
  expect(CALL_TIMEOUTS.connectMs + CALL_TIMEOUTS.answerMs).toBeLessThan(10_000);
  expect(CALL_TIMEOUTS.statementMs).toBeLessThan(CALL_TIMEOUTS.answerMs);
  expect(CALL_TIMEOUTS.lockMs).toBeLessThan(CALL_TIMEOUTS.statementMs);
});
