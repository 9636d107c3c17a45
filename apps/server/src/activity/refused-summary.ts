import type { RefusedCall } from '../http/handler.ts';
import { NAMES_MAX } from '../http/refused-call.ts';
import type { ActivityEntry } from './append-activity.ts';
import type { Author } from './run-command.ts';

/** So many calls a row names; the others it counts. */
const CALLS_NAMED = 5;
/**
 * So many names by which one account found nothing are looked for; nobody takes more by mistake, and so calls beyond count as they are. To look
 * for the number of a ticket takes milliseconds: for more of them the database would take longer than it may, and nothing would be logged.
 */
const LOOKED_FOR_MOST = 50;

/** A call that found nothing under the names that it gave, and how often it was made. */
interface NotFound {
  readonly call: RefusedCall<Author>;
  times: number;
}

/** What was refused to one account. */
export interface RefusedSummary {
  readonly actor: Author;
  /** When the first of it was refused. */
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

/** The summary of an account to which nothing was refused yet. */
export function newSummary(actor: Author, sinceMs: number): RefusedSummary {
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

/** Counts a call that was refused for its authority. */
export function countRefused(summary: RefusedSummary, { origin }: RefusedCall<Author>, times = 1): void {
  summary.times += times;
  summary.origin ??= origin;
  if (summary.calls.size < CALLS_NAMED) summary.calls.add(`${origin.method} ${origin.url}`);
}

/** Keeps a call that found nothing, to be judged by the names that it gave; where there are too many of those it counts as it is. */
export function keepNotFound(summary: RefusedSummary, call: RefusedCall<Author>, times = 1): void {
  const { notFound, names } = summary;
  const key = `${call.origin.method} ${call.origin.url} ${call.names.join(' ')}`;
  const known = notFound.get(key);
  const all = new Set([...names, ...call.names]);
  // Behind so many names the one that is meant could be hidden.
  const isHidden = call.names.length >= NAMES_MAX || all.size > LOOKED_FOR_MOST;
  if (known) known.times += times;
  else if (isHidden || notFound.size >= LOOKED_FOR_MOST) countRefused(summary, call, times);
  else {
    notFound.set(key, { call, times });
    for (const name of call.names) names.add(name);
  }
}

/** Counts those of the calls that found nothing whose names are of something that is somebody else's, and keeps none of them. */
export function judgeNotFound(summary: RefusedSummary, foreign: ReadonlySet<string>): void {
  for (const { call, times } of summary.notFound.values())
    if (call.names.some((name) => foreign.has(name))) countRefused(summary, call, times);
  summary.notFound.clear();
  summary.names.clear();
}

/** Adds to a summary what was refused to its account later. */
export function addLater(summary: RefusedSummary, later: RefusedSummary): void {
  for (const call of later.calls) if (summary.calls.size < CALLS_NAMED) summary.calls.add(call);
  for (const { call, times } of later.notFound.values()) keepNotFound(summary, call, times);
  summary.times += later.times;
  summary.origin ??= later.origin;
}

/** The row of the log for what was refused to an account, of which there is some. */
export function refusedEntry({ actor, sinceMs, times, origin, calls }: RefusedSummary): ActivityEntry {
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
