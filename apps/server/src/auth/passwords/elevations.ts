import { createHash, randomBytes } from 'node:crypto';
import { ELEVATION_MINUTES } from '@drawhouse/contract/core/route';
import type { Queryable } from '../../platform/db/database.ts';
import type { Person } from '../logins/person.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { sql } from '../../platform/db/sql/sql.ts';

const MINUTE_MS = 60_000;
const IDLE_MS = ELEVATION_MINUTES.idle * MINUTE_MS;
const MOST_MS = ELEVATION_MINUTES.most * MINUTE_MS;
const ADDRESS_MS = MINUTE_MS;
/** Per session; one per browser tab. The newest stay. */
const ELEVATIONS_MAX = 20;

interface Carried {
  readonly sessionId: string;
  readonly secret: string;
}

/** The database keeps only a hash of the returned secret. `opens` limits it to one address, once. */
export async function openElevation(
  on: Queryable,
  sessionId: string,
  at: Date,
  opens: string | null = null,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  const session = hashOfId(sessionId);
  const opened = await on.query(
    sql`with gone as (
       delete from elevations where secret_hash in (
         select secret_hash from elevations where session_hash = ${session}
         order by opens is null desc, created_at desc, secret_hash offset ${ELEVATIONS_MAX - 1}))
     insert into elevations (created_at, last_used_at, session_hash, secret_hash, opens)
     select ${at}, ${at}, token_hash, ${hashOf(secret)}, ${opens} from sessions where token_hash = ${session} for key share
     returning 1`,
  );
  if (opened.length === 0) throw new CallError('SESSION_ENDED');
  return secret;
}

export async function useElevation(on: Queryable, { sessionId, secret }: Carried, at: Date): Promise<boolean> {
  // Clock corrections must not extend an elevation. Tolerates servers whose clocks run ahead.
  const latest = before(at, -IDLE_MS);
  const used = await on.query(
    sql`update elevations set last_used_at = ${at}
     where secret_hash = ${hashOf(secret)} and session_hash = ${hashOfId(sessionId)} and opens is null
       and last_used_at between ${before(at, IDLE_MS)} and ${latest} and created_at between ${before(at, MOST_MS)}
         and ${latest} returning 1`,
  );
  return used.length > 0;
}

export async function wasElevated(on: Queryable, { sessionId, secret }: Carried): Promise<boolean> {
  const found = await on.query(
    sql`select from elevations where secret_hash = ${hashOf(secret)} and session_hash = ${hashOfId(sessionId)} and opens is null`,
  );
  return found.length > 0;
}

export async function spendAddress(
  on: Queryable,
  { sessionId, secret }: Carried,
  { address, at }: { readonly address: string; readonly at: Date },
): Promise<boolean> {
  const spent = await on.query(
    sql`delete from elevations where secret_hash = ${hashOf(secret)} and session_hash = ${hashOfId(sessionId)} and opens = ${address}
       and created_at between ${before(at, ADDRESS_MS)} and ${before(at, -ADDRESS_MS)} returning 1`,
  );
  return spent.length > 0;
}

export async function endElevations(on: Queryable, sessionId: string): Promise<void> {
  await on.query(sql`delete from elevations where session_hash = ${hashOfId(sessionId)}`);
}

export async function endOtherElevations(on: Queryable, { id, login }: Person, sessionId: string): Promise<void> {
  await on.query(
    sql`delete from elevations e using sessions s where s.token_hash = e.session_hash and s.account_id = ${id}
      and s.login = ${login} and s.token_hash <> ${hashOfId(sessionId)}`,
  );
}

function before(at: Date, byMs: number): Date {
  return new Date(at.getTime() - byMs);
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function hashOfId(sessionId: string): Buffer {
  return Buffer.from(sessionId, 'hex');
}
