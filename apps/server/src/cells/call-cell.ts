import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Permission } from '@drawhouse/contract/core/permissions';
import { parseExactly } from '@drawhouse/contract/core/primitives';
import type { FastifyInstance } from 'fastify';
import { FILE_TIMEOUTS } from '../platform/db/connection/timeouts.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Peer, Services } from '../platform/services.ts';

// A cell signs each call with the secret that the called cell has in the directory, and each answer too. Calls read, or
// say that there is credit to fetch. A call counts for a minute around the clock of the called cell, and once in each of
// its processes.

const PATH = '/cells/read';
const ANSWER_HEADER = 'cell-signature';
const VALID_MS = 60_000;
/**
 * A cell that failed just now must not slow down each page. If it says that it is alive, one call waits as usual; the
 * others wait briefly.
 */
const PATIENCE_MS = { usual: 10_000, brief: 1_000 };
/** For answers from patient connections. */
export const PATIENT_MS = FILE_TIMEOUTS.connectMs + FILE_TIMEOUTS.answerMs;
const FAILURE_COUNTS_MS = 30_000;
/** Secrets change only with a new directory. */
const SECRET_EVERY_MS = 1_000;
const BODY_BYTES = 64 * 1024;

export interface CellRead {
  /** Path of a route in the contract, or the name of another call. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Id of the superadmin that asks. */
  readonly caller: string;
  /** Rights of the login that asks. */
  readonly permissions: readonly Permission[];
}

export interface SignedCall {
  readonly from: string;
  readonly at: number;
  readonly id: string;
  readonly read: string;
  readonly signature: string;
}

export const ALIVE: CellRead = { path: 'cells/alive', params: {}, query: {}, caller: '', permissions: [] };

/** Undefined for other calls. */
export function answerAlive({ db }: Pick<Services, 'db'>, { path }: CellRead): Promise<object> | undefined {
  return path === ALIVE.path ? db.query(sql`select 1`).then(() => ({})) : undefined;
}

export type AskCell = (peer: Peer, read: CellRead) => Promise<object>;

/** Throws a CallError if that cell refuses the read. */
export function createAskCell(
  { clock, directory }: Pick<Services, 'clock' | 'directory'>,
  usualMs = PATIENCE_MS.usual,
): AskCell {
  const failedAt = new Map<string, number>();
  const aliveAt = new Map<string, number>();
  const nowMs = (): number => clock.now().getTime();
  const send = async ({ cell, address, secret }: Peer, what: CellRead, patienceMs: number): Promise<object> => {
    const unsigned = {
      from: directory!.cell,
      at: nowMs(),
      id: randomUUID(),
      read: JSON.stringify(what),
    };
    const response = await fetch(new URL(PATH, address!), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...unsigned, signature: signatureOfCall(secret, cell, unsigned) }),
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs),
    });
    const text = await response.text();
    const signature = response.headers.get(ANSWER_HEADER) ?? '';
    if (!isEqual(signature, signatureOfAnswer(secret, unsigned.id, text)))
      throw new Error(`${cell} gave no signed answer (status ${response.status})`);
    const answer = parseExactly(text) as CellAnswer;
    if ('code' in answer) throw new CallError(answer.code as 'NOT_FOUND', { message: answer.message });
    return answer.answer;
  };
  const isRecent = (at: number | undefined): boolean => at !== undefined && nowMs() - at < FAILURE_COUNTS_MS;
  return async (peer, what) => {
    const { cell, address } = peer;
    if (address === null) throw new Error(`${cell} has told no address`);
    if (isRecent(failedAt.get(cell))) {
      if (isRecent(aliveAt.get(cell))) return send(peer, what, PATIENCE_MS.brief);
      await send(peer, ALIVE, PATIENCE_MS.brief);
      aliveAt.set(cell, nowMs());
    }
    try {
      const answer = await send(peer, what, usualMs);
      failedAt.delete(cell);
      return answer;
    } catch (error) {
      if (!(error instanceof CallError)) failedAt.set(cell, nowMs());
      throw error;
    }
  };
}

type CellAnswer = { readonly answer: object } | { readonly code: string; readonly message: string };

export type AnswerCell = (read: CellRead, from: string) => Promise<object>;

export function serveCellCalls(
  app: FastifyInstance,
  { clock, directory }: Pick<Services, 'clock' | 'directory'>,
  answer: AnswerCell,
): void {
  if (!directory) return;
  const seen = new Map<string, number>();
  const secret = cachedSecret(directory.ownSecret);
  app.post<{ Body: unknown }>(PATH, { bodyLimit: BODY_BYTES }, async ({ body }, reply) => {
    const call = body as SignedCall;
    const now = clock.now().getTime();
    for (const [id, until] of seen) if (until < now) seen.delete(id);
    const key = isCall(body) && Math.abs(now - call.at) <= VALID_MS && !seen.has(call.id) && (await secret(call));
    if (!key || seen.has(call.id)) throw new CallError('NOT_FOUND');
    seen.set(call.id, call.at + VALID_MS);
    const text = JSON.stringify(
      await answerOf(() => answer(JSON.parse(call.read) as CellRead, call.from)),
      withoutBigints,
    );
    return reply
      .header('cache-control', 'no-store')
      .header(ANSWER_HEADER, signatureOfAnswer(key, call.id, text))
      .type('application/json; charset=utf-8')
      .send(text);
  });

  function cachedSecret(read: () => Promise<string | undefined>) {
    let known: string | undefined;
    let readAt = -Infinity;
    let reading: Promise<void> | undefined;
    return async (call: SignedCall): Promise<string | undefined> => {
      const fits = (): boolean =>
        known !== undefined && isEqual(call.signature, signatureOfCall(known, directory!.cell, call));
      const now = clock.now().getTime();
      if (fits()) return known;
      if (now - readAt > SECRET_EVERY_MS) {
        readAt = now;
        reading = read().then((found) => {
          known = found ?? known;
        });
      }
      await reading;
      return fits() ? known : undefined;
    };
  }
}

/** Rows may have fields beyond the contract, which nobody sees. */
function withoutBigints(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? undefined : value;
}

async function answerOf(answer: () => Promise<object>): Promise<CellAnswer> {
  try {
    return { answer: await answer() };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return { code: error.code, message: error.message };
  }
}

function isCall(body: unknown): body is SignedCall {
  const { from, at, id, read, signature } = (body ?? {}) as Record<string, unknown>;
  return [from, id, read, signature].every((part) => typeof part === 'string') && typeof at === 'number';
}

export function signatureOfCall(
  secret: string,
  to: string,
  { from, at, id, read }: Omit<SignedCall, 'signature'>,
): string {
  return hmac(secret, ['call', from, to, at, id, read]);
}

export function signatureOfAnswer(secret: string, id: string, text: string): string {
  return hmac(secret, ['answer', id, text]);
}

function hmac(secret: string, parts: readonly (string | number)[]): string {
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url');
}

function isEqual(one: string, other: string): boolean {
  const [bytes, others] = [Buffer.from(one), Buffer.from(other)];
  return bytes.length === others.length && timingSafeEqual(bytes, others);
}
