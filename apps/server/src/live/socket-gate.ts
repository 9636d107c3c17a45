import type { IncomingMessage } from 'node:http';
import { BETS_MESSAGE_BYTES, SOCKET_MESSAGE_BYTES } from '@drawhouse/contract/live/live';
import type { Clock } from '../clock.ts';
import { addressOfCaller } from '../http/address.ts';
import { hasOneHost, isOfOwnOrigin } from '../http/host.ts';
import { CallError } from '../http/http-errors.ts';
import type { HttpLimits } from '../http/http-limits.ts';
import { createRateLimit } from '../http/rate-limit.ts';
import type { CallerAddress } from '../http/address.ts';
import type { TurnedAway, TurnedAwayFor } from '../http/turned-away.ts';
import { allowMessagesOf, connectionOf, cutOff } from './live-socket.ts';
import type { Connection, LiveSocket } from './live-socket.ts';

/** Requests by HTTP of one address, of which polling makes two for each frame. */
const REQUESTS = { perSecond: 1_000, burst: 5_000 };
/**
 * Whatever comes on one connection, answers to pings included; on one that bets its bets besides. A larger message counts as several, so that
 * all of them bring so many bytes at most. Beyond it the connection is cut.
 */
const PACKETS = { perSecond: 20, burst: 100 };
/**
 * Of how many bytes a message counts as one: of those that bet so many that whoever lays as many tickets in each as may be hears THROTTLED
 * before it is cut.
 */
const PACKET_BYTES = { other: SOCKET_MESSAGE_BYTES, bets: BETS_MESSAGE_BYTES / 4 };
/** Packets that wait for a client to read, frames left out, of which never more than one does; for a player its answers besides. */
const UNREAD_MAX = 50;

/** Why something does not come through, in a word and as whoever sent it is told. */
interface GateRefusal {
  readonly why: TurnedAwayFor;
  readonly says: string;
}

/** What comes through to the sockets: how much of one address and on one connection, whatever it is. */
export interface SocketGate {
  /** Why a handshake is refused; undefined where it is not. */
  refusalOfHandshake(request: IncomingMessage): GateRefusal | undefined;
  /** Why a request by HTTP is refused; undefined where it is not. */
  refusalOfRequest(request: IncomingMessage): GateRefusal | undefined;
  /** Cuts a connection once too much comes on it, or too much waits for it to read. */
  watch(this: void, connection: Connection): void;
  /** The address of a socket that is about to sign in. Throws THROTTLED. */
  requireSignIn(socket: LiveSocket): CallerAddress;
  /** A player, or a program, has signed in by this socket: bets may come on its connection, many in a message. */
  admitBets(socket: LiveSocket): void;
}

/** Makes the gate. `trustProxy`: whether a proxy stands before the server; `note` hears of connections that are cut. */
export function createSocketGate(
  clock: Clock,
  limits: Pick<HttpLimits, 'session' | 'handshake'>,
  trustProxy: boolean,
  note: TurnedAway['note'],
): SocketGate {
  const nowMs = (): number => clock.now().getTime();
  const handshakes = createRateLimit(limits.handshake, nowMs);
  const requests = createRateLimit(REQUESTS, nowMs);
  const packets = createRateLimit(PACKETS, nowMs);
  const bettingPackets = createRateLimit(
    { perSecond: PACKETS.perSecond + limits.session.perSecond, burst: PACKETS.burst + limits.session.burst },
    nowMs,
  );
  /** The connections on which players and programs are signed in. */
  const betting = new WeakSet<Connection>();
  const addressOf = (request: IncomingMessage): CallerAddress => addressOfCaller(request, trustProxy);

  return {
    // A page of another host may not even ask: its browser would send what it knows of this one.
    refusalOfHandshake(request) {
      if (handshakes.take(addressOf(request).key) > 0)
        return { why: 'throttled', says: 'Too many connections. Please wait a second.' };
      return isOfOwnOrigin(request, trustProxy)
        ? undefined
        : { why: 'foreign_origin', says: 'This is not a page of the host that it asks.' };
    },
    refusalOfRequest(request) {
      if (requests.take(addressOf(request).key) > 0) return { why: 'throttled', says: 'Too many requests.' };
      return hasOneHost(request) ? undefined : { why: 'malformed', says: 'Several Host headers.' };
    },
    watch(connection) {
      connection.on('packet', ({ data = '' }) => {
        const bets = betting.has(connection);
        const cost = Math.max(1, Math.ceil(Buffer.byteLength(data) / PACKET_BYTES[bets ? 'bets' : 'other']));
        const isFlood = (bets ? bettingPackets : packets).take(connection.id, cost) > 0;
        const isUnread = connection.writeBuffer.length > UNREAD_MAX + (bets ? limits.session.burst : 0);
        if (!isFlood && !isUnread) return;
        note(isFlood ? 'flood' : 'unread');
        cutOff(connection);
      });
      connection.on('close', () => {
        packets.forget(connection.id);
        bettingPackets.forget(connection.id);
      });
    },
    requireSignIn(socket) {
      const address = addressOf(socket.request);
      if (handshakes.take(address.key) > 0) throw new CallError('THROTTLED');
      return address;
    },
    admitBets(socket) {
      const connection = connectionOf(socket);
      if (betting.has(connection)) return;
      betting.add(connection);
      allowMessagesOf(connection, BETS_MESSAGE_BYTES);
    },
  };
}
