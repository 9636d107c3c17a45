import { appendActivity } from '../activity/append-activity.ts';
import { ROOT_NETWORK } from '@drawhouse/rules/ledger-kinds';
import type { Queryable, Tx } from '../db/database.ts';
import type { Services } from '../services.ts';
import { CallError } from '../http/http-errors.ts';
import { sql } from '../db/sql.ts';
import type { Origin } from '../http/handler.ts';

/** Attempts are counted for so long, from the first that failed. */
export const WINDOW_MS: number = 15 * 60_000;

const SECOND_MS = 1_000;

/**
 * What is counted, how many failures a window takes at once, after how long it takes one more, and what the log says of the attempts that were refused
 * unseen. Nobody is locked out for a window: a neighbor behind the same address only slows others down.
 */
export const SCOPES = {
  /** A name at an address; whatever asks for its password. */
  pair: { most: 5, oneMoreMs: 30 * SECOND_MS, log: (times: string) => `Refused ${times}: too many wrong passwords` },
  /** An address, whatever the name; of one name there only the failures that its pair takes at once. */
  address: {
    most: 50,
    oneMoreMs: 5 * SECOND_MS,
    log: (times: string) => `Sign-in refused ${times}: too many wrong passwords from one address`,
  },
  /** A name, from wherever it has not signed in before. */
  name: {
    most: 20,
    oneMoreMs: 30 * SECOND_MS,
    log: (times: string) => `Sign-in refused ${times}: too many wrong passwords from many addresses`,
  },
  /** The password asked for within sessions, from wherever the account has not signed in. */
  session: {
    most: 20,
    oneMoreMs: 30 * SECOND_MS,
    log: (times: string) => `Refused ${times}: too many wrong passwords in its sessions`,
  },
  /** A name in a browser that it has signed in with, from wherever: whoever has stolen its cookie guesses no faster than anybody. */
  device: {
    most: 5,
    oneMoreMs: 30 * SECOND_MS,
    log: (times: string) => `Sign-in refused ${times}: too many wrong passwords in a known browser`,
  },
  /** Accounts that one address makes; one that was made counts too. */
  signup: {
    most: 10,
    oneMoreMs: WINDOW_MS,
    log: (times: string) => `Sign-up refused ${times}: too many from one address`,
  },
} as const;

/** One count: of what, and of whom. */
export interface Count {
  readonly scope: keyof typeof SCOPES;
  readonly subject: string;
}

/** Whom the log names where attempts are refused unseen. */
export interface RefusedAs {
  readonly networkId: number;
  readonly accountId: string | null;
  readonly username: string;
  readonly origin: Pick<Origin, 'url' | 'method' | 'ip'>;
}

/**
 * Proves something that may be guessed at, such as a password. The attempt is counted before it is made, so that many at once can't slip
 * through, and given back unless `prove` answers no: whoever is right, or is not heard at all, has not failed. Gives what `prove` does.
 * Throws THROTTLED with the seconds to wait when there were too many. Attempts with a count in common must come one after the other, or
 * those that are right may stand in each other's way.
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

/** When a count takes its last attempt, in milliseconds: at once, or a while after the window began. */
function opensMs({ scope, failures, since }: Pick<CountRow, 'scope' | 'failures' | 'since'>): number {
  const { most, oneMoreMs } = SCOPES[scope];
  return failures <= most ? -Infinity : since.getTime() + (failures - most) * oneMoreMs;
}

/**
 * Counts one attempt in each of `counts`, or in none of them where one is full: then it throws THROTTLED. A window that began later than now,
 * by a clock that has gone back since, begins now: nobody waits longer than for one.
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
         where a.scope = c.scope and a.subject = c.subject and a.since <= ${windowBefore(now)} returning a.scope, a.refused, a.refused_as, a.since`,
      );
      await logRefused(services, tx, over);
      const rows: CountRow[] = await tx.query(
        `insert into attempts as a (scope, subject, failures, since)
         select scope, subject, 1, $3 from unnest($1::text[], $2::text[]) as c(scope, subject)
         on conflict (scope, subject) do update set failures = a.failures + 1,
           since = case when a.failures = 0 and a.refused = 0 then $3 else least(a.since, $3) end
         returning scope, failures, since`,
        [scopes, subjects, now],
      );
      // The longest wait of those that are full.
      const full = rows
        .map((row) => ({ ...row, opensMs: opensMs(row) }))
        .filter((row) => row.opensMs > now.getTime())
        .sort((one, other) => other.opensMs - one.opensMs)[0];
      if (full) throw new Full(full.scope, full.since, Math.ceil((full.opensMs - now.getTime()) / SECOND_MS));
      // A name that is guessed at on and on uses nothing more of its address, where others sign in too.
      const address = ordered.find(({ scope }) => scope === 'address');
      if (address && rows.some(({ scope, failures }) => scope === 'pair' && failures > SCOPES.pair.most))
        await tx.query(
          sql`update attempts set failures = failures - 1 where scope = 'address' and subject = ${address.subject}`,
        );
    });
  } catch (error) {
    if (!(error instanceof Full)) throw error;
    await db.query(
      sql`update attempts set refused = refused + 1, refused_as = coalesce(refused_as, ${JSON.stringify(refusedIn(error.scope, as))}), since = least(since, ${error.since}) where scope = ${error.scope} and subject = ${ordered.find(({ scope }) => scope === error.scope)!.subject}`,
    );
    throw throttled(error.seconds);
  }
}

/** Gives a reserved attempt back; what was right also clears the count of the name at its address. */
export async function giveBack({ db }: Services, counts: readonly Count[], right: boolean): Promise<void> {
  await db.query(
    sql`update attempts a set failures = case when ${right} and a.scope in ('pair', 'device') then 0 else greatest(a.failures - 1, 0) end
     from unnest(${counts.map(({ scope }) => scope)}::text[], ${counts.map(({ subject }) => subject)}::text[]) as c(scope, subject) where a.scope = c.scope and a.subject = c.subject`,
  );
}

