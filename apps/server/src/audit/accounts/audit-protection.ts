import {
  BREAK_LENGTHS,
  EXCLUSION_LENGTHS,
  LIMIT_NAMES,
  limitInForce,
  protectionAfter,
  UNPROTECTED,
  invalidChangeReason,
  type LimitStep,
  type LimitValue,
  type Pause,
  type Protection,
  type ProtectionChange,
  type ProtectionLimitName,
  type ProtectionSide,
} from '@drawhouse/rules/records/limits-in-force';
import { checkWith, Findings, loggedId, problemsOf, type Check } from '../audit-check.ts';
import { WALLETS } from '../audited-kinds.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';

export async function auditProtection(db: Queryable): Promise<Check[]> {
  const found = new Findings();
  let rows = 0;
  for await (const player of readHistories(db)) {
    rows += player.history.length;
    found.addAll(judgeHistory(player));
  }
  found.addAll(await problemsOf(db, wrongStandings(await readTimeZone(db))));
  return [
    { name: 'every protection of a player follows from its history', rows, problems: found.problems },
    await logged(db),
  ];
}

export async function readTimeZone(db: Queryable): Promise<string> {
  const [zone] = await db.query<{ value: string }>(sql`select value from pinned_settings where name = 'time-zone'`);
  return zone?.value ?? 'UTC';
}

export interface ProtectedPlayer {
  readonly networkId: number;
  readonly id: string;
  readonly history: readonly ProtectionChange[];
}

interface HistoryOfPlayer extends ProtectedPlayer {
  readonly numbers: readonly number[];
  readonly stored: StoredRow | undefined;
}

type StoredRow = { network_id: number; account_id: string; changes: number } & Record<string, unknown>;

interface ChangeRow {
  network_id: number;
  account_id: string;
  nth: number;
  at: Date;
  holds_from: Date;
  until: Date | null;
  before: bigint | null;
  after: bigint | null;
  what: ProtectionLimitName | Pause['what'];
  side: ProtectionSide;
  step: LimitStep;
}

const PLAYERS = 500;
const NIL = '00000000-0000-0000-0000-000000000000';

export async function* readHistories(db: Queryable): AsyncGenerator<HistoryOfPlayer> {
  for (let after: [number, string] = [0, NIL]; ;) {
    const players = await db.query<{ network_id: number; account_id: string }>(
      sql`select distinct network_id, account_id from protection_changes
        where (network_id, account_id) > (${after[0]}::int, ${after[1]}::uuid)
       order by network_id, account_id limit ${PLAYERS}`,
    );
    const [networks, accounts] = [players.map((row) => row.network_id), players.map((row) => row.account_id)];
    const ofPlayers = sql`join unnest(${networks}::int[], ${accounts}::uuid[])
      as p (network_id, account_id) using (network_id, account_id)`;
    const changes = await db.query<ChangeRow>(
      sql`select network_id, account_id, nth, at, holds_from, until, before, after, what, side, step
        from protection_changes ${ofPlayers} order by network_id, account_id, nth`,
    );
    const stored = await db.query<StoredRow>(sql`select * from protections ${ofPlayers}`);
    for (const { network_id, account_id } of players) {
      const isOwn = (row: { network_id: number; account_id: string }): boolean =>
        row.network_id === network_id && row.account_id === account_id;
      const own = changes.filter(isOwn);
      yield {
        networkId: network_id,
        id: account_id,
        history: own.map(toChange),
        numbers: own.map(({ nth }) => nth),
        stored: stored.find(isOwn),
      };
    }
    const last = players.at(-1);
    if (!last || players.length < PLAYERS) return;
    after = [last.network_id, last.account_id];
  }
}

function toChange({ at, holds_from, until, before, after, what, side, step }: ChangeRow): ProtectionChange {
  return what === 'break' || what === 'exclusion'
    ? { what, side, step: step === 'withdrawn' ? step : 'set', at, until: until! }
    : { what, side, step, at, from: holds_from, before, after };
}

