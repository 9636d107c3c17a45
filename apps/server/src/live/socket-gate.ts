import type { IncomingMessage } from 'node:http';
import type { Clock } from '../clock.ts';
import { addressOfCaller } from '../http/address.ts';
import { hasOneHost, isOfOwnOrigin } from '../http/host.ts';
import { CallError } from '../http/http-errors.ts';
import type { HttpLimits } from '../http/http-limits.ts';
import { createRateLimit } from '../http/rate-limit.ts';
import type { CallerAddress } from '../http/address.ts';
import { connectionOf, cutOff } from './live-socket.ts';
import type { Connection, LiveSocket } from './live-socket.ts';

/** Requests by HTTP of one address, of which polling makes two for each frame. */
const REQUESTS = { perSecond: 1_000, burst: 5_000 };
/** Whatever comes on one connection, answers to pings included; on a player's its bets besides. Beyond it the connection is cut. */
const PACKETS = { perSecond: 20, burst: 100 };
/** Packets that wait for a client to read, frames left out, of which never more than one does; for a player its answers besides. */
const UNREAD_MAX = 50;

/** What comes through to the sockets: how much of one address and on one connection, whatever it is. */
export interface SocketGate {
  /** Why a handshake is refused; undefined where it is not. */
  refusalOfHandshake(request: IncomingMessage): string | undefined;
  /** Why a request by HTTP is refused; undefined where it is not. */
  refusalOfRequest(request: IncomingMessage): Error | undefined;
  /** Cuts a connection once too much comes on it, or too much waits for it to read. */
  watch(this: void, connection: Connection): void;
  /** The address of a socket that is about to sign in. Throws THROTTLED. */
  requireSignIn(socket: LiveSocket): CallerAddress;
  /** A player has signed in by this socket: bets may come on its connection. */
  admitPlayer(socket: LiveSocket): void;
}

/** Makes the gate. `trustProxy`: whether a proxy stands before the server. */
export function createSocketGate(
  clock: Clock,
  limits: Pick<HttpLimits, 'session' | 'handshake'>,
  trustProxy: boolean,
): SocketGate {
  const nowMs = (): number => clock.now().getTime();
  const handshakes = createRateLimit(limits.handshake, nowMs);
  const requests = createRateLimit(REQUESTS, nowMs);
  const packets = createRateLimit(PACKETS, nowMs);
  const playerPackets = createRateLimit(
    { perSecond: PACKETS.perSecond + limits.session.perSecond, burst: PACKETS.burst + limits.session.burst },
    nowMs,
  );
  /** The connections on which players are signed in. */
  const ofPlayers = new WeakSet<Connection>();
  const addressOf = (request: IncomingMessage): CallerAddress => addressOfCaller(request, trustProxy);

  return {
    // A page of another host may not even ask: its browser would send what it knows of this one.
    refusalOfHandshake(request) {
      if (handshakes.take(addressOf(request).key) > 0) return 'Too many connections. Please wait a second.';
      return isOfOwnOrigin(request, trustProxy) ? undefined : 'This is not a page of the host that it asks.';
    },
    refusalOfRequest(request) {
      const allowed = requests.take(addressOf(request).key) === 0 && hasOneHost(request);
      return allowed ? undefined : new Error('Too many requests, or several Host headers.');
    },
    watch(connection) {
      connection.on('packet', () => {
        const isPlayer = ofPlayers.has(connection);
        const isFlood = (isPlayer ? playerPackets : packets).take(connection.id) > 0;
        if (isFlood || connection.writeBuffer.length > UNREAD_MAX + (isPlayer ? limits.session.burst : 0))
          cutOff(connection);
      });
      connection.on('close', () => {
        packets.forget(connection.id);
        playerPackets.forget(connection.id);
      });
    },
    requireSignIn(socket) {
      const address = addressOf(socket.request);
      if (handshakes.take(address.key) > 0) throw new CallError('THROTTLED');
      return address;
    },
    admitPlayer: (socket) => void ofPlayers.add(connectionOf(socket)),
  };
}
