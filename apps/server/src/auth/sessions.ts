import { createHash, randomBytes } from 'node:crypto';
import type { OwnSession } from '@drawhouse/contract/auth/auth';
import type { Role } from '@drawhouse/contract/frame/primitives';
import type { Actor } from '../accounts/authority.ts';
import { SESSION_IDLE_MS, SESSION_MAX_MS } from '../accounts/session-life.ts';
import { arrayOf } from '../db/array-of.ts';
import type { Queryable, Tx } from '../db/database.ts';
import type { Services } from '../services.ts';
import { CallError } from '../http/http-errors.ts';
import type { Origin } from '../http/handler.ts';
import { tellEnded } from './session-news.ts';
import { sql } from '../db/sql.ts';

/** The last use is written down at most this often, so that reading stays reading. */
export const TOUCH_EVERY_MS = 10_000;

/** An account is signed in this often at once at most; the oldest session gives way to a new one. */
export const SESSIONS_MAX = 10;

/** A session of an account. */
export interface Session {
  /** Names the session without giving its token away. */
  readonly id: string;
  readonly actor: Actor;
}

/** A session as the database has it. */
export interface FoundSession extends Session {
  readonly createdAt: Date;
  /** Its last use that is written down. */
  readonly lastUsedAt: Date;
  /** When it ends unless it is used again. */
  readonly expiresAt: Date;
}

/**
 * DELETE of the sessions that a condition on `s` finds, as common table expressions to be followed by a SELECT from `gone`. When they were in use is kept for
 * two days, as time limits count it; `until` is SQL for when their last use was, which is written down where it is left out.
 */
export function endingSessions(where: string, until = 'last_used_at'): string {
  return `with gone as (delete from sessions s where ${where} returning s.account_id, s.created_at, s.last_used_at, s.token_hash, s.ip),
    kept as (insert into past_sessions (began_at, ended_at, account_id, token_hash)
      select created_at, greatest(created_at, ${until}), account_id, token_hash from gone on conflict do nothing)`;
}

