import { appendActivity } from '../../activity/append-activity.ts';
import { shareNetworkLock } from '../../activity/network-work/network-work.ts';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Origin } from '../../platform/http/handler.ts';
import { AUTH_TEXTS, AUTH_SUBJECTS } from '../auth-texts.ts';

/** Starts at the first failure. */
export const WINDOW_MS: number = 15 * 60_000;

const SECOND_MS = 1_000;

/**
 * Failures per window, then one more per `oneMoreMs`. Nobody is locked out for a whole window, so neighbors behind one
 * address merely slow each other down.
 */
export const SCOPES = {
  pair: { most: 5, oneMoreMs: 30 * SECOND_MS, log: AUTH_SUBJECTS.passwordsSlowed },
  /** Across names. One name adds at most its own pair's limit. */
  address: {
    most: 50,
    oneMoreMs: 5 * SECOND_MS,
    log: AUTH_SUBJECTS.addressSlowed,
  },
  name: {
    most: 20,
    oneMoreMs: 30 * SECOND_MS,
    log: AUTH_SUBJECTS.nameSlowed,
  },
  session: {
    most: 20,
    oneMoreMs: 30 * SECOND_MS,
    log: AUTH_SUBJECTS.sessionsSlowed,
  },
  /** At any address. A stolen cookie speeds up no guessing. */
  device: {
    most: 5,
    oneMoreMs: 30 * SECOND_MS,
    log: AUTH_SUBJECTS.deviceSlowed,
  },
  /** From all addresses. Guessing requires the password. */
  factor: {
    most: 10,
    oneMoreMs: 3 * 60 * SECOND_MS,
    log: AUTH_SUBJECTS.factorSlowed,
  },
  signup: {
    most: 10,
    oneMoreMs: WINDOW_MS,
    log: AUTH_SUBJECTS.signUpsSlowed,
  },
} as const;

export interface Count {
  readonly scope: keyof typeof SCOPES;
  readonly subject: string;
}

export interface RefusedAs {
  readonly networkId: number;
  readonly accountId: string | null;
  readonly login?: number | undefined;
  readonly username: string;
  readonly origin: Pick<Origin, 'url' | 'method' | 'ip'>;
}

/**
 * Counts the attempt before `prove` checks the secret, so concurrent ones cannot slip through. Refunds it unless
 * `prove` returns false. Serialize attempts sharing a count; otherwise correct ones may block each other.
 */
export async function attempt(
  services: Services,
  counts: readonly Count[],
  as: RefusedAs,
  prove: () => Promise<boolean>,
): Promise<boolean> {
  await reserve(services, counts, as);
  let right: boolean | undefined;
  try {
    return (right = await prove());
  } finally {
    if (right !== false) await giveBack(services, counts, right === true);
  }
}

interface CountRow {
  scope: Count['scope'];
  failures: number;
  since: Date;
}

function opensMs({ scope, failures, since }: Pick<CountRow, 'scope' | 'failures' | 'since'>): number {
  const { most, oneMoreMs } = SCOPES[scope];
  return failures <= most ? -Infinity : since.getTime() + (failures - most) * oneMoreMs;
}

/**
 * Counts in every count, or in none if one is full, then throws THROTTLED. A window that starts in the future after a
 * clock correction restarts now.
 */
export async function reserve(services: Services, counts: readonly Count[], as: RefusedAs): Promise<void> {
  const { db, clock } = services;
  const ordered = counts.toSorted((a, b) => (a.scope < b.scope ? -1 : 1));
  const [scopes, subjects] = [ordered.map(({ scope }) => scope), ordered.map(({ subject }) => subject)];
  try {
    await db.transaction(async (tx) => {
      const now = clock.now();
      const over: Expired[] = await tx.query(
        sql`delete from attempts a using unnest(${scopes}::text[], ${subjects}::text[]) as c(scope, subject)
         where a.scope = c.scope and a.subject = c.subject and a.since <= ${windowBefore(now)}
           returning a.scope, a.refused, a.refused_as, a.since`,
      );
      await logRefused(services, tx, over);
      const rows: CountRow[] = await tx.query(
        sql`insert into attempts as a (scope, subject, failures, since)
         select scope, subject, 1, ${now} from unnest(${scopes}::text[], ${subjects}::text[]) as c(scope, subject)
         on conflict (scope, subject) do update set failures = a.failures + 1,
           since = case when a.failures = 0 and a.refused = 0 then ${now} else least(a.since, ${now}) end
         returning scope, failures, since`,
      );
      const full = rows
        .map((row) => ({ ...row, opensMs: opensMs(row) }))
        .filter((row) => row.opensMs > now.getTime())
        .sort((one, other) => other.opensMs - one.opensMs)[0];
      if (full) throw new Full(full.scope, full.since, Math.ceil((full.opensMs - now.getTime()) / SECOND_MS));
      // Beyond a name's own limit, guesses no longer count against its address, which others share.
      const address = ordered.find(({ scope }) => scope === 'address');
      if (address && rows.some(({ scope, failures }) => scope === 'pair' && failures > SCOPES.pair.most))
        await tx.query(
          sql`update attempts set failures = failures - 1 where scope = 'address' and subject = ${address.subject}`,
        );
    });
  } catch (error) {
    if (!(error instanceof Full)) throw error;
    await db.query(
      sql`update attempts set refused = refused + 1,
        refused_as = coalesce(refused_as, ${JSON.stringify(refusedIn(error.scope, as))}), since = least(since, ${error.since})
        where scope = ${error.scope} and subject = ${ordered.find(({ scope }) => scope === error.scope)!.subject}`,
    );
    throw throttled(error.seconds);
  }
}

