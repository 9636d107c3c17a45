import type { Cleared, Clearing, ClearingChoice, Counted } from '@drawhouse/contract/clearing/clearing';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Change } from '@drawhouse/contract/activity/activity';
import { dayOf } from '@drawhouse/rules/time/zone-days';
import { effectivelyActive, type Actor } from '../accounts/authority.ts';
import { appendActivity, changeOf } from '../activity/append-activity.ts';
import { authorOf, beginWork, judgeWork, runCommand, type LoggedPart } from '../activity/run-command.ts';
import { FILE_TIMEOUTS, COMMAND_TIMEOUTS } from '../platform/db/connection/timeouts.ts';
import type { Queryable, Tx } from '../platform/db/database.ts';
import type { Call } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { NetworkWork, Work } from '../activity/network-work/network-work.ts';
import type { Services } from '../platform/services.ts';
import { clearableDays, type ClearableDays, countLeft, countModel } from './clearable-records.ts';
import { clearModel } from './clear-model.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { withClient } from '../platform/db/connection/dedicated-connections.ts';
import { TABLE_OWNERS } from '../config/tables/table-owners.ts';
import {
  CLEARING_MODELS,
  rowsName,
  CLEARING_ORDER,
  type ClearingModel,
} from '@drawhouse/contract/clearing/clearing-texts';
import type { Logger } from 'pino';
import { CLEARING_ANSWERS, CLEARING_SUBJECTS } from './clearing-texts.ts';

export interface ClearingParts {
  readonly services: Services;
  readonly networkWork: NetworkWork;
  readonly retentionDays: number;
  /** Returns the folder name. An error cancels the clearing. */
  readonly backUp: (order: { readonly actor: Actor } & Work) => Promise<string>;
  readonly makeRoom: (models: readonly ClearingModel[]) => Promise<void>;
}

export async function countHistory(
  { services, retentionDays }: ClearingParts,
  { networkId }: Actor,
  choice: ClearingChoice,
): Promise<Counted> {
  return services.db.patient.snapshot(async (on) => {
    const { days, daysLeft } = await clearableDays(on, services, { ...choice, networkId, retentionDays });
    const models: Cleared[] = [];
    if (days)
      for (const model of chosenOf(choice)) models.push(await countModel(on, networkId, model, days, choice.models));
    return { days: days ? { first: days.first, last: days.last } : null, daysLeft, models };
  });
}

function chosenOf({ models }: ClearingChoice): ClearingModel[] {
  return CLEARING_ORDER.filter((model) => models.includes(model));
}

/** Betting continues. */
export async function clearHistory(parts: ClearingParts, call: Call<Actor>, choice: ClearingChoice): Promise<Clearing> {
  const { services, networkWork, retentionDays } = parts;
  const { id: adminId, username: by, networkId } = call.actor;
  const { days, daysLeft } = await clearableDays(services.db, services, { ...choice, networkId, retentionDays });
  if (!days)
    throw new CallError('RULE_REFUSED', { message: CLEARING_ANSWERS.nothing(daysLeft ?? CLEARING_ANSWERS.noSuchDay) });
  // A later refusal would replace the last clearing on the page.
  await requireFirstToday(services, call.actor);
  await judgeWork(services, call, {
    kind: 'clear',
    networkId: call.actor.networkId,
    subject: CLEARING_SUBJECTS.clear(days.first, days.last),
    changes: changeOf(
      'Cleared',
      null,
      chosenOf(choice)
        .map((model) => rowsName(model, 2))
        .join(', '),
    ),
  });
  return networkWork.run({ adminId, kind: 'clearing', by }, async (work) => {
    const clearing: Begun = { days, models: chosenOf(choice), backup: '', id: services.newId() };
    await requireFirstToday(services, call.actor);
    await beginWork(services, call);
    const expected = await expect(services, call.actor, clearing);
    const found = { days: { first: days.first, last: days.last }, daysLeft };
    if ([...expected.values()].every(({ rows }) => rows === 0)) {
      await endCutOff(services, call);
      return { ...found, models: [...expected.values()], backup: null };
    }
    work.progress('Backing up', 0, 1);
    const backup = await backUp(parts, call.actor, work);
    const begun = { ...clearing, backup };
    await begin(services, call, begun);
    await clearModels(services, call, begun, work, expected);
    const models = await finish(services, call, begun, expected);
    work.progress('Freeing space', 0, 1);
    await parts.makeRoom(begun.models);
    return { ...found, models, backup };
  });
}

