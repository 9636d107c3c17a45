import pg from 'pg';
import { ClusterClient } from './cluster-client.ts';

const ASK_EVERY_MS = 1_000;
const RETRY_AFTER_MS = 500;

export interface ListenerTimes {
  readonly answerWithinMs: number;
  /** Maximum age of the last confirmed answer, because connections may die silently. */
  readonly currentForMs: number;
}

const USUAL: ListenerTimes = { answerWithinMs: 1_500, currentForMs: 3_000 };

export interface Listener {
  /** No message older than a few seconds can be missing. */
  isCurrent(): boolean;
  /**
   * Reaches all servers, outside any transaction, without waiting for disk. Fails if the connection is down. Payload
   * limit: 8,000 bytes.
   */
  send(message: string): Promise<void>;
  close(): Promise<void>;
}

export interface ChannelHandler {
  /** Called after commit, for this server's messages too. */
  onMessage(this: void, message: string): void;
  /** Messages may be lost: drop derived state. */
  missed(this: void): void;
}

/** Queries the connection every second, because a dead line looks like an idle one. Reopens it. */
export function listenTo(
  address: () => string,
  channel: string,
  { onMessage, missed }: ChannelHandler,
  { answerWithinMs, currentForMs }: ListenerTimes = USUAL,
): Listener {
  let closed = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let completeUntilMs = -Infinity;

  async function open(): Promise<void> {
    const next = listenerClient(address(), answerWithinMs);
    client = next;
    next.on('error', () => lose(next));
    next.on('end', () => lose(next));
    next.on('notification', (notification) => void (client === next && receive(notification.payload ?? '')));
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

  /** Unreadable messages, perhaps from another release, count as missed. */
  function receive(message: string): void {
    try {
      onMessage(message);
    } catch {
      missed();
    }
  }

  /** Messages sent before the query arrive before its answer, on the same connection. */
  async function ask(of: pg.Client): Promise<void> {
    const askedAtMs = performance.now();
    try {
      await of.query('select 1');
    } catch {
      lose(of);
      return;
    }
    if (client !== of) return;
    completeUntilMs = askedAtMs;
    timer = setTimeout(() => void ask(of), ASK_EVERY_MS).unref();
  }

  function lose(lost: pg.Client): void {
    if (client !== lost) return;
    client = undefined;
    completeUntilMs = -Infinity;
    clearTimeout(timer);
    void lost.end().catch(() => {});
    missed();
    if (!closed) timer = setTimeout(() => void open(), RETRY_AFTER_MS).unref();
  }

  void open();
  return {
    isCurrent: () => performance.now() - completeUntilMs < currentForMs,
    async send(message) {
      if (!client || completeUntilMs === -Infinity) throw new Error('The listening connection is down.');
      await client.query('select pg_notify($1, $2)', [channel, message]);
    },
    async close() {
      closed = true;
      const last = client;
      client = undefined;
      completeUntilMs = -Infinity;
      clearTimeout(timer);
      await last?.end().catch(() => {});
    },
  };
}

function listenerClient(connectionString: string, answerWithinMs: number): pg.Client {
  return new ClusterClient({
    connectionString,
    application_name: 'drawhouse listener',
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
    keepAlive: true,
    // Notifications need not survive a crash, and notifying commits hold a global lock.
    options: '-c synchronous_commit=off',
  });
}
