import type { Logger } from 'pino';
import type { CreditChange, PaidOutDraw, Services, LazyCreditChange } from '../../platform/services.ts';
import { createBroadcast } from './broadcast.ts';

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
