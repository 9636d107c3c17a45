import { createBody } from '@drawhouse/contract/accounts/accounts';
import type {
  ImportedRole,
  ImportField,
  ImportRow,
  importProgress as progressRoute,
} from '@drawhouse/contract/accounts/bulk-accounts';
import type { RouteResult } from '@drawhouse/contract/core/route';
import type { NewAccount } from './insert-account.ts';
import { ACCOUNT_TEXTS } from '../accounts-texts.ts';
import type { Call } from '../../platform/http/handler.ts';
import type { Actor } from '../authority.ts';

export interface RowProblem {
  readonly row: number;
  readonly field: ImportField;
  readonly message: string;
}

export interface ReadRow extends Omit<NewAccount, 'passwordHash'> {
  readonly password: string;
  /** Username of the parent. Empty: default. */
  readonly reference: string;
}

const COMMISSION = /^(\d+(?:[.,]\d+)?)\s*%?$/;
/** Placeholder that passes the rules while a row lacks its password. */
const LATER = 'later: 7 random words';
const STATUSES: ReadonlyMap<string, boolean> = new Map([
  ['', true],
  ['active', true],
  ['deactive', false],
  ['inactive', false],
]);

/** Returns the rows and every problem, including duplicate names. */
export function readImportRows(
  role: ImportedRole,
  rows: readonly ImportRow[],
  lacksPasswords: boolean,
): { readonly read: ReadRow[]; readonly problems: RowProblem[] } {
  const problems: RowProblem[] = [];
  const firstWith = new Map<string, number>();
  const read = rows.map((texts, row) => {
    const one = readRow(role, texts, lacksPasswords, (field, message) => problems.push({ row, field, message }));
    const name = one.username.toLowerCase();
    const first = firstWith.get(name);
    if (first === undefined) firstWith.set(name, row);
    else if (name !== '') problems.push({ row, field: 'username', message: ACCOUNT_TEXTS.nameTwice });
    return one;
  });
  return { read, problems };
}

function readRow(
  role: ImportedRole,
  { username = '', password = '', commission = '', note = '', reference = '', status = '' }: ImportRow,
  lacksPasswords: boolean,
  wrong: (field: ImportField, message: string) => void,
): ReadRow {
  const share = commission.trim() === '' ? '0' : COMMISSION.exec(commission.trim())?.[1]?.replace(',', '.');
  if (share === undefined) wrong('commission', ACCOUNT_TEXTS.wrongCommission);
  const active = STATUSES.get(status.trim().toLowerCase());
  if (active === undefined) wrong('status', ACCOUNT_TEXTS.wrongStatus);
  const typed = {
    username,
    password: password === '' && lacksPasswords ? LATER : password,
    commission: Number(share ?? 0),
    note: note.trim() === '' ? 'add notes' : note,
  };
  const parsed = createBody(role).safeParse(typed);
  const reported = new Set<string>();
  for (const { path, message } of parsed.error?.issues ?? []) {
    const field = String(path[0]) as ImportField;
    if (!reported.has(field)) wrong(field, message);
    reported.add(field);
  }
  return {
    role,
    username: parsed.data?.username ?? username.trim(),
    password,
    commission: typed.commission,
    note: parsed.data?.note ?? typed.note,
    active: active ?? true,
    reference: reference.trim(),
  };
}

type Progress = NonNullable<RouteResult<typeof progressRoute>['progress']>;
type Step = Progress['step'];

/** Imports of this process alone, by actor and Idempotency-Key. */
const running = new Map<string, Progress>();

interface ImportProgress {
  begin(step: Step): void;
  advance(step: Step): void;
  end(): void;
}

export function beginProgress({ actor, idempotencyKey }: Call<Actor>, total: number): ImportProgress {
  const name = nameOf(actor, idempotencyKey ?? '');
  let current: Progress = { step: 'check', done: 0, total };
  const show = (step: Step, done: number): void => void running.set(name, (current = { step, done, total }));
  show('check', 0);
  return {
    begin: (step) => show(step, 0),
    advance: (step) => show(step, step === current.step ? current.done + 1 : 1),
    end: () => void (running.get(name) === current && running.delete(name)),
  };
}

export function readProgress(actor: Actor, key: string): RouteResult<typeof progressRoute> {
  return { progress: running.get(nameOf(actor, key)) ?? null };
}

function nameOf({ id }: Actor, key: string): string {
  return `${id} ${key}`;
}
