import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { REQUEST_ID_HEADER } from '@drawhouse/contract/core/route';
import type { Logger } from 'pino';
import { createSeats, type Seats } from '../../cluster/seats.ts';
import { isFromPeer } from '../peer-requests.ts';
import { addressIn, addressKey } from '../request/address.ts';
import { CALL } from '../call-log.ts';
import { CallError } from '../http-errors.ts';
import type { HttpLimits } from './http-limits.ts';
import type { NewRequestId } from '../request/request-headers.ts';
import { HTTP_TEXTS } from '../http-texts.ts';

const CHECK_EVERY_MS = 1_000;
/** Closes idle connections, such as clients that stop reading. */
const STILL_MS = 120_000;

/** Slow requests could hold connections forever. */
export function connectionTimes({ headersMs, requestMs }: HttpLimits, newRequestId: NewRequestId, logger: Logger) {
  return {
    requestTimeout: requestMs,
    connectionTimeout: STILL_MS,
    http: {
      headersTimeout: Math.min(headersMs, requestMs),
      connectionsCheckingInterval: Math.min(CHECK_EVERY_MS, requestMs),
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => {
      if (error.code === 'ECONNRESET' || socket.destroyed) return;
      const [refusal, requestId] = [refusalOf(error.code), newRequestId()];
      logger.info({ requestId, status: refusal.status, code: refusal.code }, CALL);
      refuseConnection(refusal, requestId, socket);
      socket.destroy(error);
    },
  } as const;
}

/** Closes connections above the limit per address; `note` gets each. */
export function limitConnections(
  server: Server,
  perAddress: number,
  note?: RejectedConnections['note'],
  seats: Seats = createSeats(),
): void {
  const rule = { most: perAddress, goes: 'newest' } as const;
  server.on('connection', (socket) => {
    if (isFromPeer(socket)) return;
    const key = addressKey(addressIn(socket.remoteAddress) ?? '');
    const leave = seats.take(`address ${key}`, rule, () => {
      note?.('address_full');
      socket.destroy();
    });
    socket.once('close', leave);
  });
}

function refuseConnection(refusal: CallError, requestId: string, socket: Socket): void {
  const body = JSON.stringify(refusal.toBody(requestId));
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    `${REQUEST_ID_HEADER}: ${requestId}`,
    'Connection: close',
  ];
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function refusalOf(code: string | undefined): CallError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new CallError('REQUEST_TIMEOUT');
  if (code === 'HPE_HEADER_OVERFLOW') return new CallError('HEADERS_TOO_LARGE');
  return new CallError('INVALID_INPUT', { message: HTTP_TEXTS.notHttp });
}

export type RejectionReason =
  | 'address_full'
  | 'throttled'
  | 'foreign_origin'
  | 'malformed'
  | 'unknown'
  | 'flood'
  | 'unread';

/** Connections refused before any call exists. Log lines are limited. */
export interface RejectedConnections {
  /** Returns the log id; undefined if summarized. */
  note(this: void, why: RejectionReason): string | undefined;
  counts(this: void): Iterable<readonly [why: RejectionReason, count: number]>;
  report(this: void): void;
}

const EVERY_MS = 1_000;
const LINES = 10;
const ONE = 'a connection was refused or cut';
const SEVERAL = 'connections were refused or cut';

export function createRejectedConnections(
  logger: Pick<Logger, 'info'>,
  newRequestId: NewRequestId,
): RejectedConnections {
  const counts = new Map<RejectionReason, number>();
  const unreported = new Map<RejectionReason, number>();
  let lines = 0;
  let timer: NodeJS.Timeout | undefined;

  function report(): void {
    clearTimeout(timer);
    timer = undefined;
    lines = 0;
    for (const [reason, calls] of unreported) logger.info({ reason, calls }, SEVERAL);
    unreported.clear();
  }

  return {
    report: report,
    counts: () => counts,
    note(reason) {
      const among = (all: Map<RejectionReason, number>): unknown => all.set(reason, (all.get(reason) ?? 0) + 1);
      among(counts);
      timer ??= setTimeout(report, EVERY_MS).unref();
      if (lines === LINES) {
        among(unreported);
        return undefined;
      }
      lines++;
      const requestId = newRequestId();
      logger.info({ requestId, reason }, ONE);
      return requestId;
    },
  };
}
