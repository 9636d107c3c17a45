import type { Logger } from 'pino';
import type { Services } from '../../platform/services.ts';

export const NOTIFY_AFTER_MS = 50;
const RETRY_MS = 1_000;
/** NOTIFY payloads are limited to 8,000 bytes, envelope included. */
const MESSAGE_BYTES = 7_800;

/** Servers ignore their own messages. */
interface Message<News> {
  readonly from: string;
  readonly news: readonly News[];
}

/** Reaches other servers on the same database. */
export interface Broadcast<News> {
  /** Sends soon. `join` merges items with equal keys. */
  announce(this: void, key: string, news: News): void;
  close(): Promise<void>;
}

interface NewsOptions<News> {
  readonly channel: string;
  readonly join?: (earlier: News, later: News) => News;
  readonly onNews: (news: News) => void;
  /** Messages may have been lost. */
  readonly missed: () => void;
}

/** A crash loses unsent items. */
export function createBroadcast<News>(
  { db, newId }: Pick<Services, 'db' | 'newId'>,
  logger: Logger,
  { channel, join = (_earlier, later) => later, onNews, missed }: NewsOptions<News>,
): Broadcast<News> {
  const serverId = newId();
  let pending = new Map<string, News>();
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let isDatabaseDown = false;
  let closed = false;

  const listener = db.listen(channel, {
    onMessage(message) {
      const { from, news } = JSON.parse(message) as Message<News>;
      if (from !== serverId) for (const one of news) onNews(one);
    },
    missed,
  });

  async function notifyAll(): Promise<number> {
    const batch = pending;
    pending = new Map();
    try {
      for (const message of messagesOf(serverId, [...batch.values()])) await listener.send(message);
      isDatabaseDown = false;
      return NOTIFY_AFTER_MS;
    } catch (error) {
      if (!isDatabaseDown) logger.warn({ error, channel }, 'live news could not be sent to the other servers');
      isDatabaseDown = true;
      for (const [key, later] of pending) batch.set(key, batch.has(key) ? join(batch.get(key)!, later) : later);
      pending = batch;
      return RETRY_MS;
    }
  }

  function notifyAfter(ms: number): void {
    timer ??= setTimeout(() => {
      sending = notifyAll().then((nextMs) => {
        timer = undefined;
        sending = undefined;
        if (pending.size > 0 && !closed) notifyAfter(nextMs);
      });
    }, ms).unref();
  }

  return {
    announce(key, news) {
      const earlier = pending.get(key);
      pending.set(key, earlier === undefined ? news : join(earlier, news));
      notifyAfter(NOTIFY_AFTER_MS);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await sending;
      // Other servers must see the last bets of a stopping server.
      if (pending.size > 0) await notifyAll();
      await listener.close();
    },
  };
}

function messagesOf(from: string, news: readonly unknown[]): string[] {
  const messages: string[] = [];
  let texts: string[] = [];
  let bytes = 0;
  const end = (): void => {
    if (texts.length > 0) messages.push(`{"from":"${from}","news":[${texts.join(',')}]}`);
    texts = [];
    bytes = 0;
  };
  for (const one of news) {
    const text = JSON.stringify(one);
    const size = Buffer.byteLength(text) + 1;
    if (bytes + size > MESSAGE_BYTES) end();
    texts.push(text);
    bytes += size;
  }
  end();
  return messages;
}