/** Rows looked at by one {@link sumUpAttempts}. */
const SUM_UP_ROWS = 1_000;

/**
 * Forgets counts whose window is over; what was refused unseen in each becomes one row of the log. Takes some at a time, so that it holds
 * nothing up, and gives whether there may be more.
 */
export async function sumUpAttempts(services: Services): Promise<boolean> {
  return services.db.transaction(async (tx) => {
    const over: Expired[] = await tx.query(
      sql`delete from attempts where (scope, subject) in
         (select scope, subject from attempts where since <= ${windowBefore(services.clock.now())} order by since limit ${sql.lit(SUM_UP_ROWS)} for update skip locked)
       returning scope, refused, refused_as, since`,
    );
    await logRefused(services, tx, over);
    return over.length === SUM_UP_ROWS;
  });
}

/** A count that is full: it takes one more attempt after each while. */
export interface Slowed extends Count {
  /** When it takes the next attempt, which may be over. */
  readonly nextAt: Date;
}

/** The counts that are full at a time, but for those of sign-ups. */
export async function readSlowed(on: Queryable, now: Date): Promise<Slowed[]> {
  const scopes = (Object.keys(SCOPES) as Count['scope'][]).filter((scope) => scope !== 'signup');
  const rows = await on.query<CountRow & { subject: string }>(
    sql`select a.scope, a.subject, a.failures, a.since from attempts a
     join unnest(${scopes}::text[], ${scopes.map((scope) => SCOPES[scope].most)}::int[]) as full_at (scope, most) on a.scope = full_at.scope and a.failures >= full_at.most
     where a.since > ${windowBefore(now)} order by a.since`,
  );
  return rows.map(({ scope, subject, since, failures }) => ({
    scope,
    subject,
    nextAt: new Date(opensMs({ scope, failures: failures + 1, since: since < now ? since : now })),
  }));
}

/** Whether a count is of the attempts at the password of an account. */
export function isOfAccount({ scope, subject }: Count, accountId: string): boolean {
  return scope === 'pair' || scope === 'device' ? subject.startsWith(`${accountId} `) : subject === accountId;
}

/** What was forgotten of the attempts that are counted: a count that was full, which slowed somebody down; others only; nothing. */
export type Forgotten = 'full' | 'some' | 'nothing';

/** Forgets what was counted of attempts at the password of an account, or of an address (by its key); what was refused unseen is logged. */
export async function forgetAttempts(
  services: Pick<Services, 'clock' | 'newId'>,
  tx: Tx,
  of: { readonly accountId: string } | { readonly address: string },
): Promise<Forgotten> {
  const gone: (Expired & CountRow)[] = await tx.query(
    `delete from attempts where ${
      'accountId' in of
        ? "scope in ('pair', 'device') and starts_with(subject, $1 || ' ') or scope in ('name', 'session') and subject = $1"
        : "scope = 'address' and subject = $1"
    } returning scope, refused, refused_as, since, failures`,
    ['accountId' in of ? of.accountId : of.address],
  );
  await logRefused(services, tx, gone);
  const from = windowBefore(services.clock.now());
  const counted = gone.filter(({ failures, since }) => failures > 0 && since > from);
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
  const byNetwork = Map.groupBy(refused, (row) => row.refused_as!.networkId);
  // Always in the same order: each network's log is locked.
  for (const [networkId, rows] of [...byNetwork].sort(([a], [b]) => (a < b ? -1 : 1)))
    await appendActivity(
      tx,
      networkId,
      services,
      rows.map(({ scope, refused: times, refused_as, since }) => {
        const { accountId, username, origin } = refused_as!;
        const subject = SCOPES[scope].log(times === 1 ? 'once' : `${times} times`);
        return { accountId, username, subject, origin, detail: { refused: times, since: since.toISOString() } };
      }),
    );
}

/** Whom the log names. Where an address is refused whatever the name, no network is told whom else it tried. */
function refusedIn(scope: Count['scope'], { networkId, accountId, username, origin }: RefusedAs): RefusedAs {
  const { url, method, ip } = origin;
  const named = { username: username.slice(0, 200), origin: { url, method, ip } };
  return scope === 'address' || scope === 'signup'
    ? { ...named, networkId: ROOT_NETWORK, accountId: null }
    : { ...named, networkId, accountId };
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
    message: `Too many attempts. Please wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    retryAfterSeconds: seconds,
  });
}

function windowBefore(now: Date): Date {
  return new Date(now.getTime() - WINDOW_MS);
}