interface Begun {
  readonly id: string;
  readonly days: ClearableDays;
  readonly models: readonly ClearingModel[];
  readonly backup: string;
}

/**
 * Each clearing adds a backup that stays 90 days, so throws RULE_REFUSED for a second one today. Interrupted ones may
 * continue. Reads the root's log, which restores leave alone.
 */
async function requireFirstToday({ db, clock, timeZone }: Services, { id }: Actor): Promise<void> {
  const today = dayOf(clock.now(), timeZone);
  const [done] = await db.query(
    sql`select from activity where network_id = ${ROOT_NETWORK} and account_id = ${id} and detail ? 'clearedBackup'
       and at >= day_start(${today}::date, ${timeZone}) and at < day_start(${today}::date + 1, ${timeZone}) limit 1`,
  );
  if (done)
    throw new CallError('RULE_REFUSED', {
      message: CLEARING_ANSWERS.onceADay,
    });
}

async function backUp({ backUp: take }: ClearingParts, actor: Actor, { signal, progress }: Work): Promise<string> {
  try {
    return await take({ actor, signal, progress: (_step, done, total) => progress('Backing up', done, total) });
  } catch (error) {
    signal.throwIfAborted();
    throw new CallError('RULE_REFUSED', {
      message: CLEARING_ANSWERS.backupFailed((error as Error).message),
    });
  }
}

type Expected = ReadonlyMap<ClearingModel, Cleared>;

async function expect({ db }: Services, { networkId }: Actor, { models, days }: Begun): Promise<Expected> {
  return db.patient.snapshot(async (on) => {
    const counted = new Map<ClearingModel, Cleared>();
    for (const model of models) counted.set(model, await countModel(on, networkId, model, days, models));
    return counted;
  });
}

/** The backup takes minutes; the admin may have been stopped meanwhile. */
async function requireActive(tx: Tx, adminId: string): Promise<void> {
  if (!(await effectivelyActive(tx, [adminId])).has(adminId)) throw new CallError('SESSION_ENDED');
}

/** Logs the clearing before it removes anything. First closes an interrupted one. */
async function begin(services: Services, call: Call<Actor>, begun: Begun): Promise<void> {
  const { networkId, id, username } = call.actor;
  const { days, models, backup } = begun;
  await runCommand(services, call, async (tx, at) => {
    await requireActive(tx, id);
    const cutOff = await closeCutOff(tx, networkId, at);
    await tx.query(
      sql`insert into clearings (network_id, id, model, started_at, starts_at, ends_at, account_id, username, backup)
       select ${networkId}, ${begun.id}, model, ${at}, ${days.from}, ${days.until}, ${id}, ${username}, ${backup}
         from unnest(${[...models]}::text[]) as model`,
    );
    return {
      result: undefined,
      subject: CLEARING_SUBJECTS.started(days.first, days.last),
      detail: { cleared: { clearing: begun.id, startDate: days.first, endDate: days.last, models, backup } },
      changes: [
        ...changeOf('Models', null, models.map((model) => CLEARING_MODELS[model].title).join(', ')),
        ...changeOf('Backup', null, backup),
      ],
      more: cutOff,
    };
  });
}

async function clearModels(
  services: Services,
  { actor, origin }: Call<Actor>,
  { id, models, days }: Begun,
  work: Work,
  expected: Expected,
): Promise<void> {
  const { networkId, id: adminId, username } = actor;
  const total = [...expected.values()].reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  for (const model of models) {
    const step = CLEARING_MODELS[model].title;
    work.progress(step, done, Math.max(total, done, 1));
    await clearModel(
      services.db,
      { networkId, clearingId: id, model, period: days },
      {
        signal: work.signal,
        mayGoOn: (tx) => requireActive(tx, adminId),
        cleared(rows) {
          done += rows;
          work.progress(step, done, Math.max(total, done, 1));
        },
        async notifyNames(tx) {
          const entry = { accountId: adminId, username, origin, subject: CLEARING_SUBJECTS.namesCleared };
          await appendActivity(tx, networkId, services, [entry]);
        },
      },
    );
  }
}

interface Removed {
  readonly id: string;
  readonly model: ClearingModel;
  readonly removed: bigint;
  readonly log_rows: bigint;
  readonly amount: bigint;
}

