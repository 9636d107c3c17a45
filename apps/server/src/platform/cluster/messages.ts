import type { SeatRule } from './seats.ts';

export interface DatabaseAddresses {
  readonly ownerUrl: string;
  readonly serverUrl: string;
}

/** `folder`: private sockets between the workers. `isFirst`: announces the first sign-in. */
export interface WorkerStart {
  readonly slot: number;
  readonly count: number;
  readonly folder: string;
  readonly database: DatabaseAddresses;
  readonly isFirst: boolean;
}

export type FromWorker =
  | readonly [is: 'charge', limit: string, key: string, cost: number]
  | readonly [is: 'take seat', id: number, group: string, rule: SeatRule]
  | readonly [is: 'leave seat', id: number]
  | readonly [is: 'acquire', id: number, name: string, atOnce: number]
  | readonly [is: 'release', id: number]
  | readonly [is: 'read all', id: number]
  | readonly [is: 'reading', id: number, reading: unknown]
  | readonly [is: 'ready', announcement: string | undefined];

export type ToWorker =
  | readonly [is: 'start', how: WorkerStart]
  | readonly [is: 'charge', limit: string, key: string, cost: number]
  | readonly [is: 'vacate', id: number]
  | readonly [is: 'acquired', id: number]
  | readonly [is: 'read', id: number]
  | readonly [is: 'readings', id: number, readings: readonly unknown[]]
  | readonly [is: 'database', addresses: DatabaseAddresses]
  | readonly [is: 'stop'];

/** An outage of the database kept a worker from starting. */
export const DATABASE_AWAY = 75;

/** Sends all messages of one event-loop turn together. */
export function createOutbox<Message>(send: (messages: readonly Message[]) => void): (message: Message) => void {
  let waiting: Message[] = [];
  return (message) => {
    if (waiting.push(message) > 1) return;
    setImmediate(() => {
      const messages = waiting;
      waiting = [];
      send(messages);
    });
  };
}
