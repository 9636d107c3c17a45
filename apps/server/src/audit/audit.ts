import { auditAccounts, auditApiKeys } from './accounts/audit-accounts.ts';
import { auditActivity } from './accounts/audit-activity.ts';
import type { Database, Queryable } from '../platform/db/database.ts';
import { DatabaseUnavailable, isRefusal } from '../platform/db/connection/unavailable.ts';
import { auditAcrossCells } from './books/audit-across-cells.ts';
import { auditCovers, auditCredit } from './books/audit-credit.ts';
import { auditLimits, auditStandingOrders } from './books/audit-limits.ts';
import { auditDraws } from './draws/audit-draws.ts';
import { auditDays } from './books/audit-balances.ts';
import { auditLedger } from './books/audit-ledger.ts';
import { auditClearings } from './books/audit-clearings.ts';
import { auditCorrections } from './tickets/audit-corrections.ts';
import { auditClaims } from './tickets/audit-claims.ts';
import { auditDrawTickets, auditPrints, auditTickets } from './tickets/audit-tickets.ts';
import { auditMoves, auditRestores } from './books/audit-restores-and-moves.ts';
import { readLive, type Trial, type TrialReads } from './audited-rows.ts';
import { auditPayments } from './tickets/audit-payments.ts';
import { auditProtectedBets } from './accounts/audit-protected-bets.ts';
import { auditProtection } from './accounts/audit-protection.ts';
import { auditPieces } from './tickets/audit-pieces.ts';
import { auditRates } from './accounts/audit-rates.ts';
import { auditWeeks } from './books/audit-weeks.ts';
import { auditReturns } from './books/audit-returns.ts';
import { auditSettlements } from './tickets/audit-settlements.ts';
import { auditUndone } from './draws/audit-tombstones.ts';
import { type Check, checkWith } from './audit-check.ts';
import { ARRIVED_NETWORKS_SQL, CHANGED_ROWS, UNLOGGED_SQL } from '@drawhouse/rules/records/unlogged-changes';
import { sql } from '../platform/db/sql/sql.ts';

/** The log must name each row's last change. Sealing compared earlier ones (`readWritten`, `NamedChanges`). */
async function auditChanges(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'everything that people change was last changed with a log row',
    'changed',
    sql`${sql.raw(ARRIVED_NETWORKS_SQL)}, changed as materialized (${sql.raw([...CHANGED_ROWS.values()].join(' union all '))}), wrong as (
       select format('%s was changed without a log row', what) as problem from changed c
       where network_id is distinct from audited.trial(1) and ${sql.raw(UNLOGGED_SQL)}
       union all
       select format('%s (%s) was %s by transaction %s, without a log row', of_table, replace(key, E'\\t', ', '),
                     coalesce('changed in ' || array_to_string(fields, ', '), 'added or removed'), written_by)
       from pending_changes where written_by > (select min(written_by) from activity)
     )`,
  );
}

/** PostgreSQL hashes one image at a time, named by its SHA-256. */
async function auditImages(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'every picture matches its hash',
    'images',
    sql`named as (
       select logo as hash from games where logo is not null union select image from games where image is not null
         union select hash from game_images union select logo from house_settings where logo is not null
     ), wrong as (
       select format('the picture %s was changed: it does not match its hash', encode(hash, 'hex')) as problem
         from images where sha256(content) <> hash
       union all
       select format('the picture %s, which games or the house show, is gone', encode(hash, 'hex')) from named
         where not exists (select from images i where i.hash = named.hash)
     )`,
  );
}

export async function audit(...on: readonly Queryable[]): Promise<Check[]> {
  return auditParts(Object.keys(PARTS), on);
}

/**
 * Optionally treats a staged network as live. Long snapshots keep old row versions and slow down betting. So parts that
 * read each ticket run last, on their own snapshots; for a trial, only over the staged network, which never changes.
 */
