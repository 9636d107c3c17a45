import { messageOf } from '../../tools/demo/client.ts';
import { AWAY_MS, signInAgain, SESSION_ENDS } from './sign-in-player.ts';
import { sinceStartMs, reportOnce } from './crowd-state.ts';
import type { Crowd } from './crowd-state.ts';
import { wouldBet } from './player.ts';
import type { Player } from './player.ts';
import { pick } from './ready-bets.ts';
import type { Answer } from './wire.ts';

const LINE_COUNTS = [1, 1, 1, 1, 2, 2, 2, 3, 3, 4];
const RETRYABLE = new Set(['LIMIT_REACHED', 'BETTING_CLOSED']);

/** False if it was not sent. */
export function placeBet(crowd: Crowd, dueMs: number): boolean {
  const { simulation, tally, players, clock } = crowd;
  const { games, idle } = players;
  const player = takeOne(idle);
  const now = Date.now();
  const gameId = pick(player.games.filter((game) => wouldBet(player, games.get(game), now)));
  if (gameId === undefined) {
    // A closed loop has no schedule.
    if (simulation.rate !== Infinity) tally.skip(sinceStartMs(clock), 'closed');
    idle.push(player);
    return false;
  }
  const known = games.get(gameId)!;
  let favourites = player.favourites.get(gameId);
  if (!favourites) player.favourites.set(gameId, (favourites = known.favourites()));
  const { body, points } = known.bet(favourites, simulation.lines ?? pick(LINE_COUNTS)!);
  clock.sent();
  simulation.wire.bet(player, body, (answer) => {
    clock.answered();
    if (answer.accepted) {
      tally.accept(sinceStartMs(clock), performance.now() - dueMs, points);
      idle.push(player);
    } else {
      tally.refuse(sinceStartMs(clock), answer.code);
      afterRefusal(crowd, player, gameId, answer);
    }
    clock.wake();
  });
  return true;
}

function afterRefusal(crowd: Crowd, player: Player, gameId: string, { code, status, retryAfterMs }: Answer): void {
  const { idle, games } = crowd.players;
  if (RETRYABLE.has(code)) {
    if (code === 'BETTING_CLOSED') player.closedUntilMs.set(gameId, games.get(gameId)!.drawsAtMs);
    idle.push(player);
  } else if (code === 'INSUFFICIENT_CREDIT') getCredit(crowd, player);
  else if (code === 'GAME_UNAVAILABLE') {
    player.games = player.games.filter((game) => game !== gameId);
    if (player.games.length > 0) idle.push(player);
    else signInAgain(crowd, player, AWAY_MS.broke);
  } else if (SESSION_ENDS.has(code) || code === 'NO_RESPONSE') {
    if (code !== 'NO_RESPONSE') player.call.forget();
    signInAgain(crowd, player, AWAY_MS.busy);
  } else {
    const busy = status === 503 || status === 429 || code === 'NOT_READY' || code === 'THROTTLED';
    if (!busy) reportOnce(crowd, player.username, code, `The server answered ${code}.`);
    stayAway(crowd, player, retryAfterMs ?? (busy ? AWAY_MS.busy : AWAY_MS.other));
  }
}

function getCredit(crowd: Crowd, player: Player): void {
  const { simulation, tally, players } = crowd;
  if (!simulation.topUp) {
    stayAway(crowd, player, AWAY_MS.broke);
    return;
  }
  void simulation.topUp(player.username).then(
    () => {
      tally.topUps++;
      players.idle.push(player);
    },
    (error: unknown) => {
      reportOnce(crowd, player.username, 'TOP_UP', messageOf(error));
      stayAway(crowd, player, AWAY_MS.broke);
    },
  );
}

function stayAway(crowd: Crowd, player: Player, forMs: number): void {
  setTimeout(() => {
    crowd.players.idle.push(player);
    crowd.clock.wake();
  }, forMs).unref();
}

function takeOne(idle: Player[]): Player {
  const index = Math.floor(Math.random() * idle.length);
  const player = idle[index]!;
  idle[index] = idle.at(-1)!;
  idle.pop();
  return player;
}
