import { limited } from '../../apps/server/src/slots.ts';
import { CallFailed, messageOf, pause } from '../demo/client.ts';
import type { Call } from '../demo/client.ts';
import { arrivals } from './arrivals.ts';
import { enter, newPlayer, wouldBet } from './player.ts';
import type { Entrant, GameChoice, Player } from './player.ts';
import type { Tally } from './tally.ts';
import { pick } from './ready-bets.ts';
import type { Table } from './ready-bets.ts';
import { NotLetIn } from './socket-wire.ts';
import type { Answer, Wire } from './wire.ts';

/** How the players play. */
export interface Simulation extends GameChoice {
  readonly wire: Wire;
  /** For everything but bets. */
  readonly call: Call;
  readonly players: readonly Entrant[];
  /** Bets per second of all together, whether or not the server keeps up; Infinity: the next one as soon as a player is free. */
  readonly rate: number;
  /** How long the bets come, in seconds. Without it, until the signal. */
  readonly seconds?: number;
  /** Stops them. */
  readonly signal: AbortSignal;
  /** Lines of every ticket. Without it 1 to 4. */
  readonly lines?: number | undefined;
  /** Whether the bets begin when everybody is in. Else whoever is in begins. */
  readonly together?: boolean;
  /** Hears when the first bets are due. */
  readonly onStart?: () => void;
  /** Gives credit to a player who has too little. Without it, such a player waits for a win. */
  readonly topUp?: (username: string) => Promise<void>;
}

const LINE_COUNTS = [1, 1, 1, 1, 2, 2, 2, 3, 3, 4];
/** A bet that could not be sent for this long is not sent any more. */
const PATIENCE_MS = 10_000;
/** The bets of one go: then the answers are heard. */
const AT_ONCE = 500;
/** Whoever is not in by then is not waited for, where all begin together; a thousand sign-ins take less than a minute. */
const LET_IN_MS = 10 * 60_000;
/** Sign-ins under way: the server checks the passwords of one address one after the other. */
const SIGN_INS = 8;
/** How long a player stays away: without credit, when not let in, after anything else that went wrong. */
const AWAY_MS = { broke: 60_000, refused: 4 * 60_000, other: 10_000, busy: 1_000 } as const;
/** The refusals after which a player goes on at once. */
const GOES_ON = new Set(['LIMIT_REACHED', 'BETTING_CLOSED']);
const SESSION_ENDS = new Set(['SESSION_ENDED', 'SESSION_REPLACED']);

