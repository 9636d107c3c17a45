import type { Logger } from 'pino';
import type { Services } from '../../platform/services.ts';

/** Coalescing interval after commit; transactions never wait for it. */
export const TELL_AFTER_MS = 50;
const RETRY_MS = 1_000;
/** NOTIFY payloads are limited to 8,000 bytes, envelope included. */
const MESSAGE_BYTES = 7_800;

/** Servers ignore their own messages. */
interface Message<News> {
  readonly from: string;
  readonly news: readonly News[];
}

/** Broadcasts to other servers on the same database. */
export interface Broadcast<News> {
  /** Sends soon. `join` merges items with equal keys. */
  tell(this: void, key: string, news: News): void;
  close(): Promise<void>;
}

interface NewsOptions<News> {
  readonly channel: string;
  /** Merges two pending items; default: the later one. */
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
  let untold = new Map<string, News>();
  let timer: NodeJS.Timeout | undefined;
  let telling: Promise<void> | undefined;
  let isDatabaseDown = false;
  let closed = false;

  const listener = db.listen(channel, {
    onMessage(message) {
      const { from, news } = JSON.parse(message) as Message<News>;
      if (from !== serverId) for (const one of news) onNews(one);
    },
    missed,
  });

  /** Returns the delay until the next run, in milliseconds. */
  async function tellAll(): Promise<number> {
    const told = untold;
    untold = new Map();
    try {
      for (const message of messagesOf(serverId, [...told.values()])) await listener.tell(message);
      isDatabaseDown = false;
      return TELL_AFTER_MS;
    } catch (error) {
      if (!isDatabaseDown) logger.warn({ error, channel }, 'live news could not be sent to the other servers');
      isDatabaseDown = true;
      for (const [key, later] of untold) told.set(key, told.has(key) ? join(told.get(key)!, later) : later);
      untold = told;
      return RETRY_MS;
    }
  }

  function tellAfter(ms: number): void {
    timer ??= setTimeout(() => {
      telling = tellAll().then((nextMs) => {
        timer = undefined;
        telling = undefined;
        if (untold.size > 0 && !closed) tellAfter(nextMs);
      });
    }, ms).unref();
  }

  return {
    tell(key, news) {
      const earlier = untold.get(key);
      untold.set(key, earlier === undefined ? news : join(earlier, news));
      tellAfter(TELL_AFTER_MS);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await telling;
      // Other servers must see the last bets of a stopping server.
      if (untold.size > 0) await tellAll();
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
