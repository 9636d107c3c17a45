import type { Logger } from 'pino';
import type { Services } from '../services.ts';

/** What has happened is collected for so long and told together, after its commit: nothing tells by itself, nor waits for it. */
export const TELL_AFTER_MS = 50;
/** What could not be told is told again so much later. */
const RETRY_MS = 1_000;
/** One message may have 8,000 bytes, of which this leaves some to what stands around the news. */
const MESSAGE_BYTES = 7_800;

/** What one server tells the others. Of its own word it knows already. */
interface Message<News> {
  readonly from: string;
  readonly news: readonly News[];
}

/** Carries news from this server to the others on the database. */
export interface NewsCarrier<News> {
  /** Tells something within moments. Of what has the same key the others hear once, as `join` makes it of both. */
  tell(this: void, key: string, news: News): void;
  /** Tells what is untold, and hears no more. */
  close(): Promise<void>;
}

/** Which news are carried, and who hears of those of other servers. */
interface NewsOptions<News> {
  readonly channel: string;
  /** Which of two untold news with one key is told; without it, the later one. */
  readonly join?: (earlier: News, later: News) => News;
  readonly heard: (news: News) => void;
  /** Others may have told something that nobody heard. */
  readonly missed: () => void;
}

/** Makes it. What a server that dies has not told yet, nobody hears. */
export function carryNews<News>(
  { db, newId }: Pick<Services, 'db' | 'newId'>,
  logger: Logger,
  { channel, join = (_earlier, later) => later, heard, missed }: NewsOptions<News>,
): NewsCarrier<News> {
  const serverId = newId();
  let untold = new Map<string, News>();
  let timer: NodeJS.Timeout | undefined;
  let telling: Promise<void> | undefined;
  let isAway = false;
  let closed = false;

  const listener = db.listen(channel, {
    heard(message) {
      const { from, news } = JSON.parse(message) as Message<News>;
      if (from !== serverId) for (const one of news) heard(one);
    },
    missed,
  });

  /** Tells what is untold, and gives in how many milliseconds the next is due. */
  async function tellAll(): Promise<number> {
    const told = untold;
    untold = new Map();
    try {
      for (const message of messagesOf(serverId, [...told.values()])) await listener.tell(message);
      isAway = false;
      return TELL_AFTER_MS;
    } catch (error) {
      if (!isAway) logger.warn({ error, channel }, 'the other servers cannot be told what is live at the moment');
      isAway = true;
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
      // The last bets of a server that stops are seen on the others at once.
      if (untold.size > 0) await tellAll();
      await listener.close();
    },
  };
}

/** The news as messages, each of which is short enough. */
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
