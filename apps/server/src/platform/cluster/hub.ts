import { createSemaphore, type Semaphore } from '../time/semaphore.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { createSeats, type SeatRule } from './seats.ts';

/** Slower workers, such as hanging ones, are left out. */
const READ_MS = 5_000;

/** The primary's side of what workers share. Sees all messages in one order. */
export interface Hub {
  join(slot: number, send: (message: ToWorker) => void): void;
  receive(slot: number, message: FromWorker): void;
  leave(slot: number): void;
}

interface Member {
  readonly send: (message: ToWorker) => void;
  readonly seats: Map<number, () => void>;
  /** Release functions of permits, granted or awaited. */
  readonly permits: Map<number, () => void>;
}

interface Reading {
  readonly requester: Member;
  readonly requestId: number;
  readonly waitingFor: Set<number>;
  readonly found: unknown[];
  readonly timer: NodeJS.Timeout;
}

export function createHub(readMs = READ_MS): Hub {
  const members = new Map<number, Member>();
  const seats = createSeats();
  const acquire = createPermits();
  const readings = createReadings(members, readMs);

  function takeSeat(member: Member, id: number, group: string, rule: SeatRule): void {
    let isVacated = false;
    const leave = seats.take(group, rule, () => {
      isVacated = true;
      member.seats.delete(id);
      member.send(['vacate', id]);
    });
    if (!isVacated) member.seats.set(id, leave);
  }

  return {
    join: (slot, send) => void members.set(slot, { send, seats: new Map(), permits: new Map() }),
    receive(slot, message) {
      const member = members.get(slot);
      if (!member) return;
      switch (message[0]) {
        case 'charge':
          for (const [other, { send }] of members) if (other !== slot) send(message);
          break;
        case 'take seat':
          takeSeat(member, message[1], message[2], message[3]);
          break;
        case 'leave seat':
          member.seats.get(message[1])?.();
          member.seats.delete(message[1]);
          break;
        case 'acquire':
          acquire(member, message[1], message[2], message[3]);
          break;
        case 'release':
          member.permits.get(message[1])?.();
          break;
        case 'read all':
          readings.begin(member, message[1]);
          break;
        case 'reading':
          readings.arrived(slot, message[1], [message[2]]);
          break;
        case 'ready':
          break;
      }
    },
    leave(slot) {
      const member = members.get(slot);
      members.delete(slot);
      for (const end of [...(member?.seats.values() ?? []), ...(member?.permits.values() ?? [])]) end();
      readings.left(slot);
    },
  };
}

/** Grants permits of one name in order of request. */
function createPermits(): (member: Member, id: number, name: string, atOnce: number) => void {
  const semaphores = new Map<string, Semaphore>();
  return (member, id, name, atOnce) => {
    const semaphore = semaphores.get(name) ?? createSemaphore(atOnce);
    semaphores.set(name, semaphore);
    let [isHeld, isReturned] = [false, false];
    member.permits.set(id, () => {
      member.permits.delete(id);
      isReturned = true;
      if (isHeld) semaphore.release();
    });
    void semaphore.acquire().then(() => {
      isHeld = true;
      if (isReturned) semaphore.release();
      else member.send(['acquired', id]);
    });
  };
}

interface Readings {
  begin(requester: Member, requestId: number): void;
  arrived(slot: number, id: number, found: readonly unknown[]): void;
  left(slot: number): void;
}

function createReadings(members: ReadonlyMap<number, Member>, readMs: number): Readings {
  const readings = new Map<number, Reading>();
  let last = 0;

  function finish(id: number): void {
    const { requester, requestId, found, timer } = readings.get(id)!;
    readings.delete(id);
    clearTimeout(timer);
    requester.send(['readings', requestId, found]);
  }

  function arrived(slot: number, id: number, found: readonly unknown[]): void {
    const reading = readings.get(id);
    if (!reading?.waitingFor.delete(slot)) return;
    reading.found.push(...found);
    if (reading.waitingFor.size === 0) finish(id);
  }

  return {
    begin(requester, requestId) {
      const id = ++last;
      const timer = setTimeout(() => finish(id), readMs).unref();
      readings.set(id, { requester, requestId, waitingFor: new Set(members.keys()), found: [], timer });
      for (const { send } of members.values()) send(['read', id]);
    },
    arrived,
    left(slot) {
      for (const id of readings.keys()) arrived(slot, id, []);
    },
  };
}
