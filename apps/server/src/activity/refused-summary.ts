import type { RefusedCall } from '../platform/http/handler.ts';
import { NAMES_MAX } from '../platform/http/limits/http-limits.ts';
import type { ActivityEntry } from './append-activity.ts';
import type { CommandActor } from './run-command.ts';

/** Calls beyond this are counted, not named. */
const CALLS_NAMED = 5;
/**
 * Names looked up per account; nobody mistypes this many, so calls beyond count as refused. Ticket lookups take
 * milliseconds each, and more would exceed the statement timeout.
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
  /** Keyed by requested names. Ownership is checked when the summary is logged. */
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
  const known = notFound.get(key);
  const all = new Set([...names, ...call.names]);
  // Many names can hide the intended one.
  const isHidden = call.names.length >= NAMES_MAX || all.size > LOOKED_FOR_MOST;
  if (known) known.times += times;
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
    accountId: actor.id,
    username: actor.username,
    subject: `Refused ${times === 1 ? 'once' : `${times} times`}: outside its authority`,
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
