import type { Failure } from '@drawhouse/contract/frame/primitives';
import type { LiveEvents } from '@drawhouse/contract/live/live';
import type { PlayerEvents } from '@drawhouse/contract/players/player-live';
import type { Server, Socket } from 'socket.io';
import type { Session } from '../auth/sessions.ts';
import type { CallError } from '../http/http-errors.ts';
import type { CallerAddress } from '../http/address.ts';

type ClientEvents = Pick<LiveEvents, 'gameData' | 'bet' | 'bets'> & Pick<PlayerEvents, 'watchGames'>;
type ServerEvents = Pick<LiveEvents, 'responseData' | 'panelChange' | 'error'> &
  Pick<PlayerEvents, 'gameNews' | 'walletNews'>;

/** What the server knows of a socket. */
export interface SocketData {
  readonly token: string;
  /** As it was at the sign-in, or when it last moved to be below somebody else. A program's has none: reading it throws. */
  session: Session;
  /** Whether a program has signed in, with an API key. */
  readonly isProgram: boolean;
  readonly address: CallerAddress;
  /** Logs that it was refused something which came by no event of its own. Gives the id by which that is logged. */
  readonly noteRefusal: (error: CallError) => string;
  /** Since when it has been busy with what it was sent, as far as more came for it; milliseconds of the clock. */
  behindSinceMs: number | undefined;
  /** When the room that it is in sent it the whole panel last, in milliseconds of `performance.now`. */
  wholeAtMs: number;
}

/** The server of live sockets. */
export type LiveServer = Server<ClientEvents, ServerEvents, Record<string, never>, SocketData>;
/** A live socket, signed in. */
export type LiveSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, SocketData>;

/** Tells a socket why something that it asked for was not done, or why it is closed. */
export function refuse(socket: LiveSocket, error: CallError): void {
  tellRefusal(socket, error.toBody(socket.data.noteRefusal(error)));
}

/** The same of a refusal that is logged already. */
export function tellRefusal(socket: LiveSocket, { code, message, requestId }: Failure): void {
  socket.emit('error', { code, message, requestId });
}

/** A connection below a socket, or one that has not signed in yet. The types of the library leave most of this out. */
export interface Connection {
  readonly id: string;
  readonly transport: Transport;
  /** Packets that wait for the transport. */
  readonly writeBuffer: readonly unknown[];
  close(discard: boolean): void;
  on(event: 'close', listener: () => void): void;
  on(event: 'packet', listener: (packet: { readonly data?: string | Uint8Array }) => void): void;
  on(event: 'upgrade', listener: (transport: Transport) => void): void;
}

/** What carries a connection. `socket` is that of WebSockets; polling has none. */
interface Transport {
  readonly writable: boolean;
  /** The largest message by polling, in bytes; of WebSockets their receiver has it. */
  maxHttpBufferSize: number;
  readonly socket?: { terminate(): void; readonly _receiver?: { _maxPayload: number } };
}

/**
 * Lets larger messages come on one connection, also once it goes on by another transport. The libraries have one limit for all connections,
 * which is that of strangers: so that none of them can make the server keep more than that of a message that never ends.
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

/** The connection of a socket. */
export function connectionOf(socket: LiveSocket): Connection {
  return socket.conn as unknown as Connection;
}

/**
 * Ends a connection at once, with all that is still to be sent on it: to close it in good order would be to wait for a client that does
 * not read.
 */
export function cutOff(connection: Connection): void {
  const { socket } = connection.transport;
  connection.close(true);
  socket?.terminate();
}