/** The id of a token's session. The database knows a token only by its hash: whoever reads the table can't sign in with it. */
export function sessionIdOf(token: string): string {
  return hashOf(token).toString('hex');
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * Opens a session and gives its token, 32 random bytes. `byToken` says whether its token alone makes the specification's sensitive calls. Sessions of the account
 * that have run out go, and the oldest of too many, which are given with the address that they came from. Sign-ins of one account are to come here one after the other.
 */
export async function openSession(
  services: Services,
  tx: Tx,
  accountId: string,
  origin: Origin,
  { at, byToken }: { readonly at: Date; readonly byToken: boolean },
): Promise<{ token: string; expiresAt: Date; replaced: { ip: string }[] }> {
  const token = randomBytes(32).toString('base64url');
  const runOut = await tx.query<{ token_hash: Buffer }>(
    `${endingSessions('s.account_id = $1 and (s.last_used_at <= $2 or s.created_at <= $3)')} select token_hash from gone`,
    [accountId, new Date(at.getTime() - SESSION_IDLE_MS), new Date(at.getTime() - SESSION_MAX_MS)],
  );
  await tx.query(
    'insert into sessions (token_hash, account_id, created_at, last_used_at, by_token, ip, user_agent) values ($1, $2, $3, $3, $4, $5, $6)',
    [hashOf(token), accountId, at, byToken, origin.ip, origin.userAgent],
  );
  const replaced = await tx.query<{ token_hash: Buffer; ip: string }>(
    `${endingSessions(
      `s.account_id = $1 and s.token_hash in
       (select token_hash from sessions where account_id = $1
        order by token_hash = $2 desc, created_at <= $3 desc, created_at desc, token_hash offset ${SESSIONS_MAX})`,
    )} select token_hash, ip from gone`,
    // One of a time that is still to come, by a clock that has gone back since, is not younger than all that are opened until then.
    [accountId, hashOf(token), at],
  );
  await noteReplaced(tx, accountId, replaced, at);
  await tellEnded(services, tx, { ids: [...runOut, ...replaced].map((row) => row.token_hash.toString('hex')) });
  return { token, expiresAt: new Date(at.getTime() + SESSION_IDLE_MS), replaced };
}

/** Keeps in mind which sessions gave way, for as long as they could have lasted, to say so at their next call. */
async function noteReplaced(tx: Tx, accountId: string, rows: { token_hash: Buffer }[], at: Date): Promise<void> {
  await tx.query(
    sql`delete from replaced_sessions where account_id = ${accountId} and replaced_at <= ${new Date(at.getTime() - SESSION_MAX_MS)}`,
  );
  await tx.query(
    sql`insert into replaced_sessions (token_hash, account_id, replaced_at) select unnest(${rows.map((row) => row.token_hash)}::bytea[]), ${accountId}, ${at}`,
  );
}

/**
 * Whose session a token is. Throws SESSION_REPLACED when it gave way to a newer one, and SESSION_ENDED when there is none, it has run
 * out, or the account is not effectively active: a sign-in that was under way when its chain was deactivated may still have opened one.
 * A `look` does not count as use.
 */
export async function findSession(
  { db, clock }: Services,
  token: string,
  as: 'use' | 'look' = 'use',
): Promise<FoundSession> {
  const now = clock.now();
  const hash = hashOf(token);
  const [row] = await db.query<{
    id: string;
    network_id: number;
    username: string;
    role: Role;
    chain: string[];
    created_at: Date;
    last_used_at: Date;
  }>(
    sql`select a.id, a.network_id, a.username, a.role, a.chain, s.created_at, s.last_used_at
     from sessions s join accounts a on a.id = s.account_id
     where s.token_hash = ${hash} and s.last_used_at > ${new Date(now.getTime() - SESSION_IDLE_MS)} and s.created_at > ${new Date(now.getTime() - SESSION_MAX_MS)}
       and not exists (select from accounts up where up.id = any(a.chain) and (not up.active or up.deleted_at is not null))`.named(
      'session-find',
    ),
  );
  if (!row) {
    const replaced = await db.query(
      sql`select from replaced_sessions where token_hash = ${hash}`.named('session-replaced'),
    );
    throw new CallError(replaced.length > 0 ? 'SESSION_REPLACED' : 'SESSION_ENDED');
  }
  const isDue = as === 'use' && now.getTime() - row.last_used_at.getTime() >= TOUCH_EVERY_MS;
  if (isDue)
    await db.query(sql`update sessions set last_used_at = greatest(last_used_at, ${now}) where token_hash = ${hash}`);
  return {
    id: hash.toString('hex'),
    actor: { id: row.id, networkId: row.network_id, username: row.username, role: row.role, chain: row.chain },
    createdAt: row.created_at,
    lastUsedAt: isDue ? now : row.last_used_at,
    expiresAt: new Date(Math.min(now.getTime() + SESSION_IDLE_MS, row.created_at.getTime() + SESSION_MAX_MS)),
  };
}

/** An account, with the id of the session by which it acts; undefined where there is none, as in a bench. */
export interface Acting {
  readonly accountId: string;
  readonly sessionId: string | undefined;
}

/** How an account stands for what is done in a transaction: it may act, is not effectively active, or its session has ended. */
export type SessionState = 'good' | 'inactive' | 'ended' | 'replaced';

/**
 * How each of these stands, in their order: for transactions that act by sessions which were looked up before. That a session runs out
 * by time is left to that look.
 */
export async function sessionStates(tx: Tx, acting: readonly Acting[]): Promise<SessionState[]> {
  const keyOf = ({ accountId, sessionId }: Acting): string => `${accountId} ${sessionId ?? ''}`;
  // Of many bets of one player it is asked once.
  const asked = [...new Map(acting.map((each) => [keyOf(each), each])).values()];
  const bad = await tx.query<{ nth: number; state: SessionState }>(
    sql`with asked as materialized (
       select nth, account_id, decode(session_id, 'hex') as hash, a.chain
       from unnest(${arrayOf(asked.map(({ accountId }) => accountId))}::uuid[], ${arrayOf(asked.map(({ sessionId }) => sessionId ?? 'null'))}::text[]) with ordinality as asked (account_id, session_id, nth) left join accounts a on a.id = account_id
     ), barred as (
       select id from accounts where id = any(array(select distinct unnest(chain) from asked)) and (not active or deleted_at is not null)
     )
     select nth::int, case when asked.chain is null or asked.chain && array(select id from barred) then 'inactive'
                             when exists (select from replaced_sessions r where r.token_hash = asked.hash) then 'replaced'
                             else 'ended' end as state
     from asked left join sessions s on s.token_hash = asked.hash and s.account_id = asked.account_id
     where asked.chain is null or asked.chain && array(select id from barred) or (asked.hash is not null and s.token_hash is null)`.named(
      'sessions-standing',
    ),
  );
  if (bad.length === 0) return acting.map(() => 'good');
  const states = new Map(bad.map(({ nth, state }) => [keyOf(asked[nth - 1]!), state]));
  return acting.map((each) => states.get(keyOf(each)) ?? 'good');
}

/** When a session began, by its id; undefined where it has ended. */
export async function beginOf(on: Queryable, sessionId: string): Promise<Date | undefined> {
  const [session] = await on.query<{ created_at: Date }>(
    sql`select created_at from sessions where token_hash = ${Buffer.from(sessionId, 'hex')}`.named('session-begin'),
  );
  return session?.created_at;
}

/** Which of these sessions, by id, have not ended. Looking does not count as use. */
export async function liveSessions({ db, clock }: Services, ids: readonly string[]): Promise<Set<string>> {
  const now = clock.now().getTime();
  const rows = await db.query<{ id: string }>(
    sql`select encode(token_hash, 'hex') as id from sessions
     where token_hash = any(${ids.map((id) => Buffer.from(id, 'hex'))}::bytea[]) and last_used_at > ${new Date(now - SESSION_IDLE_MS)} and created_at > ${new Date(now - SESSION_MAX_MS)}`,
  );
  return new Set(rows.map((row) => row.id));
}

/** Writes down when sessions, by id, were last used. Gives those that it has written: a row that is locked elsewhere is left for the next time. */
export async function touchSessions(db: Services['db'], uses: ReadonlyMap<string, Date>): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    sql`update sessions s set last_used_at = greatest(s.last_used_at, locked.at)
     from (select sessions.token_hash, used.at from unnest(${[...uses.keys()].map((id) => Buffer.from(id, 'hex'))}::bytea[], ${[...uses.values()]}::timestamptz[]) as used (hash, at)
           join sessions on token_hash = used.hash for update of sessions skip locked) as locked
     where s.token_hash = locked.token_hash returning encode(s.token_hash, 'hex') as id`.named('sessions-touch'),
  );
  return rows.map(({ id }) => id);
}

