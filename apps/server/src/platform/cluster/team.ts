import { join } from 'node:path';
import type { FromWorker, ToWorker, WorkerStart } from './messages.ts';
import type { Seats } from './seats.ts';

/** Forgets the least recently charged key. */
const UNREPORTED_MAX = 50_000;

/** The server's other processes (`SERVERS`), as one of them sees them. Undefined without others. */
export interface Team {
  /** 0 to `count` − 1. A restarted process keeps its slot. */
  readonly slot: number;
  readonly count: number;
  /**
   * The others' charges reach `apply`. Small charges are reported together, so all processes may exceed a burst by a
   * quarter, and by what arrives before a report does.
   */
  shareRate(
    name: string,
    burst: number,
    apply: (key: string, cost: number) => void,
  ): (key: string, cost: number) => void;
  readonly seats: Seats;
  /** At most `atOnce` jobs of this name run across all processes. */
  inPermit<T>(name: string, atOnce: number, work: () => Promise<T>): Promise<T>;
  onRead(read: () => Promise<unknown>): void;
  /** Includes this process. Leaves out processes that do not answer in time. */
  readAll(): Promise<readonly unknown[]>;
  socketOf(slot: number, use: 'bets' | 'requests'): string;
}

export function createTeam(
  { slot, count, folder }: Pick<WorkerStart, 'slot' | 'count' | 'folder'>,
  send: (message: FromWorker) => void,
): { readonly team: Team; receive(this: void, message: ToWorker): void } {
  const appliers = new Map<string, (key: string, cost: number) => void>();
  const seats = new Map<number, () => void>();
  const permits = new Map<number, () => void>();
  const answers = new Map<number, (readings: readonly unknown[]) => void>();
  let read = (): Promise<unknown> => Promise.resolve(null);
  let last = 0;

  const team: Team = {
    slot,
    count,
    shareRate(name, burst, apply) {
      appliers.set(name, apply);
      return gatherCharges(burst / (4 * count), (key, cost) => send(['charge', name, key, cost]));
    },
    seats: {
      take(group, rule, vacate) {
        const id = ++last;
        seats.set(id, vacate);
        send(['take seat', id, group, rule]);
        return () => void (seats.delete(id) && send(['leave seat', id]));
      },
    },
    async inPermit(name, atOnce, work) {
      const id = ++last;
      await new Promise<void>((resolve) => {
        permits.set(id, resolve);
        send(['acquire', id, name, atOnce]);
      });
      return work().finally(() => send(['release', id]));
    },
    onRead: (given) => void (read = given),
    readAll() {
      const id = ++last;
      return new Promise((resolve) => {
        answers.set(id, resolve);
        send(['read all', id]);
      });
    },
    socketOf: (of, use) =>
      process.platform === 'win32' ? `\\\\.\\pipe\\${folder}-${use}-${of}` : join(folder, `${use}-${of}`),
  };

  return {
    team,
    receive(message) {
      switch (message[0]) {
        case 'charge':
          appliers.get(message[1])?.(message[2], message[3]);
          break;
        case 'vacate':
          seats.get(message[1])?.();
          seats.delete(message[1]);
          break;
        case 'acquired':
          permits.get(message[1])?.();
          permits.delete(message[1]);
          break;
        case 'read': {
          const reply = (reading: unknown): void => send(['reading', message[1], reading]);
          read().then(reply, () => reply(null));
          break;
        }
        case 'readings':
          answers.get(message[1])?.(message[2]);
          answers.delete(message[1]);
          break;
        case 'start':
        case 'database':
        case 'stop':
          break;
      }
    },
  };
}

function gatherCharges(
  least: number,
  report: (key: string, cost: number) => void,
): (key: string, cost: number) => void {
  const unreported = new Map<string, number>();
  return (key, cost) => {
    const sum = (unreported.get(key) ?? 0) + cost;
    unreported.delete(key);
    if (sum >= least) report(key, sum);
    else unreported.set(key, sum);
    if (unreported.size > UNREPORTED_MAX) unreported.delete(unreported.keys().next().value!);
  };
}
