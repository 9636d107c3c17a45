import type { Failure } from '@drawhouse/contract/core/primitives';
import type { LiveEvents } from '@drawhouse/contract/live/live';
import type { PlayerEvents } from '@drawhouse/contract/players/player-live';
import type { Server, Socket } from 'socket.io';
import type { Session } from '../../auth/sessions/sessions.ts';
import type { CallError } from '../../platform/http/http-errors.ts';
import type { CallerAddress } from '../../platform/http/request/address.ts';

type ClientEvents = Pick<LiveEvents, 'gameData' | 'bet' | 'bets'> & Pick<PlayerEvents, 'watchGames'>;
type ServerEvents = Pick<LiveEvents, 'responseData' | 'panelChange' | 'error'> &
  Pick<PlayerEvents, 'gameNews' | 'walletNews'>;

export interface SocketData {
  readonly token: string;
  session: Session;
  readonly isProgram: boolean;
  readonly address: CallerAddress;
  /** Logs refusals outside any event. Returns the log id. */
  readonly noteRefusal: (error: CallError) => string;
  /** Clock milliseconds; undefined if idle. */
  behindSinceMs: number | undefined;
  fullAtMs: number;
}

export type LiveServer = Server<ClientEvents, ServerEvents, Record<string, never>, SocketData>;
export type LiveSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, SocketData>;

export function refuse(socket: LiveSocket, error: CallError): void {
  sendRefusal(socket, error.toBody(socket.data.noteRefusal(error)));
}

export function sendRefusal(socket: LiveSocket, { code, message, requestId }: Failure): void {
  socket.emit('error', { code, message, requestId });
}

/** The library's types omit most of this. */
export interface Connection {
  readonly id: string;
  readonly transport: Transport;
  readonly writeBuffer: readonly unknown[];
  close(discard: boolean): void;
  on(event: 'close', listener: () => void): void;
  on(event: 'packet', listener: (packet: { readonly data?: string | Uint8Array }) => void): void;
  on(event: 'upgrade', listener: (transport: Transport) => void): void;
}

interface Transport {
  readonly writable: boolean;
  /** Polling message limit in bytes. WebSocket receivers hold their own. */
  maxHttpBufferSize: number;
  readonly socket?: { terminate(): void; readonly _receiver?: { _maxPayload: number } };
}

/**
 * Applies to one connection, across transport upgrades. The libraries share one limit, sized for strangers so that
 * unfinished messages cannot exhaust memory.
 */
export function allowMessagesOf(connection: Connection, bytes: number): void {
  const allow = (transport: Transport): void => {
    transport.maxHttpBufferSize = bytes;
    const { _receiver: receiver } = transport.socket ?? {};
    if (receiver) receiver._maxPayload = bytes;
  };
  allow(connection.transport);
  connection.on('upgrade', allow);
}

export function connectionOf(socket: LiveSocket): Connection {
  return socket.conn as unknown as Connection;
}

/** Drops unsent data: a graceful close would wait for a client that may not read. */
export function cutOff(connection: Connection): void {
  const { socket } = connection.transport;
  connection.close(true);
  socket?.terminate();
}
