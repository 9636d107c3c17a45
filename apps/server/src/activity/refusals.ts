import type { Queryable } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import type { RefusedCall } from '../http/handler.ts';
import { NAMES_MAX } from '../http/refused-call.ts';
import { appendActivity } from './append-activity.ts';
import type { ActivityEntry } from './append-activity.ts';
import type { Author } from './run-command.ts';

/** What is refused to one account within this time, from the first of it on, is one row of the log. */
const SUMMED_MS = 60_000;
/** The accounts that are summed up at a time, and that are kept in mind: a flood of more is one of strangers' making, and is passed over. */
const ACCOUNTS_AT_ONCE = 100;
const ACCOUNTS_MOST = 10_000;
/** So many calls a row names; the others it counts. */
const CALLS_NAMED = 5;
/**
 * So many names by which one account found nothing are looked for; nobody takes more by mistake, and so calls beyond count as they are. To look
 * for the number of a ticket takes milliseconds: for more of them the database would take longer than it may, and nothing would be logged.
 */
const LOOKED_FOR_MOST = 50;

/** Those of some names, as calls give them, that are of something which there is and which is not the actor's nor of anybody below it. */
export type ForeignNames = (on: Queryable, actor: Author, names: readonly string[]) => Promise<readonly string[]>;

/** What was refused to the accounts of a server, and is not in the log yet. */
export interface Refusals {
  /** Counts a call that was refused, if that was for its authority. Does no more than that: a flood of them costs what it would without. */
  note(this: void, call: RefusedCall<Author>): void;
  /** Logs what is due: `all` of it where the server stops. */
  sumUp(which?: 'due' | 'all'): Promise<void>;
}

/** A call that found nothing under the names that it gave, and how often it was made. */
interface NotFound {
  readonly call: RefusedCall<Author>;
  times: number;
}

interface Summary {
  readonly actor: Author;
  readonly sinceMs: number;
  times: number;
  /** That of the first call that counts. */
  origin: RefusedCall['origin'] | undefined;
  /** The first calls, as a row names them. */
  readonly calls: Set<string>;
  /** By what they asked for: whether that is somebody else's shows when they are summed up. */
  readonly notFound: Map<string, NotFound>;
  /** All by which it found nothing. */
  readonly names: Set<string>;
}

/**
 * Sums up what is refused to each account for its authority: what its role may not do, what it does as another account, and what it asks for
 * by the id of something that is not its own, which it is told is not there. `foreign` tell that from what is not there at all, which is
 * nobody's fault.
 */
export function createRefusals(services: Services, foreign: readonly ForeignNames[]): Refusals {
  const { db, clock } = services;
  /** By account, the longest known first. */
  const summaries = new Map<string, Summary>();

  function count(summary: Summary, { origin }: RefusedCall<Author>, times = 1): void {
    summary.times += times;
    summary.origin ??= origin;
    if (summary.calls.size < CALLS_NAMED) summary.calls.add(`${origin.method} ${origin.url}`);
  }

  function summaryOf(call: RefusedCall<Author>): Summary | undefined {
    const known = summaries.get(call.actor.id);
    if (known || summaries.size >= ACCOUNTS_MOST) return known;
    const sinceMs = clock.now().getTime();
    const summary = {
      actor: call.actor,
      sinceMs,
      times: 0,
      origin: undefined,
      calls: new Set<string>(),
      notFound: new Map(),
      names: new Set<string>(),
    };
    summaries.set(call.actor.id, summary);
    return summary;
  }

  function noteNotFound(call: RefusedCall<Author>): void {
    if (call.names.length === 0) return;
    const summary = summaryOf(call);
    if (!summary) return;
    toLookFor(summary, { call, times: 1 });
  }

  function toLookFor(summary: Summary, { call, times }: NotFound): void {
    const { notFound, names } = summary;
    const key = `${call.origin.method} ${call.origin.url} ${call.names.join(' ')}`;
    const known = notFound.get(key);
    const all = new Set([...names, ...call.names]);
    // Behind so many names the one that is meant could be hidden.
    const isHidden = call.names.length >= NAMES_MAX || all.size > LOOKED_FOR_MOST;
    if (known) known.times += times;
    else if (isHidden || notFound.size >= LOOKED_FOR_MOST) count(summary, call, times);
    else {
      notFound.set(key, { call, times });
      for (const name of call.names) names.add(name);
    }
  }

  /** Counts what an account did not find because it is somebody else's. */
  async function judge(summary: Summary): Promise<void> {
    const { notFound, actor, names } = summary;
    if (notFound.size === 0) return;
    const found = new Set<string>();
    for (const among of foreign) for (const name of await among(db, actor, [...names])) found.add(name);
    for (const { call, times } of notFound.values())
      if (call.names.some((name) => found.has(name))) count(summary, call, times);
    notFound.clear();
    names.clear();
  }

  async function log(due: readonly Summary[]): Promise<void> {
    for (const summary of due) await judge(summary);
    const byNetwork = Map.groupBy(
      due.filter(({ times }) => times > 0),
      ({ actor }) => actor.networkId,
    );
    // Each in its own transaction: the heads of two logs are never held at once.
    for (const [networkId, summed] of byNetwork) {
      await db.transaction((tx) => appendActivity(tx, networkId, services, summed.map(entryOf)));
      for (const summary of summed) summary.times = 0;
    }
  }

  function putBack(id: string, summary: Summary): void {
    const later = summaries.get(id);
    for (const call of later?.calls ?? []) if (summary.calls.size < CALLS_NAMED) summary.calls.add(call);
    for (const asked of later?.notFound.values() ?? []) toLookFor(summary, asked);
    summary.times += later?.times ?? 0;
    summary.origin ??= later?.origin;
    summaries.set(id, summary);
  }

  return {
    note(call) {
      if (call.code === 'NOT_FOUND') noteNotFound(call);
      else if (call.code === 'NOT_ALLOWED' || call.code === 'IDENTITY_MISMATCH') {
        const summary = summaryOf(call);
        if (summary) count(summary, call);
      }
    },
    async sumUp(which = 'due') {
      const nowMs = clock.now().getTime();
      const isDue = ({ sinceMs }: Summary): boolean =>
        which === 'all' || nowMs - sinceMs >= SUMMED_MS || nowMs < sinceMs;
      const due = [...summaries].filter(([, summary]) => isDue(summary));
      if (which === 'due') due.splice(ACCOUNTS_AT_ONCE);
      for (const [id] of due) summaries.delete(id);
      try {
        await log(due.map(([, summary]) => summary));
      } catch (error) {
        // What is not logged is tried again, with what came meanwhile.
        for (const [id, summary] of due) putBack(id, summary);
        throw error;
      }
    },
  };
}

function entryOf({ actor, sinceMs, times, origin, calls }: Summary): ActivityEntry {
  const isCut = calls.size === CALLS_NAMED && times > CALLS_NAMED;
  return {
    accountId: actor.id,
    username: actor.username,
    subject: `Refused ${times === 1 ? 'once' : `${times} times`}: outside its authority`,
    origin: origin!,
    detail: { refused: times, since: new Date(sinceMs).toISOString() },
    changes: [
      {
        what: isCut ? 'Refused calls, the first of them' : 'Refused calls',
        before: null,
        after: [...calls].join(', '),
      },
    ],
  };
}