/** A correct attempt also clears its name-and-address count. */
export async function giveBack({ db }: Services, counts: readonly Count[], right: boolean): Promise<void> {
  await db.query(
    sql`update attempts a set failures = case when ${right} and a.scope in ('pair', 'device', 'factor') then 0
       else greatest(a.failures - 1, 0) end
     from unnest(${counts.map(({ scope }) => scope)}::text[], ${counts.map(({ subject }) => subject)}::text[]) as c(scope,
       subject) where a.scope = c.scope and a.subject = c.subject`,
  );
}

const SUM_UP_ROWS = 1_000;

/** One summary row per count, in batches. Returns true if more may remain. */
export async function sumUpAttempts(services: Services): Promise<boolean> {
  return services.db.transaction(async (tx) => {
    const over: Expired[] = await tx.query(
      sql`delete from attempts where (scope, subject) in
         (select scope, subject from attempts where since <= ${windowBefore(services.clock.now())} order by since
           limit ${sql.lit(SUM_UP_ROWS)} for update skip locked)
       returning scope, refused, refused_as, since`,
    );
    await logRefused(services, tx, over);
    return over.length === SUM_UP_ROWS;
  });
}

export interface ThrottledCount extends Count {
  readonly nextAt: Date;
}

export async function readSlowed(on: Queryable, now: Date): Promise<ThrottledCount[]> {
  const scopes = (Object.keys(SCOPES) as Count['scope'][]).filter((scope) => scope !== 'signup');
  const rows = await on.query<CountRow & { subject: string }>(
    sql`select a.scope, a.subject, a.failures, a.since from attempts a
     join unnest(${scopes}::text[], ${scopes.map((scope) => SCOPES[scope].most)}::int[]) as full_at (scope, most)
       on a.scope = full_at.scope and a.failures >= full_at.most
     where a.since > ${windowBefore(now)} order by a.since`,
  );
  return rows.map(({ scope, subject, since, failures }) => ({
    scope,
    subject,
    nextAt: new Date(opensMs({ scope, failures: failures + 1, since: since < now ? since : now })),
  }));
}

export function isOfAccount({ scope, subject }: Count, accountId: string): boolean {
  return scope !== 'address' && (subject === accountId || subject.startsWith(`${accountId} `));
}

export type ClearedAttempts = 'full' | 'some' | 'nothing';

export async function clearAttempts(
  services: Pick<Services, 'clock' | 'newId'>,
  tx: Tx,
  of: { readonly accountId: string } | { readonly address: string },
): Promise<ClearedAttempts> {
  const expired: (Expired & CountRow)[] = await tx.query(
    sql`delete from attempts where ${
      'accountId' in of
        ? sql`scope in ('pair', 'device', 'factor', 'name', 'session')
            and (subject = ${of.accountId} or starts_with(subject, ${of.accountId}::text || ' '))`
        : sql`scope = 'address' and subject = ${of.address}`
    } returning scope, refused, refused_as, since, failures`,
  );
  await logRefused(services, tx, expired);
  const from = windowBefore(services.clock.now());
  const counted = expired.filter(({ failures, since }) => failures > 0 && since > from);
  if (counted.some(({ scope, failures }) => failures >= SCOPES[scope].most)) return 'full';
  return counted.length > 0 ? 'some' : 'nothing';
}

interface Expired {
  scope: Count['scope'];
  refused: number;
  refused_as: RefusedAs | null;
  since: Date;
}

async function logRefused(
  services: Pick<Services, 'clock' | 'newId'>,
  tx: Tx,
  over: readonly Expired[],
): Promise<void> {
  const refused = over.filter((row) => row.refused > 0);
  if (refused.length === 0) return;
  const networkIds = new Set(refused.map((row) => row.refused_as!.networkId));
  const here = new Set<number>();
  for (const id of [...networkIds].sort((a, b) => a - b)) if (await shareNetworkLock(tx, id)) here.add(id);
  // The log of a network that moves or has moved is elsewhere.
  const byNetwork = Map.groupBy(refused, ({ refused_as: as }) =>
    here.has(as!.networkId) ? as!.networkId : ROOT_NETWORK,
  );
  for (const [networkId, rows] of [...byNetwork].sort(([a], [b]) => (a < b ? -1 : 1)))
    await appendActivity(
      tx,
      networkId,
      services,
      rows.map(({ scope, refused: times, refused_as, since }) => {
        const { origin, ...author } = refused_as!;
        const subject = SCOPES[scope].log(times === 1 ? 'once' : `${times} times`);
        const isHere = networkId === author.networkId;
        return {
          ...author,
          ...(!isHere && { accountId: null }),
          subject,
          origin,
          detail: { refused: times, since: since.toISOString() },
        };
      }),
    );
}

/** Names no account for an address refused across names, so a network never learns other names tried there. */
function refusedIn(scope: Count['scope'], { networkId, accountId, login, username, origin }: RefusedAs): RefusedAs {
  const { url, method, ip } = origin;
  const named = { username: username.slice(0, 200), origin: { url, method, ip } };
  return scope === 'address' || scope === 'signup'
    ? { ...named, networkId: ROOT_NETWORK, accountId: null }
    : { ...named, networkId, accountId, login };
}

class Full extends Error {
  readonly scope: Count['scope'];
  readonly since: Date;
  readonly seconds: number;

  constructor(scope: Count['scope'], since: Date, seconds: number) {
    super('too many attempts');
    this.scope = scope;
    this.since = since;
    this.seconds = Math.max(1, seconds);
  }
}

function throttled(seconds: number): CallError {
  const minutes = Math.ceil(seconds / 60);
  return new CallError('THROTTLED', {
    message: AUTH_TEXTS.tooManyAttempts(minutes),
    retryAfterSeconds: seconds,
  });
}

function windowBefore(now: Date): Date {
  return new Date(now.getTime() - WINDOW_MS);
}
