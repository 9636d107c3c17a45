import type { Change } from '@drawhouse/contract/activity/activity';
import type { Tx } from '../db/database.ts';
import type { Patience } from '../db/patience.ts';
import type { Services } from '../services.ts';
import type { Call, Caller } from '../http/handler.ts';
import { CallError } from '../http/http-errors.ts';
import { requireOpenBooks } from '../network-work/closed-books.ts';
import { holdNetwork } from '../network-work/hold-network.ts';
import { appendActivity } from './append-activity.ts';

/** Whoever gives a command: an account of one network. */
export interface Author extends Caller {
  readonly id: string;
  readonly networkId: number;
  readonly username: string;
}

/** What a command did: the result for the caller, and how the log calls it. */
export interface Done<T> {
  readonly result: T;
  /** For people: `Created retailer anita`. Null where nothing was changed, as when a repeated request is answered again. */
  readonly subject: string | null;
  /** For the audit and for programs: ids and values. */
  readonly detail?: Record<string, unknown>;
  /** For people: what was before and what is now, in words, with the names of things. Never a password, a hash or a token. */
  readonly changes?: readonly Change[] | undefined;
  /** The rows of what else it did, where one command does many things that are each logged. */
  readonly more?: readonly LoggedPart[];
}

/** One of the things that a command did, as the log calls it. */
export interface LoggedPart {
  readonly subject: string;
  readonly detail?: Record<string, unknown>;
  readonly changes?: readonly Change[] | undefined;
}

/**
 * Runs one command: begin, act, log, commit. The log row is part of the same transaction, so nothing is done unlogged and
 * nothing logged undone. Its detail names the rows and fields that the transaction changed (`appendActivity`). `at` is when the command began: what is told of a
 * lock, such as when a bet was taken or a result saved, takes its own time once it holds that lock. Throws SESSION_ENDED where the network of the caller was
 * replaced meanwhile, and NETWORK_RESTORING while it is restored. `patience` is for commands on all tickets of a draw.
 */
export function runCommand<T>(
  services: Services,
  call: Pick<Call<Author>, 'actor' | 'origin'>,
  act: (tx: Tx, at: Date) => Promise<Done<T>>,
  patience?: Patience,
): Promise<T> {
  const { networkId } = call.actor;
  return runKeptCommand(
    services,
    call,
    async (tx, at) => {
      await requireOpenBooks(tx, networkId);
      return act(tx, at);
    },
    patience,
  );
}

/**
 * Runs a command that a restore undoes nothing of, also while the network of its caller is restored: whatever protects people, such as a sign-out, a new
 * password or a break, waits for nothing.
 */
export function runKeptCommand<T>(
  services: Services,
  call: Pick<Call<Author>, 'actor' | 'origin'>,
  act: (tx: Tx, at: Date) => Promise<Done<T>>,
  patience?: Patience,
): Promise<T> {
  return services.db.transaction(async (tx) => {
    if (!(await holdNetwork(tx, call.actor.networkId))) throw new CallError('SESSION_ENDED');
    const at = services.clock.now();
    const { result, subject, detail, changes, more = [] } = await act(tx, at);
    const parts = subject === null ? more : [{ subject, detail, changes }, ...more];
    if (parts.length > 0) {
      const { id, username, networkId } = call.actor;
      const by = { accountId: id, username, origin: call.origin };
      await appendActivity(
        tx,
        networkId,
        services,
        parts.map((part) => ({ ...by, ...part })),
      );
    }
    return result;
  }, patience);
}
