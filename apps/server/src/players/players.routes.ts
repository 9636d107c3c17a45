import { deleteFavorite, listFavorites, pinGame, saveFavorite } from '@drawhouse/contract/players/favorites';
import { lobby, LOBBY_RESULTS, LOBBY_TICKETS, type LobbyGame } from '@drawhouse/contract/players/lobby';
import { setWelcomeShown, welcome, welcomeShown } from '@drawhouse/contract/players/welcome';
import { makeWall, wall, wallState, withdrawWall } from '@drawhouse/contract/players/wall';
import type { Actor } from '../accounts/authority.ts';
import type { Services } from '../platform/services.ts';
import { handle, type BoundRoute, type Call } from '../platform/http/handler.ts';
import { changePin, readFavorites, readPins, removeFavorite, saveBets } from './favorites.ts';
import { areWinnersShown, showWinners, createWelcome } from './read-welcome.ts';
import { createWall, makeWallKey, wallMadeAt, withdrawWallKey } from './public-wall.ts';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { RouteResult } from '@drawhouse/contract/core/route';
import { beginOf } from '../auth/sessions/sessions.ts';
import { readNetworkGames, type NetworkGame } from '../draws/schedule/network-games.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { playerWallets } from '../ledger/wallets.ts';
import { readUsage } from '../protection/usage.ts';
import { lastPlayed, openStakes } from '../tickets/read/recent-wins.ts';

export function playersRoutes(services: Services): BoundRoute<Actor>[] {
  const { read, forget } = createWelcome(services);
  const readWall = createWall(services);
  return [
    handle(lobby, (_input, { actor, sessionId }: { actor: Actor; sessionId: string }) =>
      readLobby(services, actor, sessionId),
    ),
    handle(listFavorites, async ({ query }, { actor }: { actor: Actor }) => ({
      data: await readFavorites(services.db, actor, query.gameId),
    })),
    handle(saveFavorite, ({ body }, call: Call<Actor>) => saveBets(services, call, body)),
    handle(deleteFavorite, ({ params }, call: Call<Actor>) => removeFavorite(services, call, params.favoriteId)),
    handle(pinGame, ({ body }, call: Call<Actor>) => changePin(services, call, body)),
    handle(welcome, () => read()),
    handle(welcomeShown, async (_input, { actor }: { actor: Actor }) => ({
      shown: await areWinnersShown(services.db, actor.networkId),
    })),
    handle(setWelcomeShown, ({ body }, call) => showWinners(services, call, body.shown, forget)),
    handle(wall, ({ params }) => readWall(params.key)),
    handle(wallState, async (_input, { actor }: { actor: Actor }) => ({
      madeAt: (await wallMadeAt(services.db, actor.networkId))?.toISOString() ?? null,
    })),
    handle(makeWall, (_input, call: Call<Actor>) => makeWallKey(services, call)),
    handle(withdrawWall, (_input, call: Call<Actor>) => withdrawWallKey(services, call)),
  ];
}

/** Nine statements for any number of games. */
async function readLobby(
  { db, clock, timeZone }: Services,
  actor: Actor,
  sessionId: string,
): Promise<RouteResult<typeof lobby>> {
  const { id: accountId, networkId, username } = actor;
  const now = clock.now();
  // In this order: a draw settled in between is counted as open but not listed, so its settlement brings a new read.
  const readDay = async () => {
    const usages = await readUsage(db, networkId, [accountId], { at: now, timeZone });
    return { usages, opens: await openStakes(db, { networkId, accountId }) };
  };
  const [games, played, { usages, opens }, pins, wallets, signedInAt] = await Promise.all([
    readNetworkGames(db, networkId, now, LOBBY_RESULTS),
    lastPlayed(db, { networkId, accountId }, { tickets: LOBBY_TICKETS, now, timeZone }),
    readDay(),
    readPins(db, actor),
    playerWallets(db, networkId, [accountId]),
    beginOf(db, sessionId),
  ]);
  if (!signedInAt) throw new CallError('SESSION_ENDED');
  const { staked, won, open } = usages.get(accountId)!;
  const { credit, winnings } = wallets.get(accountId) ?? { credit: 0n, winnings: 0n };
  return {
    username,
    serverTime: now.toISOString(),
    signedInAt: signedInAt.toISOString(),
    walletBalance: pointsOf(credit),
    winnings: pointsOf(winnings),
    today: { staked: pointsOf(staked.day), won: pointsOf(won.day), open: pointsOf(open) },
    openDraws: opens.map((draw) => draw.draw_id),
    games: inOrder(games, played).map((game) =>
      toLobbyGame(game, {
        playedAt: played.get(game.pair.game_id),
        isPinned: pins.has(game.pair.game_key),
        open: opens.reduce((sum, { game_id, stake }) => (game_id === game.pair.game_id ? sum + stake : sum), 0n),
      }),
    ),
  };
}

function inOrder(games: readonly NetworkGame[], played: ReadonlyMap<string, Date>): NetworkGame[] {
  const atMs = ({ pair }: NetworkGame): number => played.get(pair.game_id)?.getTime() ?? 0;
  return games.toSorted((one, other) => atMs(other) - atMs(one));
}

function short({ commitment: _commitment, ...draw }: NonNullable<NetworkGame['draw']>): LobbyGame['draw'] {
  return draw;
}

function toLobbyGame(
  { pair, draw, nextOpensAt, terms, results, awaited }: NetworkGame,
  { playedAt, isPinned, open }: { playedAt: Date | undefined; isPinned: boolean; open: bigint },
): LobbyGame {
  return {
    gameId: pair.game_key,
    gameName: pair.name,
    family: pair.family,
    digits: pair.digits,
    pays: terms.pays,
    unitPrice: pointsOf(terms.unitPrice),
    draw: draw && short(draw),
    nextOpensAt: nextOpensAt?.toISOString() ?? null,
    lastPlayedAt: playedAt?.toISOString() ?? null,
    isPinned,
    open: pointsOf(open),
    results: [...results],
    awaited: [...awaited],
  };
}
