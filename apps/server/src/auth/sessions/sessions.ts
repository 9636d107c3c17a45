import { createHash, randomBytes } from 'node:crypto';
import { SESSION_IDLE_MS, SESSION_MAX_MS, type OwnDevice } from '@drawhouse/contract/auth/auth';
import type { Role } from '@drawhouse/contract/core/primitives';
import type { Actor } from '../../accounts/authority.ts';
import {
  LOGIN_COLUMNS,
  loginOf,
  mayWorkAt,
  PLACE_COLUMNS,
  PLACES_OF_NETWORK,
  rightsOf,
  type LoginColumns,
  type Person,
} from '../logins/person.ts';
import { dutyColumns, dutyOf, type DutyColumns } from '../passwords/sign-in-duties.ts';
import { deviceHashOf } from '../attempts/sign-in-history.ts';
import { arrayOf, sql, type Sql } from '../../platform/db/sql/sql.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import type { Services, EndedSessions } from '../../platform/services.ts';
import { requireOwnToken, tokenOfCell } from '../../cells/other-cell.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Origin } from '../../platform/http/handler.ts';

/** The session itself if the client sent no device cookie. */
const DEVICE = sql`coalesce(s.device_hash, s.token_hash)`;

export const TOUCH_EVERY_MS = 10_000;

/** Per person. A new session replaces the oldest. */
export const SESSIONS_MAX = 10;

/** A session further in the future is from a clock that was wrong. Concurrent sign-ins and servers differ by less. */
const CLOCK_TOLERANCE_MS = 5_000;

export interface Session {
  readonly id: string;
  readonly actor: Actor;
}

export interface FoundSession extends Session {
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
}

/**
 * `where` selects sessions `s`; continue with a SELECT from `gone`. Keeps usage for two days for time limits. `until`:
 * SQL for the last use.
 */
export function endingSessions(where: Sql, until: Sql = sql`last_used_at`): Sql {
  return sql`with gone as (delete from sessions s where ${where} returning s.account_id, s.created_at, s.last_used_at, s.token_hash, s.ip),
    kept as (insert into past_sessions (began_at, ended_at, account_id, token_hash)
      select created_at, greatest(created_at, ${until}), account_id, token_hash from gone on conflict do nothing)`;
}

