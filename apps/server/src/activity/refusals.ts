import type { Queryable } from '../platform/db/database.ts';
import type { Services } from '../platform/services.ts';
import type { RefusedCall } from '../platform/http/handler.ts';
import { appendActivity, type ActivityEntry } from './append-activity.ts';
import { authorOf, type CommandActor } from './run-command.ts';
import { NAMES_MAX } from '../platform/http/limits/http-limits.ts';
import { ACTIVITY_TEXTS } from './activity-texts.ts';

/** Refusals of one account within this window become one log row. */
const SUMMED_MS = 60_000;
/** More accounts indicate a flood by strangers; the rest are ignored. */
const ACCOUNTS_AT_ONCE = 100;
const ACCOUNTS_MOST = 10_000;

export type ForeignNames = (on: Queryable, actor: CommandActor, names: readonly string[]) => Promise<readonly string[]>;

export interface Refusals {
  note(this: void, call: RefusedCall<CommandActor>): void;
  sumUp(which?: 'due' | 'all'): Promise<void>;
}

/**
 * Sums roles not permitted, identity mismatches, and ids outside the caller's subtree. `foreign` separates those ids
 * from ids that never existed.
 */
export function createRefusals(services: Services, foreign: readonly ForeignNames[]): Refusals {
  const { db, clock } = services;
  const summaries = new Map<string, RefusedSummary>();

  function summaryOf(actor: CommandActor): RefusedSummary | undefined {
    const person = `${actor.id} ${actor.login}`;
    const pending = summaries.get(person);
    if (pending || summaries.size >= ACCOUNTS_MOST) return pending;
    const summary = newSummary(actor, clock.now().getTime());
    summaries.set(person, summary);
    return summary;
  }

  async function judge(summary: RefusedSummary): Promise<void> {
    const { notFound, actor, names } = summary;
    if (notFound.size === 0) return;
    const found = new Set<string>();
    for (const among of foreign) for (const name of await among(db, actor, [...names])) found.add(name);
    countForeignNotFound(summary, found);
  }

  async function log(due: readonly RefusedSummary[]): Promise<void> {
    for (const summary of due) await judge(summary);
    const byNetwork = Map.groupBy(
      due.filter(({ times }) => times > 0),
      ({ actor }) => actor.networkId,
    );
    // Separate transactions: never locks two log heads together.
    for (const [networkId, summed] of byNetwork) {
      await db.transaction((tx) => appendActivity(tx, networkId, services, summed.map(refusedEntry)));
      for (const summary of summed) summary.times = 0;
    }
  }

  return {
    note(call) {
      const keep = howToKeep(call);
      const summary = keep && summaryOf(call.actor);
      if (summary) keep(summary, call);
    },
    async sumUp(which = 'due') {
      const nowMs = clock.now().getTime();
      const isDue = ({ sinceMs }: RefusedSummary): boolean =>
        which === 'all' || nowMs - sinceMs >= SUMMED_MS || nowMs < sinceMs;
      const due = [...summaries].filter(([, summary]) => isDue(summary));
      if (which === 'due') due.splice(ACCOUNTS_AT_ONCE);
      for (const [id] of due) summaries.delete(id);
      try {
        await log(due.map(([, summary]) => summary));
      } catch (error) {
        // After a failure, retries with newer refusals.
        for (const [id, summary] of due) {
          const later = summaries.get(id);
          if (later) mergeSummary(summary, later);
          summaries.set(id, summary);
        }
        throw error;
      }
    },
  };
}

const REFUSED_AUTHORITY: ReadonlySet<string> = new Set(['NOT_ALLOWED', 'NO_PERMISSION', 'IDENTITY_MISMATCH']);

function howToKeep({ code, names }: RefusedCall<CommandActor>): typeof countRefused | undefined {
  if (code === 'NOT_FOUND') return names.length > 0 ? holdNotFound : undefined;
  return REFUSED_AUTHORITY.has(code) ? countRefused : undefined;
}

const CALLS_NAMED = 5;
/**
 * Nobody mistypes this many, so calls beyond count as refused. Ticket lookups take milliseconds each, and more would
 * exceed the statement timeout.
 */
const LOOKED_FOR_MOST = 50;

interface NotFound {
  readonly call: RefusedCall<CommandActor>;
  times: number;
}

export interface RefusedSummary {
  readonly actor: CommandActor;
  readonly sinceMs: number;
  times: number;
  origin: RefusedCall['origin'] | undefined;
  readonly calls: Set<string>;
  /** Ownership is checked when the summary is logged. */
  readonly notFound: Map<string, NotFound>;
  readonly names: Set<string>;
}

export function newSummary(actor: CommandActor, sinceMs: number): RefusedSummary {
  return {
    actor,
    sinceMs,
    times: 0,
    origin: undefined,
    calls: new Set(),
    notFound: new Map(),
    names: new Set(),
  };
}

export function countRefused(summary: RefusedSummary, { origin }: RefusedCall<CommandActor>, times = 1): void {
  summary.times += times;
  summary.origin ??= origin;
  if (summary.calls.size < CALLS_NAMED) summary.calls.add(`${origin.method} ${origin.url}`);
}

export function holdNotFound(summary: RefusedSummary, call: RefusedCall<CommandActor>, times = 1): void {
  const { notFound, names } = summary;
  const key = `${call.origin.method} ${call.origin.url} ${call.names.join(' ')}`;
  const since = notFound.get(key);
  const all = new Set([...names, ...call.names]);
  // Many names can hide the intended one.
  const isHidden = call.names.length >= NAMES_MAX || all.size > LOOKED_FOR_MOST;
  if (since) since.times += times;
  else if (isHidden || notFound.size >= LOOKED_FOR_MOST) countRefused(summary, call, times);
  else {
    notFound.set(key, { call, times });
    for (const name of call.names) names.add(name);
  }
}

export function countForeignNotFound(summary: RefusedSummary, foreign: ReadonlySet<string>): void {
  for (const { call, times } of summary.notFound.values())
    if (call.names.some((name) => foreign.has(name))) countRefused(summary, call, times);
  summary.notFound.clear();
  summary.names.clear();
}

export function mergeSummary(summary: RefusedSummary, later: RefusedSummary): void {
  for (const call of later.calls) if (summary.calls.size < CALLS_NAMED) summary.calls.add(call);
  for (const { call, times } of later.notFound.values()) holdNotFound(summary, call, times);
  summary.times += later.times;
  summary.origin ??= later.origin;
}

export function refusedEntry({ actor, sinceMs, times, origin, calls }: RefusedSummary): ActivityEntry {
  const isCut = calls.size === CALLS_NAMED && times > CALLS_NAMED;
  return {
    ...authorOf(actor),
    subject: ACTIVITY_TEXTS.refused(times),
    origin: origin!,
    detail: { refused: times, since: new Date(sinceMs).toISOString() },
    changes: [
      {
        what: isCut ? 'First refused calls' : 'Refused calls',
        before: null,
        after: [...calls].join(', '),
      },
    ],
  };
}
