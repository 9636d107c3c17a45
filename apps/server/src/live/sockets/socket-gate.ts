import type { IncomingMessage } from 'node:http';
import { BETS_MESSAGE_BYTES, SOCKET_MESSAGE_BYTES } from '@drawhouse/contract/live/live';
import { isFromPeer } from '../../platform/http/peer-requests.ts';
import type { Services } from '../../platform/services.ts';
import { addressOfCaller, hasOneHost, isOfOwnOrigin, type CallerAddress } from '../../platform/http/request/address.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { type HttpLimits, createRateLimit } from '../../platform/http/limits/http-limits.ts';
import type { RejectedConnections, RejectionReason } from '../../platform/http/limits/connections.ts';
import { allowMessagesOf, connectionOf, cutOff, type Connection, type LiveSocket } from './live-socket.ts';
import { LIVE_TEXTS } from '../live-texts.ts';

/** HTTP requests per address; polling makes two per frame. */
const REQUESTS = { perSecond: 1_000, burst: 5_000 };
/**
 * Messages per connection, pongs included; bets too on betting connections. Large messages count as several, bounding
 * bytes. Excess cuts the connection.
 */
const PACKETS = { perSecond: 20, burst: 100 };
/** Bytes per counted message. Full bet batches hit THROTTLED before a cut. */
const PACKET_BYTES = { other: SOCKET_MESSAGE_BYTES, bets: BETS_MESSAGE_BYTES / 4 };
/** Packets besides frames (at most one queued); includes answers to bets. */
const UNREAD_MAX = 50;

interface GateRefusal {
  readonly why: RejectionReason;
  readonly message: string;
}

/** Limits each address and connection, whatever the content. */
export interface SocketGate {
  refusalOfHandshake(request: IncomingMessage): GateRefusal | undefined;
  refusalOfRequest(this: void, request: IncomingMessage): GateRefusal | undefined;
  /** Cuts on excess input or unread output. */
  watch(this: void, connection: Connection): void;
  requireSignIn(socket: LiveSocket): CallerAddress;
  /** Call after a player or program signs in. */
  admitBets(socket: LiveSocket): void;
}

/** `trustProxy`: a proxy fronts the server. */
export function createSocketGate(
  { clock, team }: Pick<Services, 'clock' | 'team'>,
  limits: Pick<HttpLimits, 'session' | 'handshake'>,
  trustProxy: boolean,
  note: RejectedConnections['note'],
): SocketGate {
  const nowMs = (): number => clock.now().getTime();
  const shared = (name: string) => ({ shared: { name, team } });
  const handshakes = createRateLimit(limits.handshake, nowMs, shared('handshake'));
  const requests = createRateLimit(REQUESTS, nowMs, shared('socket request'));
  const packets = createRateLimit(PACKETS, nowMs);
  const bettingPackets = createRateLimit(
    { perSecond: PACKETS.perSecond + limits.session.perSecond, burst: PACKETS.burst + limits.session.burst },
    nowMs,
  );
  const betting = new WeakSet<Connection>();
  const addressOf = (request: IncomingMessage): CallerAddress => addressOfCaller(request, trustProxy);

  return {
    // Browsers would attach this site's credentials to cross-origin handshakes.
    refusalOfHandshake(request) {
      if (handshakes.take(addressOf(request).key) > 0)
        return { why: 'throttled', message: LIVE_TEXTS.tooManyConnections };
      return isOfOwnOrigin(request, trustProxy)
        ? undefined
        : { why: 'foreign_origin', message: LIVE_TEXTS.foreignPage };
    },
    refusalOfRequest(request) {
      if (isFromPeer(request.socket)) return undefined;
      if (requests.take(addressOf(request).key) > 0) return { why: 'throttled', message: LIVE_TEXTS.tooManyRequests };
      return hasOneHost(request) ? undefined : { why: 'malformed', message: LIVE_TEXTS.severalHosts };
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
