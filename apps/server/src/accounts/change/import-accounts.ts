import type { importAccounts as importRoute } from '@drawhouse/contract/accounts/bulk-accounts';
import type { Account } from '@drawhouse/contract/accounts/accounts';
import { roleAbove } from '@drawhouse/contract/core/primitives';
import type { RouteParsed, RouteResult } from '@drawhouse/contract/core/route';
import { once } from '../../activity/idempotency.ts';
import { runCommand } from '../../activity/run-command.ts';
import type { LoggedPart } from '../../activity/run-command.ts';
import type { Tx } from '../../platform/db/database.ts';
import { inSubtree } from '../../platform/db/predicate.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Call } from '../../platform/http/handler.ts';
import type { Services } from '../../platform/services.ts';
import type { Actor } from '../authority.ts';
import { lockCommissions } from '../commission-rules.ts';
import type { AccountHooks } from './account-actions.ts';
import { addAccount } from './create-account.ts';
import { readImportRows } from './import-rows.ts';
import type { ReadRow, RowProblem } from './import-rows.ts';

type Order = RouteParsed<typeof importRoute>['body'];
type Hooks = Pick<AccountHooks, 'hashNewPassword' | 'requireGoodPassword' | 'assignGames'>;

/** Rolls the import back and carries what it found. */
class Undone extends Error {
  readonly problems: readonly RowProblem[];

  constructor(problems: readonly RowProblem[]) {
    super('The import was only checked, or has wrong rows.');
    this.problems = problems;
  }
}

/**
 * Creates all accounts or none, with a log row each, once per Idempotency-Key. Hashes the passwords before the
 * transaction, once the rows are right. A check runs the same transaction with an empty hash and rolls it back, so it finds every
 * rule's refusal. Errors name row and field.
 */
export async function importAccounts(
  services: Services,
  call: Call<Actor>,
  order: Order,
  hooks: Hooks,
): Promise<RouteResult<typeof importRoute>> {
  const { read, problems } = readImportRows(order.role, order.rows, order.check);
  problems.push(...(await passwordProblems(read, problems, hooks)));
  if (!order.check && problems.length > 0) throw wrongRows(problems);
  const wrong = new Set(problems.map(({ row }) => row));
  const hashes = order.check ? read.map(() => '') : await hashAll(read, call.actor.id, hooks);
  try {
    const accounts = await createAll(services, call, order, { read, hashes, wrong }, hooks);
    return {
      message: `${accounts.length} account${accounts.length === 1 ? '' : 's'} created.`,
      problems: [],
      accounts,
    };
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
    const all = [...problems, ...error.problems].toSorted((one, other) => one.row - other.row);
    if (!order.check) throw wrongRows(all);
    return { message: all.length === 0 ? 'All rows are right.' : 'Some rows are wrong.', problems: all, accounts: [] };
  }
}

function wrongRows(problems: readonly RowProblem[]): CallError {
  const fields = problems.map(({ row, field, message }) => [`rows.${row}.${field}`, message]);
  return new CallError('INVALID_INPUT', {
    message: 'Some rows are wrong. Nothing was created.',
    fields: Object.fromEntries(fields) as Record<string, string>,
  });
}

/** Lets other calls run between rows: judging a password takes milliseconds. */
async function passwordProblems(
  read: readonly ReadRow[],
  found: readonly RowProblem[],
  { requireGoodPassword }: Hooks,
): Promise<RowProblem[]> {
  const problems: RowProblem[] = [];
  const wrong = new Set(found.filter(({ field }) => field === 'password').map(({ row }) => row));
  for (const [row, { username, password }] of read.entries()) {
    if (password === '' || wrong.has(row)) continue;
    await new Promise<void>((next) => void setImmediate(next));
    problems.push(...(await problemsIn(row, () => Promise.resolve(requireGoodPassword(password, { username })))));
  }
  return problems;
}

async function hashAll(read: readonly ReadRow[], actorId: string, { hashNewPassword }: Hooks): Promise<string[]> {
  const hashes: string[] = [];
  for (const { username, password } of read) hashes.push(await hashNewPassword(password, { username }, actorId));
  return hashes;
}

interface Rows {
  readonly read: readonly ReadRow[];
  readonly hashes: readonly string[];
  /** Left out of the database. */
  readonly wrong: ReadonlySet<number>;
}

async function createAll(
  services: Services,
  call: Call<Actor>,
  { role, refId, check, rows }: Order,
  { read, hashes, wrong }: Rows,
  { assignGames }: Hooks,
): Promise<RouteResult<typeof importRoute>['accounts']> {
  const { actor } = call;
  const request = ['import', role, refId ?? null, rows.map(({ password: _, ...row }) => row)];
  return runCommand(services, call, async (tx, at) => {
    const more: LoggedPart[] = [];
    const { answer } = await once(tx, call, at, request, async () => {
      const parents = await findParents(tx, actor, role, { read, refId });
      const problems: RowProblem[] = [];
      const accounts: Account[] = [];
      for (const [row, { password: _, reference, ...account }] of read.entries()) {
        const parent = reference === '' ? refId : parents.get(reference.toLowerCase());
        if (reference !== '' && parent === undefined)
          problems.push({ row, field: 'reference', message: `There is no ${roleAbove(role)} ${reference} below you` });
        if (wrong.has(row) || (reference !== '' && parent === undefined)) continue;
        const order = { ...account, passwordHash: hashes[row]!, refId: parent, games: undefined };
        problems.push(
          ...(await problemsIn(row, async () => {
            await tx.query(sql`savepoint one_row`);
            const { created, logged } = await addAccount(services, tx, at, actor, order, assignGames);
            accounts.push(created);
            more.push(logged);
          })),
        );
        const failed = problems.at(-1)?.row === row;
        await tx.query(failed ? sql`rollback to savepoint one_row` : sql`release savepoint one_row`);
      }
      if (check || problems.length > 0) throw new Undone(problems);
      return { accounts: accounts.map(shown) };
    });
    return { result: answer.accounts, subject: null, more };
  });
}

function shown({ _id, username, uniqueId, refId }: Account) {
  return { _id, username, uniqueId, reference: refId?.username ?? null };
}

/** Parents by name in lower case. Locks the commissions of their networks in one order, so imports never deadlock. */
async function findParents(
  tx: Tx,
  actor: Actor,
  role: Order['role'],
  { read, refId }: { readonly read: readonly ReadRow[]; readonly refId: string | undefined },
): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(read.map(({ reference }) => reference.toLowerCase()))];
  const found = await tx.query<{ id: string; name: string; chain: string[] }>(
    sql`select a.id, lower(a.username) as name, a.chain from accounts a
      where (lower(a.username) = any(${names}::text[]) or a.id = ${refId ?? actor.id}) and a.role = ${roleAbove(role)!}
        and ${inSubtree('a', actor)}`,
  );
  const admins = new Map(found.map(({ chain }) => [chain[1]!, chain]));
  for (const [, chain] of [...admins].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    await lockCommissions(tx, chain);
  return new Map(found.map(({ name, id }) => [name, id]));
}

/** Problems of one row, by field. Rethrows what is not about the row. */
async function problemsIn(row: number, act: () => Promise<unknown>): Promise<RowProblem[]> {
  try {
    await act();
    return [];
  } catch (error) {
    if (!(error instanceof CallError) || !error.fields) throw error;
    return Object.entries(error.fields).map(([field, message]) => ({
      row,
      field: field === 'refId' ? 'reference' : (field as RowProblem['field']),
      message,
    }));
  }
}
