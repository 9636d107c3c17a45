import type {
  checkImport as checkRoute,
  importAccounts as importRoute,
} from '@drawhouse/contract/accounts/bulk-accounts';
import type { Account } from '@drawhouse/contract/accounts/accounts';
import { roleAbove } from '@drawhouse/contract/core/primitives';
import type { RouteParsed, RouteResult } from '@drawhouse/contract/core/route';
import { once } from '../../activity/idempotency.ts';
import { runCommand, type LoggedPart } from '../../activity/run-command.ts';
import type { Tx } from '../../platform/db/database.ts';
import { inSubtree } from '../../platform/db/visibility-predicate.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Call, GuardedAct } from '../../platform/http/handler.ts';
import type { Directory, Services } from '../../platform/services.ts';
import { requireOpenBooks } from '../../activity/network-work/closed-books.ts';
import { findAccounts } from '../accounts.sql.ts';
import { effectivelyActive, type Actor } from '../authority.ts';
import { checkCommissions, endGrants, grantsCommissions, lockCommissions } from '../commission-rules.ts';
import type { AccountHooks } from './account-actions.ts';
import { creationLog, guardedGrants } from './create-account.ts';
import { firstPassword, insertAccounts, requireParent, type InsertedAccount, type Parent } from './insert-account.ts';
import { refusedNames } from './misleading-names.ts';
import { beginProgress, readImportRows, type ReadRow, type RowProblem } from './import-rows.ts';
import { ACCOUNT_TEXTS } from '../accounts-texts.ts';

type Order = RouteParsed<typeof importRoute>['body'];
type Hooks = Pick<AccountHooks, 'hashGoodPassword' | 'requireGoodPassword'>;

/** Rolls the import back and carries the findings. */
class Undone extends Error {
  readonly problems: readonly RowProblem[];

  constructor(problems: readonly RowProblem[]) {
    super('The import was only checked, or has wrong rows.');
    this.problems = problems;
  }
}

/**
 * All accounts or none, once per Idempotency-Key. Hashes passwords before the transaction. Errors name row and field.
 */
export async function importAccounts(
  services: Services,
  call: Call<Actor>,
  order: Order,
  hooks: Hooks,
): Promise<RouteResult<typeof importRoute>> {
  const { read, problems } = readImportRows(order.role, order.rows, false);
  const progress = beginProgress(call, read.length);
  try {
    problems.push(...(await passwordProblems(read, problems, hooks, () => progress.advance('check'))));
    if (problems.length > 0) throw wrongRows(problems);
    const hashes = await hashAll(read, call.actor.id, hooks, () => progress.advance('hash'));
    progress.begin('write');
    const accounts = await createAll(services, call, order, { read, hashes, wrong: new Set(), check: false });
    return { message: `${accounts.length} account${accounts.length === 1 ? '' : 's'} created.`, accounts };
  } catch (error) {
    if (error instanceof Undone) throw wrongRows(error.problems);
    throw error;
  } finally {
    progress.end();
  }
}

export async function checkImport(
  services: Services,
  call: Call<Actor>,
  order: Order,
  hooks: Hooks,
): Promise<RouteResult<typeof checkRoute>> {
  const { read, problems } = readImportRows(order.role, order.rows, true);
  problems.push(...(await passwordProblems(read, problems, hooks)));
  const wrong = new Set(problems.map(({ row }) => row));
  try {
    await createAll(services, call, order, { read, hashes: read.map(() => ''), wrong, check: true });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
    problems.push(...error.problems);
  }
  problems.sort((one, other) => one.row - other.row);
  return { message: problems.length === 0 ? ACCOUNT_TEXTS.rowsRight : ACCOUNT_TEXTS.rowsWrong, problems };
}

function wrongRows(problems: readonly RowProblem[]): CallError {
  const fields = problems.map(({ row, field, message }) => [`rows.${row}.${field}`, message]);
  return new CallError('INVALID_INPUT', {
    message: ACCOUNT_TEXTS.importRefused,
    fields: Object.fromEntries(fields) as Record<string, string>,
  });
}

/** Yields between rows, because judging a password takes milliseconds. */
async function passwordProblems(
  read: readonly ReadRow[],
  found: readonly RowProblem[],
  { requireGoodPassword }: Hooks,
  advance: () => void = () => {},
): Promise<RowProblem[]> {
  const problems: RowProblem[] = [];
  const wrong = new Set(found.filter(({ field }) => field === 'password').map(({ row }) => row));
  for (const [row, { username, password }] of read.entries()) {
    advance();
    if (password === '' || wrong.has(row)) continue;
    await new Promise<void>((next) => void setImmediate(next));
    problems.push(...(await problemsIn(row, () => requireGoodPassword(password, { username }))));
  }
  return problems;
}

const HASHED_AT_ONCE = 2;

async function hashAll(
  read: readonly ReadRow[],
  actorId: string,
  { hashGoodPassword }: Hooks,
  advance: () => void,
): Promise<string[]> {
  const hashes: string[] = [];
  const rows = read.entries();
  const hashRest = async () => {
    for (const [row, { password }] of rows) {
      hashes[row] = await hashGoodPassword(password, actorId);
      advance();
    }
  };
  await Promise.all(Array.from({ length: HASHED_AT_ONCE }, hashRest));
  return hashes;
}

interface Rows {
  readonly read: readonly ReadRow[];
  readonly hashes: readonly string[];
  readonly wrong: ReadonlySet<number>;
  readonly check: boolean;
}

