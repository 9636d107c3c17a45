import type { IncomingMessage, ServerResponse } from 'node:http';
import { REQUEST_ID_HEADER } from '@drawhouse/contract/frame/route';
import type { TurnedAway, TurnedAwayFor } from '../http/turned-away.ts';
import type { LiveServer } from './live-socket.ts';
import type { SocketGate } from './socket-gate.ts';

/** The code by which Engine.IO says that there is no such connection. */
const UNKNOWN_SID = 1;

/** A request as Engine.IO has it: with its answer, where it comes by HTTP and not by an upgrade. */
type EngineRequest = IncomingMessage & { readonly res?: ServerResponse };

/** Lets through to the sockets what the gate lets through, and notes what it or Engine.IO refuses. Gives the option by which handshakes are judged. */
export function guardHandshakes(gate: SocketGate, { note }: Pick<TurnedAway, 'note'>) {
  const refusedFor = new WeakMap<IncomingMessage, TurnedAwayFor>();

  return {
    allowRequest(
      this: void,
      request: IncomingMessage,
      answer: (says: string | undefined, isAllowed: boolean) => void,
    ): void {
      const refusal = gate.refusalOfHandshake(request);
      if (refusal) refusedFor.set(request, refusal.why);
      answer(refusal?.says, !refusal);
    },
    guard({ engine }: Pick<LiveServer, 'engine'>): void {
      engine.use((request: IncomingMessage, _response: unknown, next: (error?: Error) => void) => {
        const refusal = gate.refusalOfRequest(request);
        if (refusal) refusedFor.set(request, refusal.why);
        next(refusal && new Error(refusal.says));
      });
      engine.on('connection', gate.watch);
      engine.on('connection_error', ({ req, code }: { readonly req: EngineRequest; readonly code: number }) => {
        const requestId = note(refusedFor.get(req) ?? (code === UNKNOWN_SID ? 'unknown' : 'malformed'));
        if (requestId !== undefined) req.res?.setHeader(REQUEST_ID_HEADER, requestId);
      });
    },
  };
}