/** Only a hash is stored, so table access grants no sign-in. */
export function sessionIdOf(token: string): string {
  return hashOf(token).toString('hex');
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * Returns a random token. `byToken` permits sensitive calls by token alone. Deletes expired sessions and, beyond the
 * limit, the oldest; returns those with their addresses. Serialize per person.
 */
export async function openSession(
  services: Services,
  tx: Tx,
  person: Pick<Person, 'id' | 'login'>,
  origin: Origin,
  { at, byToken, device }: { readonly at: Date; readonly byToken: boolean; readonly device: string | undefined },
): Promise<{ token: string; expiresAt: Date; replaced: { ip: string }[] }> {
  const token = tokenOfCell(services, randomBytes(32).toString('base64url'));
  const runOut = await tx.query<{ token_hash: Buffer }>(
    sql`${endingSessions(sql`${isOfPerson(person)} and (s.last_used_at <= ${new Date(at.getTime() - SESSION_IDLE_MS)}
      or s.created_at <= ${new Date(at.getTime() - SESSION_MAX_MS)})`)} select token_hash from gone`,
  );
  await tx.query(
    sql`insert into sessions (token_hash, account_id, login, created_at, last_used_at, by_token, device_hash, ip,
        user_agent)
      values (${hashOf(token)}, ${person.id}, ${person.login}, ${at}, ${at}, ${byToken}, ${deviceHashOf(device)}, ${origin.ip},
        ${origin.userAgent})`,
  );
  const replaced = await tx.query<{ token_hash: Buffer; ip: string }>(
    sql`${endingSessions(
      sql`${isOfPerson(person)} and s.token_hash in
       (select token_hash from sessions where account_id = ${person.id} and login = ${person.login}
        order by token_hash = ${hashOf(token)} desc,
         created_at <= ${new Date(at.getTime() + CLOCK_TOLERANCE_MS)} desc, created_at desc, token_hash offset ${SESSIONS_MAX})`,
    )} select token_hash, ip from gone`,
  );
  await noteReplaced(tx, person.id, replaced, at);
  await announceEnded(services, tx, { ids: [...runOut, ...replaced].map((row) => row.token_hash.toString('hex')) });
  return { token, expiresAt: new Date(at.getTime() + SESSION_IDLE_MS), replaced };
}

const isOfPerson = ({ id, login }: Pick<Person, 'id' | 'login'>): Sql =>
  sql`s.account_id = ${id} and s.login = ${login}`;

async function noteReplaced(tx: Tx, accountId: string, rows: { token_hash: Buffer }[], at: Date): Promise<void> {
  await tx.query(
    sql`delete from replaced_sessions where account_id = ${accountId} and replaced_at <= ${new Date(at.getTime() - SESSION_MAX_MS)}`,
  );
  await tx.query(
    sql`insert into replaced_sessions (token_hash, account_id, replaced_at) select
      unnest(${rows.map((row) => row.token_hash)}::bytea[]), ${accountId}, ${at}`,
  );
}

/**
 * Throws SESSION_REPLACED, or SESSION_ENDED if missing, expired or not effectively active: a sign-in racing with
 * deactivation may open one. `look` does not count as use.
 */
export async function resolveSession(
  services: Services,
  token: string,
  as: 'use' | 'look' = 'use',
): Promise<FoundSession> {
  const { db, clock } = services;
  const now = clock.now();
  const hash = hashOf(token);
  const [row] = await db.query<
    LoginColumns &
      DutyColumns & {
        id: string;
        network_id: number;
        username: string;
        role: Role;
        chain: string[];
        login: number;
        created_at: Date;
        last_used_at: Date;
      }
  >(
    sql`select a.id, a.network_id, a.username, a.role, a.chain, s.login, s.created_at, s.last_used_at, ${LOGIN_COLUMNS}, ${PLACE_COLUMNS},
       ${dutyColumns(services, sql`s.login`)}
     from sessions s join accounts a on a.id = s.account_id left join ${loginOf('a', 's')} ${PLACES_OF_NETWORK}
     where ${mayWorkAt(sql`s.login`, now, services.timeZone)} and s.token_hash = ${hash}
       and s.last_used_at > ${new Date(now.getTime() - SESSION_IDLE_MS)}
       and s.created_at > ${new Date(now.getTime() - SESSION_MAX_MS)}
       and not exists (select from accounts up where up.id = any(a.chain) and (not up.active or up.deleted_at is not null))`.named(
      'session-find',
    ),
  );
  if (!row) {
    requireOwnToken(services, token);
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
    actor: {
      id: row.id,
      networkId: row.network_id,
      username: row.username,
      role: row.role,
      chain: row.chain,
      login: row.login,
      ...rightsOf(row.username, row),
      duty: dutyOf(row),
    },
    createdAt: row.created_at,
    lastUsedAt: isDue ? now : row.last_used_at,
    expiresAt: new Date(Math.min(now.getTime() + SESSION_IDLE_MS, row.created_at.getTime() + SESSION_MAX_MS)),
  };
}

export interface Acting {
  readonly accountId: string;
  readonly sessionId: string | undefined;
}

export type SessionState = 'good' | 'inactive' | 'ended' | 'replaced';

/** Rereads sessions looked up before the transaction, in input order. That lookup checked expiry by time. */
export async function sessionStates(tx: Tx, acting: readonly Acting[]): Promise<SessionState[]> {
  const keyOf = ({ accountId, sessionId }: Acting): string => `${accountId} ${sessionId ?? ''}`;
  const asked = [...new Map(acting.map((each) => [keyOf(each), each])).values()];
  const bad = await tx.query<{ nth: number; state: SessionState }>(
    sql`with asked as materialized (
       select nth, account_id, decode(session_id, 'hex') as hash, a.chain, not a.active or a.deleted_at is not null as barred
       from unnest(${arrayOf(asked.map(({ accountId }) => accountId))}::uuid[],
         ${arrayOf(asked.map(({ sessionId }) => sessionId ?? 'null'))}::text[]) with ordinality as asked (account_id,
           session_id, nth) left join accounts a on a.id = account_id
     ), barred as (
       select id from accounts where id = any(array(select distinct unnest(trim_array(chain, 1)) from asked))
         and (not active or deleted_at is not null)
     )
     select nth::int, case when asked.chain is null or asked.barred or asked.chain && array(select id from barred) then 'inactive'
                             when exists (select from replaced_sessions r where r.token_hash = asked.hash) then 'replaced'
                             else 'ended' end as state
     from asked left join sessions s on s.token_hash = asked.hash and s.account_id = asked.account_id
     where asked.chain is null or asked.barred or asked.chain && array(select id from barred)
       or (asked.hash is not null and s.token_hash is null)`.named('sessions-standing'),
  );
  if (bad.length === 0) return acting.map(() => 'good');
  const states = new Map(bad.map(({ nth, state }) => [keyOf(asked[nth - 1]!), state]));
  return acting.map((each) => states.get(keyOf(each)) ?? 'good');
}

export async function beginOf(on: Queryable, sessionId: string): Promise<Date | undefined> {
  const [session] = await on.query<{ created_at: Date }>(
    sql`select created_at from sessions where token_hash = ${Buffer.from(sessionId, 'hex')}`.named('session-begin'),
  );
  return session?.created_at;
}

export async function liveSessions({ db, clock, timeZone }: Services, ids: readonly string[]): Promise<Set<string>> {
  const at = clock.now();
  const now = at.getTime();
  const rows = await db.query<{ id: string }>(
    sql`select encode(s.token_hash, 'hex') as id from sessions s join accounts a on a.id = s.account_id
       left join ${loginOf('a', 's')} ${PLACES_OF_NETWORK}
     where s.token_hash = any(${ids.map((id) => Buffer.from(id, 'hex'))}::bytea[])
       and ${mayWorkAt(sql`s.login`, at, timeZone)}
       and s.last_used_at > ${new Date(now - SESSION_IDLE_MS)} and s.created_at > ${new Date(now - SESSION_MAX_MS)}`,
  );
  return new Set(rows.map((row) => row.id));
}

export async function touchSessions(db: Services['db'], uses: ReadonlyMap<string, Date>): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    sql`update sessions s set last_used_at = greatest(s.last_used_at, locked.at)
     from (select sessions.token_hash, used.at
       from unnest(${[...uses.keys()].map((id) => Buffer.from(id, 'hex'))}::bytea[],
         ${[...uses.values()]}::timestamptz[]) as used (hash, at)
           join sessions on token_hash = used.hash for update of sessions skip locked) as locked
     where s.token_hash = locked.token_hash returning encode(s.token_hash, 'hex') as id`.named('sessions-touch'),
  );
  return rows.map(({ id }) => id);
}

