import { once } from 'node:events';
import { createServer, connect as connectTo } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { connect } from './database.ts';
import { PROMPT } from './patience.ts';
import type { Database } from './database.ts';
import type { Patience } from './patience.ts';
import { DatabaseUnavailable } from './unavailable.ts';
import { TestApp } from '../../test/harness.ts';

/** Short, so that the tests need not wait; what is cut off is cut off for good. */
const SHORT: Patience = { connectMs: 500, lockMs: 300, statementMs: 300, answerMs: 500 };

/** A way to PostgreSQL that can fall silent. */
class Line {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** From this text of the client on nothing comes back. */
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

  /** Ends every connection, as a server does that dies. */
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

let t: TestApp;
let line: Line;
let db: Database;
let url: URL;

beforeAll(async () => {
  t = await TestApp.start();
  url = new URL(t.database.ownerUrl);
  await t.db.query('create table notes (text text primary key)');
});
afterAll(() => t.close());
beforeEach(async () => {
  line = await Line.to(url);
  const through = new URL(url);
  through.port = line.port;
  db = connect(() => through.href, { onError: () => {}, poolSize: 2, patience: SHORT });
});
afterEach(async () => {
  await db.close();
  await line.close();
  await t.db.query('delete from notes');
});

const note = (text: string): Promise<unknown> =>
  db.transaction((tx) => tx.query('insert into notes values ($1)', [text]));
const unavailable = expect.objectContaining({ constructor: DatabaseUnavailable, outcomeUnknown: false });

describe('a database that is away', () => {
  it('is named as that, whatever the driver says', async () => {
    await db.query('select 1');
    const waiting = db.query('select pg_sleep(5)');
    line.cut();
    await expect(waiting).rejects.toEqual(unavailable);
    await expect(note('after')).resolves.toEqual([]);
    await line.close();
    await expect(note('gone')).rejects.toEqual(unavailable);
    line = await Line.to(url);
  });

  it('that says nothing to a new connection is given up', async () => {
    line.silentAfter = 'drawhouse';
    await expect(db.query('select 1')).rejects.toEqual(unavailable);
    await expect(note('silent')).rejects.toEqual(unavailable);
  });

  it('that falls silent in a transaction is given up, and nothing of it happens', async () => {
    line.silentAfter = 'insert into notes';
    await expect(note('half')).rejects.toEqual(unavailable);
    line.silentAfter = undefined;
    await expect.poll(() => t.db.query('select text from notes')).toEqual([]);
    await expect(note('half')).resolves.toEqual([]);
  });

  it('that does not answer a commit leaves open what happened, and says so', async () => {
    line.silentAfter = 'commit';
    await expect(note('perhaps')).rejects.toMatchObject({ constructor: DatabaseUnavailable, outcomeUnknown: true });
    await expect.poll(() => t.db.query('select text from notes')).toEqual([{ text: 'perhaps' }]);
  });

  it('runs no effect of what it did not confirm, and frees the connection for others', async () => {
    line.silentAfter = 'commit';
    const effects: string[] = [];
    const lost = [1, 2, 3].map((n) =>
      db.transaction(async (tx) => {
        tx.onCommit(() => effects.push(String(n)));
        await tx.query('select 1');
      }),
    );
    for (const result of await Promise.allSettled(lost)) expect(result.status).toBe('rejected');
    line.silentAfter = undefined;
    await expect(note('others')).resolves.toEqual([]);
    expect(effects).toEqual([]);
  });
});

describe('a database that is slow', () => {
  it('stops a statement at its time, and the connection goes on', async () => {
    const tooSlow = db.transaction((tx) => tx.query('select pg_sleep(10)'));
    await expect(tooSlow).rejects.toMatchObject({ constructor: DatabaseUnavailable, refused: true });
    await expect(note('next')).resolves.toEqual([]);
  });

  it('gives a statement more time where it is asked to', async () => {
    const patience = { ...SHORT, statementMs: 20_000, answerMs: 20_000 };
    const asLong = db.transaction((tx) => tx.query("select 'done' as it from pg_sleep(0.6)"), patience);
    await expect(asLong).resolves.toEqual([{ it: 'done' }]);
  });

  it('waits for a lock only so long', async () => {
    await note('locked');
    const update = "update notes set text = text where text = 'locked'";
    await t.db.transaction(async (tx) => {
      await tx.query(update);
      await expect(db.transaction((other) => other.query(update))).rejects.toMatchObject({
        constructor: DatabaseUnavailable,
        refused: true,
      });
    });
  });

  it('makes nobody wait for a free connection longer than for a new one', async () => {
    // Both connections are there: on a busy machine to open one may take longer than is waited for it.
    const both = (): Promise<unknown> => Promise.all([1, 2].map(() => db.query('select pg_sleep(0.1)')));
    await vi.waitFor(both, { timeout: 20_000 });
    let free = (): void => {};
    const held = new Promise<void>((resolve) => (free = resolve));
    const holders = [1, 2].map(() => db.transaction(() => held));
    await expect(db.query('select 1')).rejects.toEqual(unavailable);
    free();
    await Promise.all(holders);
  });
});

describe('a transaction', () => {
  it('is not taken for done when an error in it was passed over', async () => {
    const passedOver = db.transaction(async (tx) => {
      await tx.query("insert into notes values ('lost')");
      await tx.query('select 1 / 0').catch(() => {});
    });
    await expect(passedOver).rejects.toThrow('nothing was done');
  });
});

it('refuses to write where it is only to read', async () => {
  const reader = connect(url.href, { onError: () => {}, readOnly: true });
  try {
    await expect(reader.query("insert into notes values ('no')")).rejects.toMatchObject({ cause: { code: '25006' } });
    expect(await reader.query('select text from notes')).toEqual([]);
  } finally {
    await reader.close();
  }
});

it('answers a call within ten seconds, a wait for a connection and one for an answer included', () => {
  expect(PROMPT.connectMs + PROMPT.answerMs).toBeLessThan(10_000);
  expect(PROMPT.statementMs).toBeLessThan(PROMPT.answerMs);
  expect(PROMPT.lockMs).toBeLessThan(PROMPT.statementMs);
});
