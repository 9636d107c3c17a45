import type { Queryable } from '../db/database.ts';
import type { Services } from '../services.ts';
import type { RefusedCall } from '../http/handler.ts';
import { appendActivity } from './append-activity.ts';
import { countRefused, judgeNotFound, keepNotFound, addLater, newSummary, refusedEntry } from './refused-summary.ts';
import type { RefusedSummary } from './refused-summary.ts';
import type { Author } from './run-command.ts';

/** What is refused to one account within this time, from the first of it on, is one row of the log. */
const SUMMED_MS = 60_000;
/** The accounts that are summed up at a time, and that are kept in mind: a flood of more is one of strangers' making, and is passed over. */
const ACCOUNTS_AT_ONCE = 100;
const ACCOUNTS_MOST = 10_000;

/** Those of some names, as calls give them, that are of something which there is and which is not the actor's nor of anybody below it. */
export type ForeignNames = (on: Queryable, actor: Author, names: readonly string[]) => Promise<readonly string[]>;

/** What was refused to the accounts of a server, and is not in the log yet. */
export interface Refusals {
  /** Counts a call that was refused, if that was for its authority. Does no more than that: a flood of them costs what it would without. */
  note(this: void, call: RefusedCall<Author>): void;
  /** Logs what is due: `all` of it where the server stops. */
  sumUp(which?: 'due' | 'all'): Promise<void>;
}

/**
 * Sums up what is refused to each account for its authority: what its role may not do, what it does as another account, and what it asks for
 * by the id of something that is not its own, which it is told is not there. `foreign` tell that from what is not there at all, which is
 * nobody's fault.
 */
export function createRefusals(services: Services, foreign: readonly ForeignNames[]): Refusals {
  const { db, clock } = services;
  /** By account, the longest known first. */
  const summaries = new Map<string, RefusedSummary>();

  function summaryOf(actor: Author): RefusedSummary | undefined {
    const known = summaries.get(actor.id);
    if (known || summaries.size >= ACCOUNTS_MOST) return known;
    const summary = newSummary(actor, clock.now().getTime());
    summaries.set(actor.id, summary);
    return summary;
  }

  /** Counts what an account did not find because it is somebody else's. */
  async function judge(summary: RefusedSummary): Promise<void> {
    const { notFound, actor, names } = summary;
    if (notFound.size === 0) return;
    const found = new Set<string>();
    for (const among of foreign) for (const name of await among(db, actor, [...names])) found.add(name);
    judgeNotFound(summary, found);
  }

  async function log(due: readonly RefusedSummary[]): Promise<void> {
    for (const summary of due) await judge(summary);
    const byNetwork = Map.groupBy(
      due.filter(({ times }) => times > 0),
      ({ actor }) => actor.networkId,
    );
    // Each in its own transaction: the heads of two logs are never held at once.
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
        // What is not logged is tried again, with what came meanwhile.
        for (const [id, summary] of due) {
          const later = summaries.get(id);
          if (later) addLater(summary, later);
          summaries.set(id, summary);
        }
        throw error;
      }
    },
  };
}

/** How a refused call is kept; undefined where it was not refused for its authority. */
function howToKeep({ code, names }: RefusedCall<Author>): typeof countRefused | undefined {
  if (code === 'NOT_FOUND') return names.length > 0 ? keepNotFound : undefined;
  return code === 'NOT_ALLOWED' || code === 'IDENTITY_MISMATCH' ? countRefused : undefined;
}