export async function auditStagedNetwork(
  db: Pick<Database, 'snapshot' | 'snapshots'>,
  connections: number,
  trial?: Trial,
): Promise<Check[]> {
  const rest = Object.keys(PARTS).filter((name) => !EACH_TICKET.includes(name));
  const found = await db.snapshots(connections, (on) => auditParts(rest, on, { trial }));
  const waiting = EACH_TICKET.values();
  const some = async (): Promise<void> => {
    for (const name of waiting)
      found.push(...(await db.snapshot((on) => auditParts([name], [on], { trial, reads: 'staged' }))));
  };
  await Promise.all(Array.from({ length: connections }, some));
  return found;
}

interface Reading {
  readonly trial?: Trial | undefined;
  readonly reads?: TrialReads;
}

async function auditParts(
  names: readonly string[],
  on: readonly Queryable[],
  { trial, reads }: Reading = {},
): Promise<Check[]> {
  for (const one of on) {
    await one.query(SETTINGS);
    await readLive(one, trial, reads);
  }
  const db = shared(on);
  const ended = await Promise.allSettled(names.map((name) => PARTS[name]!(db)));
  await db.end();
  return ended.flatMap((part, index) =>
    part.status === 'fulfilled' ? part.value : [unended(names[index]!, part.reason)],
  );
}

const PARTS: Readonly<Record<string, (db: Queryable) => Promise<Check | Check[]>>> = {
  'the ledger': auditLedger,
  'the accounts': auditAccounts,
  'the changes': auditChanges,
  'the pictures': auditImages,
  'the credit': auditCredit,
  'the credit across cells': auditAcrossCells,
  'the covers': auditCovers,
  'the limits': auditLimits,
  'the protection of players': auditProtection,
  'the API keys': auditApiKeys,
  'the draws': auditDraws,
  'the tickets': auditTickets,
  'each ticket': auditDrawTickets,
  'the payments': auditPayments,
  'the bets of protected players': auditProtectedBets,
  'the corrections': auditCorrections,
  'the claims': auditClaims,
  'the prints': auditPrints,
  'the commission rates': auditRates,
  'the settlements': auditSettlements,
  'the settlements in pieces': auditPieces,
  'the returns': auditReturns,
  'the days': auditDays,
  'the activity log': auditActivity,
  'the clearings': auditClearings,
  'the restores': auditRestores,
  'what restores have undone': auditUndone,
  'the moves': auditMoves,
  'the weeks': auditWeeks,
  'the standing orders': auditStandingOrders,
};

const EACH_TICKET: readonly string[] = ['each ticket', 'the payments', 'the bets of protected players'];

/** Server-written data cannot crash a part, so a crash is a finding. */
function unended(part: string, error: unknown): Check {
  if (error instanceof DatabaseUnavailable) throw error;
  const why = error instanceof Error ? error.message : String(error);
  return {
    name: `${part} can be read`,
    rows: 0,
    problems: [`${part} can't be read: ${why}`],
  };
}

/** Keeps sorts in memory, and lets a connection idle while another works. */
const SETTINGS = sql`set local work_mem = '64MB'; set local idle_in_transaction_session_timeout = 0`;

interface Shared extends Queryable {
  /** Waits for statements that a failed part left running. */
  end(): Promise<void>;
}

function shared(on: readonly Queryable[]): Shared {
  const free = [...on];
  const waiting: ((one: Queryable) => void)[] = [];
  const running = new Set<Promise<unknown>>();
  let hasEnded = false;
  const giveBack = (one: Queryable): void => {
    const next = waiting.shift();
    if (next) next(one);
    else free.push(one);
  };
  async function alone<T>(one: Queryable, ask: () => Promise<T>): Promise<T> {
    await one.query(sql`savepoint audited`);
    try {
      const rows = await ask();
      await one.query(sql`release savepoint audited`);
      return rows;
    } catch (error) {
      if (isRefusal(error)) await one.query(sql`rollback to savepoint audited; release savepoint audited`);
      throw error;
    }
  }
  return {
    async query(text, values, name) {
      const one = free.pop() ?? (await new Promise<Queryable>((take) => waiting.push(take)));
      if (hasEnded) {
        giveBack(one);
        throw new Error('The audit has ended.');
      }
      const answer = alone(one, () => one.query<never>(text, values, name));
      running.add(answer);
      return answer.finally(() => {
        running.delete(answer);
        giveBack(one);
      });
    },
    async end() {
      hasEnded = true;
      await Promise.allSettled(running);
    },
  };
}