async function createAll(
  services: Services,
  call: Call<Actor>,
  { role, refId, rows }: Order,
  { read, hashes, wrong, check }: Rows,
): Promise<RouteResult<typeof importRoute>['accounts']> {
  const { actor } = call;
  const request = ['import', role, refId ?? null, rows.map(({ password: _, ...row }) => row)];
  return runCommand(services, call, async (tx, at) => {
    const more: LoggedPart[] = [];
    const guarded: GuardedAct[] = [];
    const { answer } = await once(tx, call, at, request, async () => {
      // The actor may have been deactivated during password hashing.
      if (!(await effectivelyActive(tx, [actor.id])).has(actor.id)) throw new CallError('SESSION_ENDED');
      const { placed, problems } = await placeRows(tx, actor, role, { read, refId });
      const orders = placed
        .filter(({ row }) => !wrong.has(row))
        .map(({ row, parent, account }): NewRow => {
          const id = services.newId();
          const passwordHash = hashes[row]!;
          const isCommissionGranted = grantsCommissions(actor.role);
          const chain = [...parent.chain, id];
          return {
            ...account,
            row,
            parent,
            id,
            parentId: parent.id,
            chain,
            passwordHash,
            isCommissionGranted,
            ...firstPassword(actor, role, at),
            at,
          };
        });
      const networks = [...Map.groupBy(orders, ({ parent }) => parent.network_id)].sort(
        ([one], [other]) => one - other,
      );
      const directory = check ? lookOnly(services) : services.directory;
      for (const [networkId, its] of networks)
        problems.push(...(await insertRows(tx, actor, { networkId, rows: its, directory })));
      for (const [networkId, its] of networks)
        guarded.push(...guardedGrants(actor, { networkId, commissions: its.map(({ commission }) => commission) }));
      if (check || problems.length > 0) throw new Undone(problems);
      const created = await findAccounts(
        tx,
        actor,
        at,
        orders.map(({ id }) => id),
      );
      const accounts = orders.map(({ id }) => created.get(id)!);
      more.push(...orders.map((order, nth) => creationLog(order, order.parent, accounts[nth]!)));
      return { accounts: accounts.map(shown) };
    });
    return { result: answer.accounts, subject: null, more, guarded };
  });
}

type AccountRow = Omit<ReadRow, 'password' | 'reference'>;

interface PlacedRow {
  readonly row: number;
  readonly account: AccountRow;
  readonly parent: Parent;
}

async function placeRows(
  tx: Tx,
  actor: Actor,
  role: Order['role'],
  { read, refId }: { readonly read: readonly ReadRow[]; readonly refId: string | undefined },
): Promise<{ readonly placed: PlacedRow[]; readonly problems: RowProblem[] }> {
  const parents = await findParents(tx, actor, role, { read, refId });
  const found = new Map<string | undefined, Promise<Parent>>();
  const placed: PlacedRow[] = [];
  const problems: RowProblem[] = [];
  for (const [row, { password: _, reference, ...account }] of read.entries()) {
    const id = reference === '' ? refId : parents.get(reference.toLowerCase());
    if (reference !== '' && id === undefined) {
      problems.push({ row, field: 'reference', message: ACCOUNT_TEXTS.noParent(roleAbove(role), reference) });
      continue;
    }
    if (!found.has(id)) found.set(id, requireParent(tx, actor, role, id));
    const refusals = await problemsIn(row, async () => {
      placed.push({ row, account, parent: await found.get(id)! });
    });
    problems.push(...refusals);
  }
  return { placed, problems };
}

interface NewRow extends InsertedAccount {
  readonly row: number;
  readonly parent: Parent;
}

interface InsertOrder {
  readonly networkId: number;
  readonly rows: readonly NewRow[];
  readonly directory: Pick<Directory, 'reserve'> | undefined;
}

/** A check that is rolled back reserves nothing. */
function lookOnly({ directory }: Pick<Services, 'directory'>): InsertOrder['directory'] {
  return directory && { reserve: (_network, values) => directory.couldReserve(values) };
}

async function insertRows(
  tx: Tx,
  actor: Actor,
  { networkId, rows, directory }: InsertOrder,
): Promise<readonly RowProblem[]> {
  await requireOpenBooks(tx, networkId);
  const refused = await refusedNames(tx, rows, rows[0]!.parent);
  const problems = rows.flatMap(({ row }, nth) => refusalProblems(row, refused[nth]));
  const named = rows.filter((_, nth) => !refused[nth]);
  const taken = await insertAccounts(tx, networkId, named, directory);
  const inserted = named.filter(({ id }) => !taken.has(id));
  for (const { id, row } of named)
    if (taken.has(id)) problems.push({ row, field: 'username', message: ACCOUNT_TEXTS.nameTaken });
  await endGrants(
    tx,
    inserted.map(({ id }) => id),
  );
  for (const lookalikes of Map.groupBy(inserted, ({ parentId, commission }) => `${parentId} ${commission}`).values())
    for (const { id, row } of lookalikes) {
      const wrong = await problemsIn(row, () => checkCommissions(tx, actor, { id, networkId }, 'commission'));
      problems.push(...wrong);
      if (wrong.length === 0) break;
    }
  return problems;
}

function shown({ _id, username, uniqueId, refId }: Account) {
  return { _id, username, uniqueId, reference: refId?.username ?? null };
}

/** Keyed by lower-case name. Locks the networks' commissions in one order, so imports never deadlock. */
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

async function problemsIn(row: number, act: () => Promise<unknown>): Promise<RowProblem[]> {
  try {
    await act();
    return [];
  } catch (error) {
    if (!(error instanceof CallError) || !error.fields) throw error;
    return refusalProblems(row, error);
  }
}

function refusalProblems(row: number, refusal: CallError | undefined): RowProblem[] {
  return Object.entries(refusal?.fields ?? {}).map(([field, message]) => ({
    row,
    field: field === 'refId' ? 'reference' : (field as RowProblem['field']),
    message,
  }));
}
