import type { Logger } from 'pino';
import type {
  Services,
  CreditChange,
  PaidOutDraw,
  LazyCreditChange,
  Events,
  PanelKey,
} from '../../platform/services.ts';

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
function createBroadcast<News>(
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

const WALLETS_CHANNEL = 'wallets';
const ANNOUNCE_EVERY_MS = 5_000;
/** Delay before rereading changes made before others learned of the first watcher. */
const RECEIVED_WITHIN_MS = 500;
/** Heartbeats expire after this. */
const ANNOUNCEMENT_LASTS_MS = 3 * ANNOUNCE_EVERY_MS;

type WalletNews =
  | readonly []
  | readonly [networkId: number, accountId: string]
  | readonly [networkId: number, gameKey: string, drawId: string];

export interface WalletListener {
  isWatched(): boolean;
  whenBegun(notifyOthers: () => void): void;
  moved(moved: CreditChange): void;
  paid(draw: PaidOutDraw): void;
  /** Notifications may have been lost: reread wallets. */
  missed(): void;
}

/** This server at once, others with watchers within moments. Without watchers bets send nothing. */
export function carryWalletNews(
  services: Services,
  logger: Logger,
  listener: WalletListener,
): { close(): Promise<void> } {
  const { events } = services;
  let othersWatchUntilMs = -Infinity;
  const carrier = createBroadcast<WalletNews>(services, logger, {
    channel: WALLETS_CHANNEL,
    onNews(news) {
      if (news.length === 0) othersWatchUntilMs = performance.now() + ANNOUNCEMENT_LASTS_MS;
      else if (!listener.isWatched()) return;
      else if (news.length === 2) listener.moved({ networkId: news[0], accountIds: [news[1]] });
      else listener.paid({ networkId: news[0], gameKey: news[1], drawId: news[2] });
    },
    missed: () => listener.missed(),
  });
  const isWatchedElsewhere = (): boolean => performance.now() < othersWatchUntilMs;

  function moved({ networkId, accountIds }: LazyCreditChange): void {
    const [isWatchedHere, elsewhere] = [listener.isWatched(), isWatchedElsewhere()];
    if (!isWatchedHere && !elsewhere) return;
    const changed = accountIds();
    if (isWatchedHere && changed.length > 0) listener.moved({ networkId, accountIds: changed });
    if (elsewhere) for (const accountId of changed) carrier.announce(accountId, [networkId, accountId]);
  }
  function paid(draw: PaidOutDraw): void {
    if (listener.isWatched()) listener.paid(draw);
    const { networkId, gameKey, drawId } = draw;
    if (isWatchedElsewhere()) carrier.announce(drawId, [networkId, gameKey, drawId]);
  }
  const say = (): void => {
    if (listener.isWatched()) carrier.announce('', []);
  };
  const saying = setInterval(say, ANNOUNCE_EVERY_MS).unref();
  let catchingUp: NodeJS.Timeout | undefined;
  listener.whenBegun(() => {
    say();
    clearTimeout(catchingUp);
    catchingUp = setTimeout(() => listener.missed(), RECEIVED_WITHIN_MS).unref();
  });
  events.on('creditMoved', moved);
  events.on('drawPaid', paid);
  return {
    async close() {
      clearInterval(saying);
      clearTimeout(catchingUp);
      events.off('creditMoved', moved);
      events.off('drawPaid', paid);
      await carrier.close();
    },
  };
}

const PANELS_CHANNEL = 'panels';

type Changed = Events['panelChanged'][1];
type PanelNews = readonly [networkId: number, gameKey: string, what?: Changed];

export interface PanelListener {
  readonly changed: (panel: PanelKey, what: Changed) => void;
  /** Notifications may have been lost: reread everything shown. */
  readonly missed: () => void;
}

/** This server at once, others within moments. A crashed server's unsent changes surface on the periodic reread. */
export function broadcastPanelChanges(
  services: Services,
  logger: Logger,
  { changed, missed }: PanelListener,
): { close(): Promise<void> } {
  const carrier = createBroadcast<PanelNews>(services, logger, {
    channel: PANELS_CHANNEL,
    join: (earlier, later) => (later[2] === 'stakes' ? earlier : later),
    onNews: ([networkId, gameKey, what = 'any']) => changed({ networkId, gameKey }, what),
    missed,
  });
  function collect(panel: PanelKey, what: Changed): void {
    changed(panel, what);
    const { networkId, gameKey } = panel;
    carrier.announce(`${networkId} ${gameKey}`, what === 'any' ? [networkId, gameKey] : [networkId, gameKey, what]);
  }
  services.events.on('panelChanged', collect);
  return {
    async close() {
      services.events.off('panelChanged', collect);
      await carrier.close();
    },
  };
}