export async function endSession(services: Services, tx: Tx, token: string): Promise<void> {
  const hash = hashOf(token);
  await tx.query(
    sql`${endingSessions(sql`s.token_hash = ${hash}`, sql`${services.clock.now()}::timestamptz`)} select from gone`,
  );
  await announceEnded(services, tx, { ids: [hash.toString('hex')] });
}

export async function endSessionsBelow(
  services: Services,
  tx: Tx,
  accountId: string,
  reach: 'itself' | 'subtree',
): Promise<void> {
  const within = reach === 'subtree' ? sql`a.chain @> array[${accountId}]::uuid[]` : sql`a.id = ${accountId}`;
  const ended = await tx.query<{ token_hash: Buffer }>(
    sql`${endingSessions(sql`s.account_id in (select a.id from accounts a where ${within})`)} select token_hash from gone`,
  );
  // Covers concurrent sign-ins, which this delete cannot see.
  await announceEnded(
    services,
    tx,
    reach === 'subtree' ? { below: accountId } : { ids: ended.map((row) => row.token_hash.toString('hex')) },
  );
}

/** `deviceOf`: all sessions on this one's device. `allBut`: all except this one. Returns the count. */
export async function endOwnSessions(
  services: Services,
  tx: Tx,
  person: Pick<Person, 'id' | 'login'>,
  which: { deviceOf: string } | { allBut: string } | 'all',
): Promise<number> {
  const chosen =
    which === 'all'
      ? sql`true`
      : 'deviceOf' in which
        ? sql`${DEVICE} = (select ${DEVICE} from sessions s
            where s.token_hash = ${Buffer.from(which.deviceOf, 'hex')} and ${isOfPerson(person)})`
        : sql`s.token_hash <> ${Buffer.from(which.allBut, 'hex')}`;
  const ended = await tx.query<{ id: string }>(
    sql`${endingSessions(sql`${isOfPerson(person)} and ${chosen}`)} select encode(token_hash, 'hex') as id from gone`,
  );
  await announceEnded(services, tx, { ids: ended.map((row) => row.id) });
  return ended.length;
}

