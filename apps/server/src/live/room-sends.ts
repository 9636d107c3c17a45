import type { LiveSocket } from './live-socket.ts';
import { differenceOf } from './panel.ts';
import type { Difference, PanelState } from './panel.ts';
import { areWholesDue, canTake, isIn, mayGetWhole } from './room.ts';
import type { Hears, Room } from './room.ts';

/** What a room sends at one moment. */
export interface RoomSends {
  /** The ids of the sockets that get the whole panel. */
  readonly whole: readonly string[];
  /** What all others get who hear of changes; null where there is nothing. */
  readonly change: Difference | null;
  /** The ids of those who get no change: they get the whole panel, now or later. */
  readonly passedOver: ReadonlySet<string>;
}

/** One round of sends. */
interface Round {
  readonly room: Room;
  /** By `performance.now`, and by the clock. */
  readonly nowMs: number;
  readonly clockMs: number;
  readonly whole: string[];
  readonly passedOver: Set<string>;
}

/**
 * What a room sends of what was read: the whole panel to whom that is owed, what has changed to the others. A socket that is still busy with
 * what it was sent before is passed over and is owed the whole panel. The room is then at that state, and its sockets at what they are sent.
 */
export function nextSends(
  room: Room,
  state: PanelState,
  members: Readonly<Record<Hears, readonly LiveSocket[]>>,
  { nowMs, clockMs }: Pick<Round, 'nowMs' | 'clockMs'>,
): RoomSends {
  const difference = room.state ? differenceOf(room.state, state) : 'all';
  if (difference !== null) {
    room.seq++;
    room.wholesDue = true;
  }
  room.state = state;
  const round: Round = { room, nowMs, clockMs, whole: [], passedOver: new Set() };
  for (const socket of room.owed)
    if (room.newcomers.has(socket)) round.passedOver.add(socket.id);
    else if (isIn(socket, room)) giveWhole(round, socket);
  if (difference !== null) tellChanges(round, members.changes, difference);
  if (areWholesDue(room, nowMs)) {
    room.wholesDue = false;
    room.wholesAtMs = nowMs;
    for (const socket of members.wholes) if (!round.passedOver.has(socket.id)) giveWhole(round, socket);
  }
  const { whole, passedOver } = round;
  return { whole, change: difference === 'all' ? null : difference, passedOver };
}

function tellChanges(round: Round, sockets: readonly LiveSocket[], difference: Difference | 'all'): void {
  for (const socket of sockets) {
    if (round.passedOver.has(socket.id)) continue;
    if (difference === 'all') giveWhole(round, socket);
    else if (canTake(socket)) socket.data.behindSinceMs = undefined;
    else owe(round, socket);
  }
}

function giveWhole(round: Round, socket: LiveSocket): void {
  const { room, nowMs, whole, passedOver } = round;
  if (!mayGetWhole(socket, room, nowMs)) {
    owe(round, socket);
    return;
  }
  room.owed.delete(socket);
  passedOver.add(socket.id);
  whole.push(socket.id);
  Object.assign(socket.data, { wholeAtMs: nowMs, behindSinceMs: undefined });
}

function owe({ room, clockMs, passedOver }: Round, socket: LiveSocket): void {
  passedOver.add(socket.id);
  room.owed.add(socket);
  if (!canTake(socket)) socket.data.behindSinceMs ??= clockMs;
}
