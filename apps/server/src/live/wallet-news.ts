import type { Logger } from 'pino';
import type { MovedCredit, PaidDraw, Services, ToldCredit } from '../services.ts';
import { carryNews } from './news-carrier.ts';

/** Where servers tell each other whose wallets have changed. */
const WALLETS_CHANNEL = 'wallets';
/** A server on which players watch says so that often. */
const SAY_EVERY_MS = 5_000;
/** What others did before they have heard of the first watcher is read so long after. */
const HEARD_WITHIN_MS = 500;
/** Others are told of wallets until so long after a server has said that it has watchers. */
const HEARD_FOR_MS = 3 * SAY_EVERY_MS;

/** What servers tell each other: that a server has watchers, an account whose wallets have changed, a draw that was paid. */
type WalletNews =
  | readonly []
  | readonly [networkId: number, accountId: string]
  | readonly [networkId: number, gameKey: string, drawId: string];

/** Who hears of wallets that have changed, here or on another server. */
export interface WalletHearer {
  /** Whether anybody watches here. */
  isWatched(): boolean;
  /** Has this called when the first one does. */
  whenBegun(tellOthers: () => void): void;
  moved(moved: MovedCredit): void;
  paid(draw: PaidDraw): void;
  /** Others may have told something that nobody heard: wallets are to be read anew. */
  missed(): void;
}

/**
 * Carries whose wallets have changed: at once to the hearer of this server, and within moments to those of other servers where players watch,
 * which say every few seconds that they have some. Where there are none, a bet tells nobody.
 */
export function carryWalletNews(services: Services, logger: Logger, hearer: WalletHearer): { close(): Promise<void> } {
  const { events } = services;
  let othersWatchUntilMs = -Infinity;
  const carrier = carryNews<WalletNews>(services, logger, {
    channel: WALLETS_CHANNEL,
    heard(news) {
      if (news.length === 0) othersWatchUntilMs = performance.now() + HEARD_FOR_MS;
      else if (!hearer.isWatched()) return;
      else if (news.length === 2) hearer.moved({ networkId: news[0], accountIds: [news[1]] });
      else hearer.paid({ networkId: news[0], gameKey: news[1], drawId: news[2] });
    },
    missed: () => hearer.missed(),
  });
  const isHeard = (): boolean => performance.now() < othersWatchUntilMs;

  function moved({ networkId, accountIds }: ToldCredit): void {
    const [here, elsewhere] = [hearer.isWatched(), isHeard()];
    if (!here && !elsewhere) return;
    const changed = accountIds();
    if (here && changed.length > 0) hearer.moved({ networkId, accountIds: changed });
    if (elsewhere) for (const accountId of changed) carrier.tell(accountId, [networkId, accountId]);
  }
  function paid(draw: PaidDraw): void {
    if (hearer.isWatched()) hearer.paid(draw);
    const { networkId, gameKey, drawId } = draw;
    if (isHeard()) carrier.tell(drawId, [networkId, gameKey, drawId]);
  }
  const say = (): void => {
    if (hearer.isWatched()) carrier.tell('', []);
  };
  const saying = setInterval(say, SAY_EVERY_MS).unref();
  let catchingUp: NodeJS.Timeout | undefined;
  hearer.whenBegun(() => {
    say();
    clearTimeout(catchingUp);
    catchingUp = setTimeout(() => hearer.missed(), HEARD_WITHIN_MS).unref();
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
