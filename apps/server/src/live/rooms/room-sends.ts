import type { LiveSocket } from '../sockets/live-socket.ts';
import { differenceOf } from '../panels/panel.ts';
import type { Difference, PanelState } from '../panels/panel.ts';
import { areWholesDue, canTake, isIn, mayGetWhole } from './room.ts';
import type { UpdateMode, Room } from './room.ts';

export interface RoomSends {
  readonly whole: readonly string[];
  readonly change: Difference | null;
  /** Busy sockets: no change now, whole panel later. */
  readonly passedOver: ReadonlySet<string>;
}

interface Round {
  readonly room: Room;
  /** `performance.now()` and clock. */
  readonly nowMs: number;
  readonly clockMs: number;
  readonly whole: string[];
  readonly passedOver: Set<string>;
}

/**
 * Plans sends after a read: whole panels to sockets owed one, changes to the rest. Busy sockets are skipped and owed a
 * whole panel. Updates room and socket state.
 */
export function nextSends(
  room: Room,
  state: PanelState,
  members: Readonly<Record<UpdateMode, readonly LiveSocket[]>>,
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
