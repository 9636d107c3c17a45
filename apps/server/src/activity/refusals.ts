import type { Queryable } from '../platform/db/database.ts';
import type { Services } from '../platform/services.ts';
import type { RefusedCall } from '../platform/http/handler.ts';
import { appendActivity } from './append-activity.ts';
import {
  countRefused,
  countForeignNotFound,
  holdNotFound,
  mergeSummary,
  newSummary,
  refusedEntry,
} from './refused-summary.ts';
import type { RefusedSummary } from './refused-summary.ts';
import type { CommandActor } from './run-command.ts';

/** Refusals of one account within this window become one log row. */
const SUMMED_MS = 60_000;
/** More accounts than this indicates a flood by strangers; the rest are ignored. */
const ACCOUNTS_AT_ONCE = 100;
const ACCOUNTS_MOST = 10_000;

export type ForeignNames = (on: Queryable, actor: CommandActor, names: readonly string[]) => Promise<readonly string[]>;

export interface Refusals {
  /** Counts refusals for missing authority. Cheap, so floods cost nothing extra. */
  note(this: void, call: RefusedCall<CommandActor>): void;
  sumUp(which?: 'due' | 'all'): Promise<void>;
}

/**
 * Summarizes each account's authority refusals: role not permitted, identity mismatch, ids of foreign things. `foreign`
 * separates those from ids that never existed.
 */
export function createRefusals(services: Services, foreign: readonly ForeignNames[]): Refusals {
  const { db, clock } = services;
  const summaries = new Map<string, RefusedSummary>();

  function summaryOf(actor: CommandActor): RefusedSummary | undefined {
    const known = summaries.get(actor.id);
    if (known || summaries.size >= ACCOUNTS_MOST) return known;
    const summary = newSummary(actor, clock.now().getTime());
    summaries.set(actor.id, summary);
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
        // After a failure, retries together with newer refusals.
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

function howToKeep({ code, names }: RefusedCall<CommandActor>): typeof countRefused | undefined {
  if (code === 'NOT_FOUND') return names.length > 0 ? holdNotFound : undefined;
  return code === 'NOT_ALLOWED' || code === 'IDENTITY_MISMATCH' ? countRefused : undefined;
}
