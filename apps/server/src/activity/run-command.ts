import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Change } from '@drawhouse/contract/activity/activity';
import type { Tx } from '../platform/db/database.ts';
import type { Timeouts } from '../platform/db/connection/timeouts.ts';
import type { Services } from '../platform/services.ts';
import type { Call, Caller, DoneAct, GuardedAct } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { requireOpenBooks } from './network-work/closed-books.ts';
import { isFenced } from './network-work/fences.ts';
import { shareNetworkLock } from './network-work/network-work.ts';
import { explainDetail } from './explain-detail.ts';
import { ACTIVITY_TEXTS } from './activity-texts.ts';
import { appendActivity, type Author } from './append-activity.ts';

export interface CommandActor extends Caller {
  readonly id: string;
  readonly networkId: number;
  readonly username: string;
  /** 0: the owner of the account. */
  readonly login: number;
  /** `anita1111`, or `anita1111 / Meera` for a further login. */
  readonly personName: string;
}

export function authorOf({ id, login, personName }: Pick<CommandActor, 'id' | 'login' | 'personName'>): Author {
  return { accountId: id, login, username: personName };
}

export interface Done<T> {
  readonly result: T;
  /** For people: `Created retailer anita`. Null if nothing changed. */
  readonly subject: string | null;
  /** For audit and programs: ids and values. */
  readonly detail?: Record<string, unknown>;
  /** For people, with names. Never passwords, hashes or tokens. */
  readonly changes?: readonly Change[] | undefined;
  readonly more?: readonly LoggedPart[];
  readonly guarded?: readonly GuardedAct[] | undefined;
}

export interface LoggedPart {
  readonly subject: string;
  readonly detail?: Record<string, unknown>;
  readonly changes?: readonly Change[] | undefined;
}

export type CommandCall = Pick<Call<CommandActor>, 'actor' | 'origin'> & Partial<Pick<Call, 'guard'>>;

/**
 * Logs the command in its transaction, so nothing happens unlogged. `at` is the command's start; bets and saved results
 * take their own time under their lock. Throws SESSION_ENDED if the caller's network was replaced, NETWORK_RESTORING
 * during a restore. `patience` is for commands on all tickets of a draw.
 */
export function runCommand<T>(
  services: Services,
  call: CommandCall,
  act: (tx: Tx, at: Date) => Promise<Done<T>>,
  patience?: Timeouts,
): Promise<T> {
  const { networkId } = call.actor;
  return runCommandDuringRestore(
    services,
    call,
    async (tx, at) => {
      await requireOpenBooks(tx, networkId);
      return act(tx, at);
    },
    patience,
  );
}

/** Runs commands that a restore never undoes and that protect people: sign-out, new password, break. */
export function runCommandDuringRestore<T>(
  services: Services,
  call: CommandCall,
  act: (tx: Tx, at: Date) => Promise<Done<T>>,
  patience?: Timeouts,
): Promise<T> {
  return services.db.transaction(async (tx) => {
    if (!(await shareNetworkLock(tx, call.actor.networkId))) throw await absenceOf(tx, call.actor.networkId);
    const at = services.clock.now();
    const { result, subject, detail, changes, more = [], guarded = [] } = await act(tx, at);
    const done = subject === null ? more : [{ subject, detail, changes }, ...more];
    const parts = guarded.length > 0 ? await judgeParts(tx, call, guarded, done) : done;
    if (parts.length > 0) {
      const by = { ...authorOf(call.actor), origin: call.origin };
      await appendActivity(
        tx,
        call.actor.networkId,
        services,
        parts.map((part) => ({ ...by, ...part })),
      );
    }
    return result;
  }, patience);
}

async function absenceOf(tx: Tx, networkId: number): Promise<CallError> {
  return (await isFenced(tx, networkId))
    ? new CallError('NOT_READY', { message: ACTIVITY_TEXTS.moving })
    : new CallError('SESSION_ENDED');
}

/** Adds the root's rules for a superadmin. */
export function underRules(actor: Pick<CommandActor, 'networkId'>, act: GuardedAct): GuardedAct[] {
  const isBySuperadmin = actor.networkId === ROOT_NETWORK && act.networkId !== ROOT_NETWORK;
  return [...(isBySuperadmin ? [{ ...act, networkId: ROOT_NETWORK, ruledBy: [ROOT_NETWORK] }] : []), act];
}

/** Adds the guard's detail to the first log row. */
async function judgeParts(
  tx: Tx,
  { guard }: CommandCall,
  guarded: readonly GuardedAct[],
  parts: readonly LoggedPart[],
): Promise<readonly LoggedPart[]> {
  const [first, ...rest] = parts;
  if (!first || !guard) return parts;
  const changes = parts.flatMap((part) => part.changes ?? explainDetail(part.detail ?? null));
  const acts = guarded.map((act) => ({ subject: first.subject, detail: first.detail, ...act, changes }));
  const judged = await guard.judge(tx, acts);
  return [
    {
      ...first,
      detail: { ...first.detail, ...judged.detail },
      changes: [...(first.changes ?? []), ...judged.changes],
    },
    ...rest,
  ];
}

/** Call before work of several transactions begins. */
export async function judgeWork(
  { db }: Pick<Services, 'db'>,
  { guard }: Partial<Pick<Call, 'guard'>>,
  act: Omit<DoneAct, 'detail'>,
): Promise<void> {
  if (guard && guard.approval === undefined)
    await db.transaction((tx) => guard.judge(tx, [{ ...act, detail: undefined }]));
}

/**
 * Call under the network's work lock: a running request without the lock was interrupted, and waits again. The work
 * calls `guard.finish` in the transaction that completes it.
 */
export async function beginWork({ db }: Pick<Services, 'db'>, { guard }: Partial<Pick<Call, 'guard'>>): Promise<void> {
  if (guard?.approval !== undefined) await db.transaction((tx) => guard.begin(tx));
}
