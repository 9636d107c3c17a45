import { requiredText } from '@drawhouse/contract/frame/primitives';
import * as z from 'zod/mini';
import type { Session } from '../../auth/sessions/sessions.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { createRateLimit } from '../../platform/http/limits/rate-limit.ts';
import { JOINS, latestOnly } from './join-panels.ts';
import { refuse, tellRefusal } from '../sockets/live-socket.ts';
import type { LiveSocket } from '../sockets/live-socket.ts';
import type { PlayerNews } from '../news/player-news.ts';
import type { SocketRefusals } from '../sockets/socket-refusals.ts';

const GAMES_MAX = 500;

interface WatchSupport {
  readonly services: Services;
  readonly authenticate: (token: string) => Session | Promise<Session>;
  readonly players: Pick<PlayerNews, 'watch'>;
  readonly refusals: Pick<SocketRefusals, 'ofSent'>;
}

export function createGameWatches(support: WatchSupport): (socket: LiveSocket) => (games: unknown) => void {
  const watches = createRateLimit(JOINS, () => support.services.clock.now().getTime());
  return (socket) => {
    const watchLatest = latestOnly((given: unknown) =>
      watch(support, socket, given).catch((error: unknown) =>
        tellRefusal(socket, support.refusals.ofSent(socket, { event: 'watchGames', given }, error).body),
      ),
    );
    return (games) => {
      if (watches.take(socket.data.session.id) > 0)
        refuse(socket, new CallError('THROTTLED', { message: 'Too many games opened. Please wait a second.' }));
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
  .array(requiredText('Game is required', 64), { error: 'Send a list of game keys' })
  .check(z.maxLength(GAMES_MAX, { error: `Watch at most ${GAMES_MAX} at a time` }));

function gamesOf(given: unknown): string[] {
  const { data: games, error } = watchedGames.safeParse(given);
  if (games) return games;
  throw new CallError('INVALID_INPUT', {
    fields: Object.fromEntries(error.issues.map(({ path, message }) => [['games', ...path].join('.'), message])),
  });
}
