import { gamePair } from '@drawhouse/contract/games/game-pair';
import type { JoinedPair } from '@drawhouse/contract/live/live';
import * as z from 'zod/mini';
import type { Session } from '../../auth/sessions/sessions.ts';
import type { Services } from '../../platform/services.ts';
import { requirePair } from '../../games/pairs/pairs.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { requireStorable } from '../../platform/http/request/json-body.ts';
import { createRateLimit } from '../../platform/http/limits/http-limits.ts';
import { refuse, sendRefusal, type LiveSocket } from '../sockets/live-socket.ts';
import type { Rooms } from '../rooms/rooms.ts';
import type { SocketRefusals } from '../sockets/socket-calls.ts';
import { requiredText } from '@drawhouse/contract/core/primitives';
import type { PlayerNews } from '../news/player-news.ts';
import { LIVE_TEXTS } from '../live-texts.ts';

const JOINS = { perSecond: 5, burst: 30 };

export interface JoinSupport {
  readonly services: Services;
  readonly authenticate: (token: string) => Session | Promise<Session>;
  readonly rooms: Pick<Rooms, 'enter'>;
  readonly refusals: Pick<SocketRefusals, 'ofSent'>;
}

export function createPanelJoins(support: JoinSupport): (socket: LiveSocket) => (pair: unknown) => void {
  const { clock, team } = support.services;
  const joins = createRateLimit(JOINS, () => clock.now().getTime(), { shared: { name: 'joins', team } });
  return (socket) => {
    const joinLatest = latestOnly((given) =>
      join(support, socket, given).catch((error: unknown) =>
        sendRefusal(socket, support.refusals.ofSent(socket, { event: 'gameData', given }, error).body),
      ),
    );
    return (pair) => {
      if (joins.take(socket.data.session.id) > 0)
        refuse(socket, new CallError('THROTTLED', { message: LIVE_TEXTS.tooManyPanels }));
      else joinLatest(pair);
    };
  };
}

export function latestOnly<T>(act: (given: T) => Promise<void>): (given: T) => void {
  let wanted: { given: T } | undefined;
  let isActing = false;
  const actOnWanted = async (): Promise<void> => {
    isActing = true;
    for (let next = wanted; next; next = wanted) {
      wanted = undefined;
      await act(next.given);
    }
    isActing = false;
  };
  return (given) => {
    wanted = { given };
    if (!isActing) void actOnWanted();
  };
}

async function join({ services, authenticate, rooms }: JoinSupport, socket: LiveSocket, given: unknown): Promise<void> {
  const { token, session } = socket.data;
  const { role } = session.actor;
  if (role !== 'superadmin' && role !== 'admin') throw new CallError('NOT_ALLOWED');
  const choice = pairOf(given);
  const { actor } = await authenticate(token);
  if (!actor.permissions.includes('panels')) throw new CallError('NO_PERMISSION');
  const pair = await requirePair(services.db, actor, choice);
  if (!socket.connected) return;
  rooms.enter(socket, pair, choice.changes ? 'changes' : 'wholes');
}

const joinedPair = z.object({
  ...gamePair,
  changes: z._default(z.boolean({ error: LIVE_TEXTS.trueOrFalse }), false),
});

function pairOf(given: unknown): JoinedPair {
  const { data: pair, error } = joinedPair.safeParse(given);
  if (!pair)
    throw new CallError('INVALID_INPUT', {
      fields: Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.') || 'pair', message])),
    });
  requireStorable(pair);
  return pair;
}

const GAMES_MAX = 500;

interface WatchSupport {
  readonly services: Services;
  readonly authenticate: (token: string) => Session | Promise<Session>;
  readonly players: Pick<PlayerNews, 'watch'>;
  readonly refusals: Pick<SocketRefusals, 'ofSent'>;
}

export function createGameWatches(support: WatchSupport): (socket: LiveSocket) => (games: unknown) => void {
  const { clock, team } = support.services;
  const watches = createRateLimit(JOINS, () => clock.now().getTime(), { shared: { name: 'watches', team } });
  return (socket) => {
    const watchLatest = latestOnly((given: unknown) =>
      watch(support, socket, given).catch((error: unknown) =>
        sendRefusal(socket, support.refusals.ofSent(socket, { event: 'watchGames', given }, error).body),
      ),
    );
    return (games) => {
      if (watches.take(socket.data.session.id) > 0)
        refuse(socket, new CallError('THROTTLED', { message: LIVE_TEXTS.tooManyGames }));
      else watchLatest(games);
    };
  };
}

async function watch({ authenticate, players }: WatchSupport, socket: LiveSocket, given: unknown): Promise<void> {
  const { token, session } = socket.data;
  if (session.actor.role !== 'user') throw new CallError('NOT_ALLOWED');
  const games = gamesOf(given);
  await authenticate(token);
  if (socket.connected) players.watch(socket, games);
}

const watchedGames = z
  .array(requiredText(LIVE_TEXTS.gameMissing, 64), { error: LIVE_TEXTS.gameList })
  .check(z.maxLength(GAMES_MAX, { error: LIVE_TEXTS.manyGames(GAMES_MAX) }));

function gamesOf(given: unknown): string[] {
  const { data: games, error } = watchedGames.safeParse(given);
  if (games) return games;
  throw new CallError('INVALID_INPUT', {
    fields: Object.fromEntries(error.issues.map(({ path, message }) => [['games', ...path].join('.'), message])),
  });
}
