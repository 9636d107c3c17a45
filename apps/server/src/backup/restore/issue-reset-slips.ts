import { randomInt } from 'node:crypto';
import { setStagedPasswords, withoutPassword, type NamedAccount } from '../../accounts/move/staged-accounts.ts';
import { appendActivity, SYSTEM } from '../../activity/append-activity.ts';
import { hashRandomPassword } from '../../auth/passwords/password.ts';
import { COMMAND_TIMEOUTS } from '../../platform/db/connection/timeouts.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { NOWHERE } from '../../platform/http/handler.ts';
import type { Services } from '../../platform/services.ts';
import type { Exchange } from './reconcile-with-root.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { BACKUP_TEXTS, BACKUP_SUBJECTS } from '../backup-texts.ts';

/** Temporary password for an account whose hash the backup lacks. Never stored in plain text. */
export interface ResetSlip {
  readonly username: string;
  readonly password: string;
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const GROUPS = 4;
const GROUP_CHARS = 4;

function temporaryPassword(): string {
  const group = (): string => Array.from({ length: GROUP_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/**
 * For a week these accounts cannot confirm as second person. Throws RULE_REFUSED if slips are needed without
 * `isOperator`.
 */
export async function issueResetSlips(
  services: Services,
  exchange: Exchange,
  { isOperator }: { readonly isOperator: boolean },
): Promise<(ResetSlip & { readonly id: string })[]> {
  if (!exchange.isWithoutSecrets) return [];
  return services.db.transaction(async (tx) => {
    const accounts: readonly NamedAccount[] = await withoutPassword(tx, exchange);
    if (accounts.length === 0) return [];
    if (!isOperator) throw needsSlips(accounts.length);
    const slips = accounts.map(({ id, username }) => ({ id, username, password: temporaryPassword() }));
    const given = await Promise.all(
      slips.map(async ({ id, password }) => ({ id, hash: await hashRandomPassword(password) })),
    );
    await setStagedPasswords(tx, exchange, given, services.clock.now());
    await appendActivity(
      tx,
      exchange.staged,
      services,
      accounts.map(({ id, username, role }) => ({
        accountId: null,
        username: SYSTEM,
        subject: BACKUP_SUBJECTS.passwordGiven(role, username),
        origin: NOWHERE,
        detail: { accountId: id, password: 'from the shell' },
      })),
    );
    return slips;
  }, COMMAND_TIMEOUTS);
}

export async function withNames(
  { db }: Pick<Services, 'db'>,
  networkId: number,
  slips: readonly (ResetSlip & { readonly id: string })[],
): Promise<ResetSlip[]> {
  if (slips.length === 0) return [];
  const rows = await db.query<{ id: string; username: string }>(
    sql`select id, username from accounts where network_id = ${networkId}`,
  );
  const names = new Map(rows.map(({ id, username }) => [id, username]));
  return slips.map(({ id, username, password }) => ({ username: names.get(id) ?? username, password }));
}

export function slipLines(slips: readonly ResetSlip[]): string[] {
  if (slips.length === 0) return [];
  const width = Math.max(...slips.map(({ username }) => username.length));
  return [
    BACKUP_TEXTS.resetSlips(slips.length),
    ...slips.map(({ username, password }) => `  ${username.padEnd(width)}  ${password}`),
  ];
}

function needsSlips(count: number): CallError {
  return new CallError('RULE_REFUSED', {
    message: BACKUP_TEXTS.needsSlips(count),
  });
}