export async function sessionsOf(
  { db, clock }: Services,
  person: Pick<Person, 'id' | 'login'>,
  currentToken: string,
): Promise<OwnDevice[]> {
  const now = clock.now().getTime();
  const rows = await db.query<{
    id: string;
    created_at: Date;
    last_used_at: Date;
    ip: string;
    user_agent: string;
    current: boolean;
  }>(
    sql`select id, first_at as created_at, last_used_at, ip, user_agent, current from (
       select distinct on (${DEVICE}) encode(s.token_hash, 'hex') as id, s.last_used_at, s.ip, s.user_agent,
         min(s.created_at) over same as first_at, bool_or(s.token_hash = ${hashOf(currentToken)}) over same as current
       from sessions s where ${isOfPerson(person)} and s.last_used_at > ${new Date(now - SESSION_IDLE_MS)}
         and s.created_at > ${new Date(now - SESSION_MAX_MS)}
       window same as (partition by ${DEVICE}) order by ${DEVICE}, s.last_used_at desc, s.token_hash
     ) as devices order by current desc, last_used_at desc, id`,
  );
  return rows.map((row) => ({
    _id: row.id,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    ipAddress: row.ip,
    userAgent: row.user_agent,
    current: row.current,
  }));
}

export const SESSIONS_CHANNEL = 'sessions';

export type SessionNotification = { readonly ended: EndedSessions } | { readonly moved: string };

/** Session ids have 64 digits; NOTIFY payloads at most 8,000 bytes. */
const IDS_PER_MESSAGE = 100;

/** Runs after commit. Notifies this server at once. */
async function announceEnded({ events }: Services, tx: Tx, ended: EndedSessions): Promise<void> {
  if ('ids' in ended && ended.ids.length === 0) return;
  tx.onCommit(() => events.emit('sessionsEnded', ended));
  if ('below' in ended) await news(tx, { ended });
  else
    for (let from = 0; from < ended.ids.length; from += IDS_PER_MESSAGE)
      await news(tx, { ended: { ids: ended.ids.slice(from, from + IDS_PER_MESSAGE) } });
}

export async function announceMoved({ events }: Services, tx: Tx, accountId: string): Promise<void> {
  tx.onCommit(() => events.emit('accountMoved', { accountId }));
  await news(tx, { moved: accountId });
}

async function news(tx: Tx, message: SessionNotification): Promise<void> {
  await tx.query(sql`select pg_notify(${SESSIONS_CHANNEL}, ${JSON.stringify(message)})`.named('sessions-tell'));
}