async function finish(
  services: Services,
  call: Call<Actor>,
  { id, days, models, backup }: Begun,
  expected: Expected,
): Promise<Clearing['models']> {
  const { networkId } = call.actor;
  return runCommand(
    services,
    call,
    async (tx, at) => {
      await call.guard?.finish(tx);
      const removed = await end(tx, networkId, [id], at);
      const record = logRecordOf(id, removed);
      const subject = CLEARING_SUBJECTS.cleared(days.first, days.last);
      await notifyRoot(services, tx, call, { subject, backup, changes: record.changes });
      const cleared: Cleared[] = [];
      for (const model of models) {
        const counted = removed.find((row) => row.model === model)!;
        cleared.push({
          model,
          rows: Number(counted.removed),
          bytes: bytesOf(expected.get(model)!, counted.removed),
          points: counted.amount === 0n ? null : pointsOf(counted.amount),
          left: await countLeft(tx, networkId, model, days),
        });
      }
      return { result: cleared, subject, ...record };
    },
    FILE_TIMEOUTS,
  );
}

/** The network's own log can be cleared or restored. */
async function notifyRoot(
  services: Services,
  tx: Tx,
  { actor, origin }: Call<Actor>,
  {
    subject,
    backup,
    changes,
  }: { readonly subject: string; readonly backup: string; readonly changes: readonly Change[] },
): Promise<void> {
  await appendActivity(tx, ROOT_NETWORK, services, [
    {
      ...authorOf(actor),
      origin,
      subject,
      detail: { clearedBackup: backup },
      changes: [...changes, ...changeOf('Backup', null, backup)],
    },
  ]);
}

function bytesOf({ rows, bytes }: Cleared, removed: bigint): number {
  return rows === 0 ? 0 : Math.round((bytes / rows) * Number(removed));
}

async function end(tx: Tx, networkId: number, ids: readonly string[], at: Date): Promise<Removed[]> {
  return tx.query<Removed & Record<string, unknown>>(
    sql`update clearings set finished_at = ${at} where network_id = ${networkId} and id = any(${[...ids]}::uuid[]) and finished_at is null
     returning id, model, removed, log_rows, amount`,
  );
}

async function endCutOff(services: Services, call: Call<Actor>): Promise<void> {
  await runCommand(services, call, async (tx, at) => {
    await call.guard?.finish(tx);
    return { result: undefined, subject: null, more: await closeCutOff(tx, call.actor.networkId, at) };
  });
}

async function closeCutOff(tx: Tx, networkId: number, at: Date): Promise<LoggedPart[]> {
  const open = await openClearings(tx, networkId);
  const removed = await end(tx, networkId, open, at);
  return [...Map.groupBy(removed, (row) => row.id)].map(([id, rows]) => ({
    subject: CLEARING_SUBJECTS.finished,
    ...logRecordOf(id, rows),
  }));
}

async function openClearings(on: Queryable, networkId: number): Promise<string[]> {
  const rows = await on.query<{ id: string }>(
    sql`select distinct id from clearings where network_id = ${networkId} and finished_at is null`,
  );
  return rows.map(({ id }) => id);
}

function logRecordOf(id: string, removed: readonly Removed[]): { detail: Record<string, unknown>; changes: Change[] } {
  return {
    detail: {
      cleared: {
        clearing: id,
        removed: Object.fromEntries(
          removed.map(({ model, removed: rows, log_rows, amount }) => [
            model,
            { rows: String(rows), logRows: String(log_rows), amount: String(amount) },
          ]),
        ),
      },
    },
    changes: removed.flatMap(({ model, removed: rows }) =>
      changeOf(CLEARING_MODELS[model].title, `${rows} ${rowsName(model, rows)}`, null),
    ),
  };
}

/** Autovacuum would wait for a fifth of a table. Files do not shrink. Does nothing unless connected as table owner. */
export async function makeRoom(
  connectionString: string,
  models: readonly ClearingModel[],
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  const tables = Object.entries(TABLE_OWNERS).flatMap(([table, { owner, clearing }]) =>
    owner === 'clearing' || (!('stays' in clearing) && models.some((model) => clearing[model] !== undefined))
      ? table
      : [],
  );
  await withClient(connectionString, COMMAND_TIMEOUTS, (client) =>
    client.query(sql`vacuum (analyze) ${sql.raw(tables.join(', '))}`),
  ).catch((error: unknown) => logger.warn({ error }, "the space of cleared rows is freed by PostgreSQL's next vacuum"));
}