function judgeHistory({ networkId, id, history, numbers, stored }: HistoryOfPlayer): string[] {
  const player = `player ${id} of network ${networkId}`;
  const problems: string[] = [];
  let current = UNPROTECTED;
  for (const [index, change] of history.entries()) {
    const row = `row ${numbers[index]} of the protection of ${player}`;
    if (numbers[index] !== index + 1) problems.push(`${row} comes after ${index} rows: some are missing`);
    const why = isKnown(change.what)
      ? invalidChangeReason(current, change)
      : `is of ${change.what}, which is not a limit`;
    if (why !== null) problems.push(`${row} ${why}`);
    if (isKnown(change.what)) current = protectionAfter(current, change);
  }
  return [...problems, ...wrongStanding(player, current, history.length, stored)];
}

function isKnown(what: string): boolean {
  return what === 'break' || what === 'exclusion' || (LIMIT_NAMES as readonly string[]).includes(what);
}

function wrongStanding(player: string, expected: Protection, changes: number, stored: StoredRow | undefined): string[] {
  if (!stored) return [`${player} has a protection history, but no protection`];
  const right: [string, LimitValue | Date | number, unknown][] = [
    ...LIMIT_NAMES.map((name): [string, LimitValue, unknown] => [
      name,
      limitInForce(expected.limits[name]),
      stored[columnOf(name)],
    ]),
    ['breakUntil', expected.breakUntil, stored['break_until']],
    ['excludedUntil', expected.excludedUntil, stored['excluded_until']],
    ['changes', changes, stored.changes],
  ];
  return right.flatMap(([name, follows, actual]) =>
    wordOf(follows) === wordOf(actual)
      ? []
      : [`${player} has ${name} ${wordOf(actual)}; its protection history says ${wordOf(follows)}`],
  );
}

function columnOf(name: ProtectionLimitName): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const wordOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));

/**
 * Pauses may end some hours off, because time zone rules may have changed. A wrong change counter makes bets follow
 * outdated limits.
 */
const wrongStandings = (timeZone: string): Sql => sql`
  select format('row %s of the protection of player %s of network %s is of %s and does not end after that', nth, account_id,
    network_id, length) as problem
  from protection_changes where until is not null and step = 'set' and case
    when length <> all(case what when 'break' then ${[...BREAK_LENGTHS]}::text[] else ${[...EXCLUSION_LENGTHS]}::text[] end) then true
    else abs(extract(epoch from until - (at at time zone ${timeZone} + length::interval) at time zone ${timeZone})) > 3 * 3600 end
  union all
  select format('player %s of network %s is protected, and no history says why', account_id, network_id) from protections p
  where not exists (select from protection_changes c where c.network_id = p.network_id and c.account_id = p.account_id)
  union all
  select format('the credit of player %s of network %s says %s changes of its protection; there were %s', w.owner_id,
    w.network_id, w.protection, coalesce(p.changes, 0))
  from wallets w left join protections p on p.network_id = w.network_id and p.account_id = w.owner_id
    and w.kind = ${WALLETS.credit}
  where w.protection <> coalesce(p.changes, 0)`;

/** Exempts changes kept by a restore, because the log predates them. */
function logged(db: Queryable): Promise<Check> {
  const fields = ['what', 'side', 'step', 'length', 'before', 'after'];
  return checkWith(db)(
    "every change of a player's protection is logged",
    'protection_changes',
    sql`logged as materialized (
       select network_id as log, seq, account_id as by_account, ${loggedId('accountId')} as account_id, ${loggedId('protection')} as id,
              array[${sql.raw(fields.map((name) => `detail ->> '${name}'`).join(', '))}] as told
       from audited.standing_activity where detail ? 'protection'
     ), compared as (
       select c.network_id, c.account_id, c.nth, c.is_kept, l.log, l.seq, c.id is null as is_gone, l.id as told_id, l.account_id as told_of,
              (l.by_account, l.account_id, l.told) is not distinct
                from (c.by_account, c.account_id, array[${sql.raw(fields.map((name) => `c.${name}::text`).join(', '))}]) as is_same
       from protection_changes c full join logged l on l.id = c.id
     ), wrong as (
       select case
         when log is null then format('row %s of the protection of player %s of network %s is in no log', nth, account_id, network_id)
         when is_gone then format('change %s of the protection of player %s, named in row %s of the log of network %s, is gone',
           told_id, told_of, seq, log)
         else format('row %s of the protection of player %s of network %s is not what row %s of the log of network %s tells', nth,
           account_id, network_id, seq, log)
       end as problem
       from compared where case when log is null then not is_kept else is_gone or not is_same end
     )`,
  );
}