/** Lets the players bet until the time is over or the signal comes, and those who are at it get their answer; `tally` counts along. */
export async function simulate(simulation: Simulation, tally: Tally): Promise<void> {
  const { wire, rate, signal, call, topUp } = simulation;
  const tables = new Map<string, Table>();
  const idle: Player[] = [];
  const enterInTurn = limited(SIGN_INS);
  const told = new Set<string>();
  let underWay = 0;
  const letInUntilMs = performance.now() + LET_IN_MS;
  let startMs = Infinity;
  let endMs = Infinity;
  let wake = (): void => {};

  /** Tells of each kind of trouble once. */
  const tell = (username: string, code: string, text: string): void => {
    if (!told.has(code) && !signal.aborted) console.error(`The player ${username} could not bet. ${text}`);
    told.add(code);
  };
  const sinceStart = (): number => Math.max(0, performance.now() - startMs);

  /** Brings a player in, or back, however often it takes. */
  async function comeIn(player: Player): Promise<void> {
    const untilMs = simulation.together && startMs === Infinity ? letInUntilMs : endMs;
    while (!signal.aborted && performance.now() < untilMs) {
      try {
        await enterInTurn(() => enter(player, { wire, choice: simulation, tables }));
        if (player.games.length === 0) {
          tell(player.username, 'NO_GAMES', 'It has none of the games that are asked for.');
          setTimeout(() => void comeIn(player), AWAY_MS.broke).unref();
          return;
        }
        idle.push(player);
        return wake();
      } catch (error) {
        // After the stop no call is sent any more.
        if (signal.aborted) return;
        const code = error instanceof CallFailed || error instanceof NotLetIn ? error.code : 'UNEXPECTED';
        const busy = code === 'THROTTLED' || code === 'NO_RESPONSE' || code === 'NOT_READY';
        if (SESSION_ENDS.has(code)) player.call.forget();
        if (!busy) tell(player.username, code, messageOf(error));
        const askedMs = error instanceof CallFailed ? error.retryAfterMs : undefined;
        const waitMs = askedMs ?? (busy ? AWAY_MS.busy : AWAY_MS.refused);
        // Whoever is not let in for long is not waited for.
        if (waitMs > PATIENCE_MS) {
          setTimeout(() => void comeIn(player), waitMs).unref();
          return;
        }
        await pause(waitMs, signal);
      }
    }
  }

  const away = (player: Player, forMs: number): void => {
    setTimeout(() => {
      idle.push(player);
      wake();
    }, forMs).unref();
  };

  /** What a player does after its bet was refused. */
  function handle(player: Player, gameId: string, { code, status, retryAfterMs }: Answer): void {
    if (GOES_ON.has(code)) {
      if (code === 'BETTING_CLOSED') player.closedUntilMs.set(gameId, tables.get(gameId)!.drawsAtMs);
      idle.push(player);
    } else if (code === 'INSUFFICIENT_CREDIT' && topUp) {
      void topUp(player.username).then(
        () => {
          tally.topUps++;
          idle.push(player);
        },
        (error: unknown) => {
          tell(player.username, 'TOP_UP', messageOf(error));
          away(player, AWAY_MS.broke);
        },
      );
    } else if (code === 'INSUFFICIENT_CREDIT') away(player, AWAY_MS.broke);
    else if (code === 'GAME_UNAVAILABLE') {
      player.games = player.games.filter((game) => game !== gameId);
      if (player.games.length > 0) idle.push(player);
      else setTimeout(() => void comeIn(player), AWAY_MS.broke).unref();
    } else if (SESSION_ENDS.has(code) || code === 'NO_RESPONSE') {
      if (code !== 'NO_RESPONSE') player.call.forget();
      setTimeout(() => void comeIn(player), AWAY_MS.busy).unref();
    } else {
      const busy = status === 503 || status === 429 || code === 'NOT_READY' || code === 'THROTTLED';
      if (!busy) tell(player.username, code, `The server answered ${code}.`);
      away(player, retryAfterMs ?? (busy ? AWAY_MS.busy : AWAY_MS.other));
    }
  }

  /** One bet that was due: a player who has nothing to do lays it, or it is not sent. Gives whether it was. */
  function lay(dueMs: number): boolean {
    const player = takeOne(idle);
    const now = Date.now();
    const gameId = pick(player.games.filter((game) => wouldBet(player, tables.get(game), now)));
    if (gameId === undefined) {
      // As fast as possible nothing is due by a clock, so nothing is left out either.
      if (rate !== Infinity) tally.skip(sinceStart(), 'closed');
      idle.push(player);
      return false;
    }
    const table = tables.get(gameId)!;
    let favourites = player.favourites.get(gameId);
    if (!favourites) player.favourites.set(gameId, (favourites = table.favourites()));
    const { body, points } = table.bet(favourites, simulation.lines ?? pick(LINE_COUNTS)!);
    underWay++;
    wire.bet(player, body, (answer) => {
      underWay--;
      if (answer.accepted) {
        tally.accept(sinceStart(), performance.now() - dueMs, points);
        idle.push(player);
      } else {
        tally.refuse(sinceStart(), answer.code);
        handle(player, gameId, answer);
      }
      wake();
    });
    return true;
  }

  const crowd = simulation.players.map((entrant) => newPlayer(call, entrant));
  const entering = Promise.all(crowd.map((player) => comeIn(player)));
  if (simulation.together) await entering;
  if (signal.aborted) return;
  if (simulation.together && idle.length === 0) throw new Error('No player can bet, for the reasons above.');

  startMs = performance.now();
  if (simulation.seconds !== undefined) endMs = startMs + simulation.seconds * 1000;
  simulation.onStart?.();
  const due = arrivals(rate, startMs);
  const nextMs = (): number => (rate === Infinity ? startMs : due.nextMs);
  const takeDue = (): number => (rate === Infinity ? performance.now() : due.take());
  /** A loop as fast as it can be has nothing due while nobody is free; one by the clock has, and says so. */
  const skipOverdue = (beforeMs: number): void => {
    while (rate !== Infinity && due.nextMs < beforeMs) {
      due.take();
      tally.skip(sinceStart(), 'busy');
    }
  };

  await new Promise<void>((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    let scheduled = false;
    const go = (): void => {
      scheduled = false;
      clearTimeout(timer);
      const now = performance.now();
      if (signal.aborted || now >= endMs) {
        // What came due in the time and waits still is not sent.
        if (!signal.aborted) skipOverdue(endMs);
        wake = () => {
          if (underWay === 0) resolve();
        };
        return wake();
      }
      skipOverdue(now - PATIENCE_MS);
      let tries = 0;
      let closed = false;
      while (nextMs() <= now && idle.length > 0 && wire.free && tries < AT_ONCE && !closed) {
        closed = !lay(takeDue()) && rate === Infinity;
        tries++;
      }
      const isBusy = closed || idle.length === 0 || !wire.free;
      const waitMs = Math.min(isBusy ? 50 : Math.max(1, nextMs() - performance.now()), endMs - performance.now(), 200);
      timer = setTimeout(go, tries >= AT_ONCE ? 0 : Math.max(0, waitMs));
    };
    wake = () => {
      if (scheduled || nextMs() > performance.now()) return;
      scheduled = true;
      setImmediate(go);
    };
    signal.addEventListener('abort', () => setImmediate(go), { once: true });
    go();
  });
}

/** Takes one by chance from those who have nothing to do. */
function takeOne(idle: Player[]): Player {
  const index = Math.floor(Math.random() * idle.length);
  const player = idle[index]!;
  idle[index] = idle.at(-1)!;
  idle.pop();
  return player;
}
