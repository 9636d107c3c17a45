import { randomInt } from 'node:crypto';
import { login, logout } from '@drawhouse/contract/auth/auth';
import type { LiveEvents } from '@drawhouse/contract/live/live';
import { io } from 'socket.io-client';
import type { Socket } from 'socket.io-client';
import type { Member } from '../../tools/demo/bank.ts';
import { pause } from '../../tools/demo/client.ts';
import { DEMO_GAMES, DEMO_PASSWORD } from '../../tools/demo/plan.ts';
import { pick } from '../simulate/ready-bets.ts';
import type { Crew } from './crew.ts';

type PanelSocket = Socket<Pick<LiveEvents, 'responseData' | 'error'>, Pick<LiveEvents, 'gameData'>>;

const OPEN_MAX = 6;
const FIRST_FRAME_MS = 10_000;
const STAY_MS = { least: 4_000, most: 15_000 };

/**
 * People who watch panels: each signs in anew, joins a game's room, goes on to another one and leaves, by closing the page,
 * by losing the line, or by signing out, which makes the server cut the socket.
 */
export function watchPanels({ url, call, signal }: Crew, staff: readonly Member[]): { open(): Promise<void> } {
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
      // Its session may have ended before, and at the end of the soak nothing is sent any more.
    } finally {
      socket.disconnect();
      open--;
    }
  }

  return {
    /** Opens one more panel and waits for its first frames; it stays for some seconds after that. */
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

/** Joins a room and waits for its first frame. */
async function joined(socket: PanelSocket, pair: { gameId: string; adminId: string }): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (why: string): void => reject(new Error(`A panel ${why}.`));
      late = setTimeout(() => fail('sent no frame'), FIRST_FRAME_MS);
      socket.once('responseData', () => resolve());
      socket.once('connect_error', (error) => fail(`did not connect: ${error.message}`));
      socket.once('error', ({ code }) => fail(`was refused: ${code}`));
      // Some as the product's own page does, some as clients that take whole panels alone.
      socket.emit('gameData', { ...pair, changes: randomInt(2) === 0 });
    });
  } finally {
    clearTimeout(late);
    socket.removeAllListeners();
  }
}
