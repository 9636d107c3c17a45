import type { PanelChange } from '@drawhouse/contract/live/live';
import type { Logger } from 'pino';
import type { Services } from '../../platform/services.ts';
import { findOwnPair, isNetwork, type OwnPairRow } from '../../games/games.sql.ts';
import { noSuchGame } from '../../games/pairs/pairs.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { createSemaphore } from '../../platform/time/semaphore.ts';
import { refuse, type LiveServer, type LiveSocket } from '../sockets/live-socket.ts';
import { readState, fullPanel, differenceOf, type Difference, type PanelState } from '../panels/panel.ts';
import {
  leaveRoom,
  mustSendFull,
  canTake,
  isIn,
  maySendFull,
  type Room,
  type RoomMembers,
  type UpdateMode,
} from './room.ts';
import { LIVE_TEXTS } from '../live-texts.ts';

const RETRY_MS = 1_000;
const READS_AT_ONCE = 3;

export function createRoomReader(
  io: LiveServer,
  services: Services,
  members: RoomMembers,
  logger: Logger,
): (room: Room) => Promise<number> {
  const reads = createSemaphore(READS_AT_ONCE);

  async function readAndSend(room: Room): Promise<void> {
    room.readAtMs = performance.now();
    room.newcomers.clear();
    const pair = await findOwnPair(services.db, room.panel);
    putOut(
      room,
      members,
      pair,
      pair || (await isNetwork(services.db, room.panel.networkId)) ? noSuchGame() : openAgain(),
    );
    if (pair) send(room, await readState(services, pair));
  }

  function send(room: Room, state: PanelState): void {
    const now = { nowMs: performance.now(), clockMs: services.clock.now().getTime() };
    const { whole, change, passedOver } = nextSends(room, state, members.of(room), now);
    if (whole.length > 0) io.to([...whole]).emit('responseData', fullPanel(state, room.seq));
    if (change !== null && members.hasChanges(room))
      io.to(room.names.changes)
        .except([...passedOver])
        .emit('panelChange', changeOf(state, room.seq, change));
  }

  return async (room) => {
    room.reading = true;
    room.changed = false;
    try {
      await reads.acquire();
      await readAndSend(room);
      return 0;
    } catch (error) {
      logger.error({ error }, 'a live panel could not be read');
      for (const socket of room.owed) refuse(socket, new CallError('NOT_READY'));
      room.changed = true;
      return RETRY_MS;
    } finally {
      reads.release();
      room.reading = false;
    }
  };
}

/** The admin moved, the game was unassigned, or the login lost a right. */
function putOut(room: Room, members: RoomMembers, pair: OwnPairRow | undefined, why: CallError): void {
  const { wholes, changes } = members.of(room);
  for (const socket of [...wholes, ...changes]) {
    const { id, permissions, games } = socket.data.session.actor;
    const hasGame = pair && (games.length === 0 || games.includes(pair.game_id));
    if (hasGame && pair.operators.includes(id) && permissions.includes('panels')) continue;
    leaveRoom(socket);
    room.owed.delete(socket);
    refuse(socket, why);
  }
}

/** A restore renumbered the network: clients must reopen. */
function openAgain(): CallError {
  return new CallError('THROTTLED', { message: LIVE_TEXTS.reopens });
}

function changeOf({ shown }: PanelState, seq: number, difference: Difference): PanelChange {
  const { gameId, adminId, serverTime } = shown;
  return { gameId, adminId, seq, serverTime, ...difference };
}

interface RoomSends {
  readonly whole: readonly string[];
  readonly change: Difference | null;
  /** Busy sockets: no change now, whole panel later. */
  readonly passedOver: ReadonlySet<string>;
}

interface Round {
  readonly room: Room;
  readonly nowMs: number;
  readonly clockMs: number;
  readonly whole: string[];
  readonly passedOver: Set<string>;
}

/**
 * Plans whole panels for sockets owed one, changes for the rest. Busy sockets are skipped and owed a whole panel.
 * Updates room and socket state.
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
    room.isFullDue = true;
  }
  room.state = state;
  const round: Round = { room, nowMs, clockMs, whole: [], passedOver: new Set() };
  for (const socket of room.owed)
    if (room.newcomers.has(socket)) round.passedOver.add(socket.id);
    else if (isIn(socket, room)) sendFull(round, socket);
  if (difference !== null) notifyChanges(round, members.changes, difference);
  if (mustSendFull(room, nowMs)) {
    room.isFullDue = false;
    room.fullAtMs = nowMs;
    for (const socket of members.wholes) if (!round.passedOver.has(socket.id)) sendFull(round, socket);
  }
  const { whole, passedOver } = round;
  return { whole, change: difference === 'all' ? null : difference, passedOver };
}

function notifyChanges(round: Round, sockets: readonly LiveSocket[], difference: Difference | 'all'): void {
  for (const socket of sockets) {
    if (round.passedOver.has(socket.id)) continue;
    if (difference === 'all') sendFull(round, socket);
    else if (canTake(socket)) socket.data.behindSinceMs = undefined;
    else owe(round, socket);
  }
}

function sendFull(round: Round, socket: LiveSocket): void {
  const { room, nowMs, whole, passedOver } = round;
  if (!maySendFull(socket, room, nowMs)) {
    owe(round, socket);
    return;
  }
  room.owed.delete(socket);
  passedOver.add(socket.id);
  whole.push(socket.id);
  Object.assign(socket.data, { fullAtMs: nowMs, behindSinceMs: undefined });
}

function owe({ room, clockMs, passedOver }: Round, socket: LiveSocket): void {
  passedOver.add(socket.id);
  room.owed.add(socket);
  if (!canTake(socket)) socket.data.behindSinceMs ??= clockMs;
}