/** Ends one session; its open sockets are closed after the commit. */
export async function endSession(services: Services, tx: Tx, token: string): Promise<void> {
  const hash = hashOf(token);
  await tx.query(`${endingSessions('s.token_hash = $1', '$2::timestamptz')} select from gone`, [
    hash,
    services.clock.now(),
  ]);
  await tellEnded(services, tx, { ids: [hash.toString('hex')] });
}

/** Ends the sessions of an account, and with `subtree` of everyone below it; open sockets are closed after the commit. */
export async function endSessionsBelow(
  services: Services,
  tx: Tx,
  accountId: string,
  reach: 'itself' | 'subtree',
): Promise<void> {
  const ended = await tx.query<{ token_hash: Buffer }>(
    `${endingSessions(
      's.account_id in (select a.id from accounts a where case when $2 then a.chain @> array[$1]::uuid[] else a.id = $1 end)',
    )} select token_hash from gone`,
    [accountId, reach === 'subtree'],
  );
  // Also those that a sign-in under way opens now, which this does not see.
  await tellEnded(
    services,
    tx,
    reach === 'subtree' ? { below: accountId } : { ids: ended.map((row) => row.token_hash.toString('hex')) },
  );
}

/** Ends sessions of one account: the one with this id, or all but it. Gives how many it ended. */
export async function endOwnSessions(
  services: Services,
  tx: Tx,
  accountId: string,
  which: { only: string } | { allBut: string },
): Promise<number> {
  const only = 'only' in which;
  const ended = await tx.query<{ id: string }>(
    `${endingSessions('s.account_id = $1 and (s.token_hash = $2) = $3')} select encode(token_hash, 'hex') as id from gone`,
    [accountId, Buffer.from(only ? which.only : which.allBut, 'hex'), only],
  );
  await tellEnded(services, tx, { ids: ended.map((row) => row.id) });
  return ended.length;
}

/** Where an account is signed in, the latest use first. */
export async function sessionsOf(
  { db, clock }: Services,
  accountId: string,
  currentToken: string,
): Promise<OwnSession[]> {
  const now = clock.now().getTime();
  const current = sessionIdOf(currentToken);
  const rows = await db.query<{ id: string; created_at: Date; last_used_at: Date; ip: string; user_agent: string }>(
    sql`select encode(token_hash, 'hex') as id, created_at, last_used_at, ip, user_agent from sessions
     where account_id = ${accountId} and last_used_at > ${new Date(now - SESSION_IDLE_MS)} and created_at > ${new Date(now - SESSION_MAX_MS)} order by last_used_at desc`,
  );
  return rows.map((row) => ({
    _id: row.id,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    ipAddress: row.ip,
    userAgent: row.user_agent,
    current: row.id === current,
  }));
}
