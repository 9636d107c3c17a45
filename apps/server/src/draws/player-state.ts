import type { playerState } from '@drawhouse/contract/draws/draws';
import { pointsOf } from '@drawhouse/contract/frame/primitives';
import type { RouteResult } from '@drawhouse/contract/frame/route';
import type { Actor } from '../accounts/authority.ts';
import type { Services } from '../services.ts';
import { outcomeImages } from '../games/game-images.ts';
import { limitsOfPair } from '../games/game-limits.ts';
import { findOwnPair, rulesOf } from '../games/games.sql.ts';
import { gameNotOpen } from '../games/pairs.ts';
import { balanceOf } from '../ledger/wallets.ts';
import { currentDraw, lastResults, toDrawView } from './draws.sql.ts';

/** What a player's screen of one game shows. Throws GAME_UNAVAILABLE where the game takes no bets of the player's network. */
export async function readPlayerState(
  { db, clock }: Services,
  actor: Actor,
  gameKey: string,
): Promise<RouteResult<typeof playerState>> {
  const pair = await findOwnPair(db, { networkId: actor.networkId, gameKey });
  if (!pair?.running) throw gameNotOpen();
  const now = clock.now();
  const { draw, nextOpensAt } = await currentDraw(db, pair, now);
  const opened = draw ?? pair;
  const rules = rulesOf(opened);
  const images = await outcomeImages(db, pair.game_id);
  return {
    gameId: pair.game_key,
    gameName: pair.name,
    family: pair.family,
    draw: draw ? toDrawView(draw) : null,
    nextOpensAt: nextOpensAt?.toISOString() ?? null,
    serverTime: now.toISOString(),
    walletBalance: pointsOf(await balanceOf(db, actor.networkId, `credit:${actor.id}`)),
    winnings: pointsOf(await balanceOf(db, actor.networkId, `winnings:${actor.id}`)),
    manualClaims: opened.manual_claims ? 'yes' : 'no',
    unitPrice: pointsOf(opened.unit_price),
    heads: rules.heads.map((head) => ({
      head: head.name,
      label: head.label,
      pay: pointsOf(BigInt(head.payHundredths)),
    })),
    outcomes: rules.outcomes.map(({ drawno, label, color = null }, index) => ({
      drawno,
      label,
      color,
      image: images[index] ?? null,
    })),
    limits: limitsOfPair(pair),
    results: await lastResults(db, pair),
  };
}
