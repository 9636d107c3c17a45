import pg from 'pg';

/** How often the connection is asked whether it still hears. */
const ASK_EVERY_MS = 1_000;
const RETRY_AFTER_MS = 500;

/** How long a line that says nothing is trusted, each in milliseconds. */
export interface ListenerTimes {
  /** An answer that takes longer counts as none. */
  readonly answerWithinMs: number;
  /** What was last heard for certain is this old at most, or nothing is: a connection may die without a word. */
  readonly currentForMs: number;
}

const USUAL: ListenerTimes = { answerWithinMs: 1_500, currentForMs: 3_000 };

/** Hears what any server on the same database tells by `pg_notify`. */
export interface Listener {
  /** Whether nothing that was told more than a few seconds ago can have been missed. */
  isCurrent(): boolean;
  /**
   * Tells all servers on the channel, outside of any transaction: it takes no other's connection, and does not wait for the disk. Fails
   * where the connection is away. A message may have 8,000 bytes.
   */
  tell(message: string): Promise<void>;
  close(): Promise<void>;
}

/** What a listener passes on. */
export interface Hearing {
  /** Something was told, by this server too, after the commit of the transaction that told it. Throws where it can't be understood. */
  heard(this: void, message: string): void;
  /** Things may have been told that nobody heard: what follows from them is to be forgotten. */
  missed(this: void): void;
}

/**
 * Listens on a connection of its own, which is opened anew whenever it ends. It is asked every second, since a line that is cut
 * without a word looks like one on which nothing happens.
 */
export function listenTo(
  address: () => string,
  channel: string,
  { heard, missed }: Hearing,
  { answerWithinMs, currentForMs }: ListenerTimes = USUAL,
): Listener {
  let closed = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let heardAllUntilMs = -Infinity;

  async function open(): Promise<void> {
    const next = new pg.Client({
      connectionString: address(),
      application_name: 'drawhouse listener',
      connectionTimeoutMillis: answerWithinMs,
      query_timeout: answerWithinMs,
      keepAlive: true,
      // Nothing that is told outlives the server, and every commit that tells takes a lock which those of all others wait for.
      options: '-c synchronous_commit=off',
    });
    client = next;
    next.on('error', () => lose(next));
    next.on('end', () => lose(next));
    next.on('notification', (told) => void (client === next && hear(told.payload ?? '')));
    try {
      await next.connect();
      await next.query(`listen ${pg.escapeIdentifier(channel)}`);
      if (client !== next) return;
      missed();
      await ask(next);
    } catch {
      lose(next);
    }
  }

  /** What nobody here understands, as a server of another release may tell it, is as good as missed. */
  function hear(message: string): void {
    try {
      heard(message);
    } catch {
      missed();
    }
  }

  /** Whatever was told before the question was sent has been heard when the answer comes: both take the same line. */
  async function ask(of: pg.Client): Promise<void> {
    const askedAtMs = performance.now();
    try {
      await of.query('select 1');
    } catch {
      lose(of);
      return;
    }
    if (client !== of) return;
    heardAllUntilMs = askedAtMs;
    timer = setTimeout(() => void ask(of), ASK_EVERY_MS).unref();
  }

  function lose(lost: pg.Client): void {
    if (client !== lost) return;
    client = undefined;
    heardAllUntilMs = -Infinity;
    clearTimeout(timer);
    void lost.end().catch(() => {});
    missed();
    if (!closed) timer = setTimeout(() => void open(), RETRY_AFTER_MS).unref();
  }

  void open();
  return {
    isCurrent: () => performance.now() - heardAllUntilMs < currentForMs,
    async tell(message) {
      if (!client || heardAllUntilMs === -Infinity) throw new Error('The connection that listens is away.');
      await client.query('select pg_notify($1, $2)', [channel, message]);
    },
    async close() {
      closed = true;
      const last = client;
      client = undefined;
      heardAllUntilMs = -Infinity;
      clearTimeout(timer);
      await last?.end().catch(() => {});
    },
  };
}
