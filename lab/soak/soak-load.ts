import { statement } from '@drawhouse/contract/credit/statement';
import { randomInt } from 'node:crypto';
import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { login, logout, session } from '@drawhouse/contract/auth/auth';
import { loadCredit } from '@drawhouse/contract/credit/own-credit';
import { placeBet } from '@drawhouse/contract/tickets/tickets';
import { turnoverReport } from '@drawhouse/contract/reports/turnover';
import { give, type Member } from '../../tools/demo/demo-network.ts';
import { CallFailed, messageOf, pause, type Call } from '../../tools/demo/client.ts';
import { DEMO_PASSWORD, DEMO_GAMES } from '../../tools/demo/plan.ts';
import { pick } from '../simulate/ready-bets.ts';
import type { LiveEvents } from '@drawhouse/contract/live/live';
import { io, type Socket } from 'socket.io-client';

export interface Work {
  done: number;
  waited: number;
  readonly failures: Map<string, number>;
}

interface Activity {
  readonly everyMs: number;
  readonly act: () => Promise<unknown>;
}

const DAY_MS = 86_400_000;
const REFUSED = [400, 401, 403, 404, 409, 422];
/** Works beside the bets, one job of each kind at a time. */
export function work(crew: Crew): { works: ReadonlyMap<string, Work>; ended: Promise<void> } {
  const activities = activitiesOf(crew);
  const works = new Map(Object.keys(activities).map((name): [string, Work] => [name, newWork()]));
  const ended = Promise.all(
    Object.entries(activities).map(([name, activity]) => keepAt(activity, works.get(name)!, crew.signal)),
  );
  return { works, ended: ended.then(() => {}) };
}

function newWork(): Work {
  return { done: 0, waited: 0, failures: new Map() };
}

async function keepAt({ everyMs, act }: Activity, result: Work, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // Exponential gaps: people don't work in step.
    await pause(-Math.log(1 - Math.random()) * everyMs, signal);
    if (signal.aborted) return;
    try {
      await act();
      result.done++;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof CallFailed && (error.status === 429 || error.status === 503)) {
        result.waited++;
        await pause(error.retryAfterMs ?? 1_000, signal);
      } else {
        const reason = messageOf(error);
        result.failures.set(reason, (result.failures.get(reason) ?? 0) + 1);
      }
    }
  }
}

function activitiesOf(crew: Crew): Record<string, Activity> {
  const { call, players } = crew;
  const staff = [...new Set(players.flatMap(chainAbove))];
  const anyone = (members: readonly Member[]): Member => pick(members)!;
  const panels = watchPanels(crew, staff);
  return {
    'sign-ins': {
      everyMs: 3_000,
      async act() {
        const { username } = anyone([...players, ...staff]);
        const { token } = await call(login, { body: { username, password: DEMO_PASSWORD } });
        await call(session, {}, { token });
        await call(logout, {}, { token });
      },
    },
    lists: { everyMs: 700, act: () => browse(anyone(staff)) },
    panels: { everyMs: 3_000, act: () => panels.open() },
    transfers: { everyMs: 2_000, act: () => give(anyone(players), randomInt(1, 20)) },
    exports: {
      everyMs: 6_000,
      async act() {
        const who = anyone(staff);
        if (randomInt(2) === 0) return who.call(accountLists.user.files[0]!.route, {});
        return who.call(statement.files[1]!.route, { query: lastDay() });
      },
    },
    mistakes: { everyMs: 4_000, act: () => err(call, anyone(players)) },
  };
}

function chainAbove({ above }: Member): Member[] {
  return above ? [above, ...chainAbove(above)] : [];
}

function lastDay(): { startDate: string; endDate: string } {
  const now = Date.now();
  return { startDate: new Date(now - DAY_MS).toISOString(), endDate: new Date(now + DAY_MS).toISOString() };
}

async function browse(who: Member): Promise<unknown> {
  switch (randomInt(4)) {
    case 0:
      return who.call(accountLists.user.route, { query: { pageSize: '25', sort: '-walletBalance' } });
    case 1:
      return who.call(accountLists.retailer.route, { query: { search: 'a' } });
    case 2:
      return who.call(turnoverReport.route, { query: lastDay() });
    default:
      await who.call(loadCredit, {});
      return who.call(statement.route, { query: lastDay() });
  }
}

/** Makes calls that must fail: unknown game, no session, unknown account. */
async function err(call: Call, player: Member): Promise<void> {
  const mistakes = [
    () => player.call(placeBet, { body: { gameId: 'no-such-game', requestId: 'x', lines: [{ drawno: '1', qty: 1 }] } }),
    () => call(session, {}, { token: 'nobody' }),
    () => player.call(accountRoutes.user.get, { params: { id: '00000000-0000-7000-8000-000000000000' } }),
  ];
  try {
    await pick(mistakes)!();
  } catch (error) {
    if (!(error instanceof CallFailed) || !REFUSED.includes(error.status)) throw error;
    return;
  }
  throw new Error('a mistake was not refused');
}

type PanelSocket = Socket<Pick<LiveEvents, 'responseData' | 'error'>, Pick<LiveEvents, 'gameData'>>;

const OPEN_MAX = 6;
const FIRST_FRAME_MS = 10_000;
const STAY_MS = { least: 4_000, most: 15_000 };

/** Leaves by page close, lost connection or sign-out. */
function watchPanels({ url, call, signal }: Crew, staff: readonly Member[]): { open(): Promise<void> } {
  const admins = staff.filter(({ role }) => role === 'admin');
  const watchers = staff.filter(({ role }) => role === 'admin' || role === 'superadmin');
  let open = 0;

  async function watch(socket: PanelSocket, token: string): Promise<void> {
    try {
      await pause(randomInt(STAY_MS.least, STAY_MS.most), signal);
      const way = randomInt(3);
      if (way === 0) socket.disconnect();
      else if (way === 1) socket.io.engine.close();
      await call(logout, {}, { token });
    } catch {
      // Ignores an already ended session and the end of the soak.
    } finally {
      socket.disconnect();
      open--;
    }
  }

  return {
    async open() {
      if (open >= OPEN_MAX) return;
      const who = pick(watchers)!;
      const { token } = await call(login, { body: { username: who.username, password: DEMO_PASSWORD } });
      const socket: PanelSocket = io(url, { auth: { token }, transports: ['websocket'], reconnection: false });
      open++;
      try {
        const own = who.role === 'admin' ? who : pick(admins)!;
        for (let joins = 0; joins < 2; joins++) await joined(socket, { gameId: pick(DEMO_GAMES)!, adminId: own.id });
      } finally {
        void watch(socket, token);
      }
    },
  };
}

async function joined(socket: PanelSocket, pair: { gameId: string; adminId: string }): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (why: string): void => reject(new Error(`A panel ${why}.`));
      late = setTimeout(() => fail('sent no frame'), FIRST_FRAME_MS);
      socket.once('responseData', () => resolve());
      socket.once('connect_error', (error) => fail(`did not connect: ${error.message}`));
      socket.once('error', ({ code }) => fail(`was refused: ${code}`));
      socket.emit('gameData', { ...pair, changes: randomInt(2) === 0 });
    });
  } finally {
    clearTimeout(late);
    socket.removeAllListeners();
  }
}

interface Crew {
  readonly url: string;
  readonly call: Call;
  readonly players: readonly Member[];
  readonly signal: AbortSignal;
}
