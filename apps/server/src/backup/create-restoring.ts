import { connect, LONG } from '../db/database.ts';
import type { Queryable } from '../db/database.ts';
import { keepWhatHolds, renameTaken } from '../accounts/staged-accounts.ts';
import { keepGames } from '../games/keep-games.ts';
import { CallError } from '../http/http-errors.ts';
import type { Work } from '../network-work/network-work.ts';
import type { Services } from '../services.ts';
import { sumDaysBeside } from '../liability/sum-days.ts';
import { backUpNetwork } from './back-up-network.ts';
import type { WholeBackup } from './backup-folders.ts';
import type { BackupSettings } from './own-backups.ts';
import { dropBeside, KEPT_MS, lastReplaced } from './beside.ts';
import { reconcile, toldOfGames } from './catch-up.ts';
import type { Exchange } from './catch-up.ts';
import { requireOpener } from './encryption.ts';
import { exchangeNetworks } from './exchange-networks.ts';
import type { Told } from './exchange-networks.ts';
import { BackupDamaged } from './backup-damaged.ts';
import { readLosses } from './losses.ts';
import type { Restored, RestoreOrder, Restoring, RestoringCall } from './restoring.ts';
import { requireFits, stageNetwork } from './stage-network.ts';

/** The audit runs on so many connections. */
const AUDIT_CONNECTIONS = 2;

/** One part of an audit, as far as it is told here. */
interface AuditedPart {
  readonly problems: readonly string[];
}

/** What restoring needs of those below and above it. */
export interface RestoringParts {
  readonly services: Services;
  readonly settings: BackupSettings;
  /** Voids every draw of a network that is not finished; gives how many they were. */
  readonly voidUnfinished: (networkId: number, signal: AbortSignal) => Promise<number>;
  /** The auditor, of all as it is, and as if one network had taken the place of another. */
  readonly audit: (...on: readonly Queryable[]) => Promise<readonly AuditedPart[]>;
  readonly auditTrial: (
    trial: { readonly staged: number; readonly replaces: number },
    ...on: readonly Queryable[]
  ) => Promise<readonly AuditedPart[]>;
}

/** Makes what puts networks back to their backups. */
export function createRestoring(parts: RestoringParts): Restoring {
  const { services, settings } = parts;
  return {
    async losses({ actor }, backup, gone) {
      await requireFits({ services, backup, adminId: actor.id }).catch(toRefusal);
      const open = await requireOpener(backup.manifest, settings.key).catch(toRefusal);
      return readLosses(services.db.patient, actor.networkId, backup, { open, signal: gone }).catch(toRefusal);
    },
    restore: (order, work) => restore(parts, order, work),
    drill: (call, backup, work) => drill(parts, call, backup, work),
    undo: (call, work) => undo(parts, call, work),
    async undoUntil(adminId) {
      const replaced = await lastReplaced(services.db, adminId, services.clock.now());
      return replaced && new Date(replaced.since.getTime() + KEPT_MS);
    },
  };
}

async function restore(parts: RestoringParts, { call, backup, renames }: RestoreOrder, work: Work): Promise<Restored> {
  const { services, settings } = parts;
  const { name: safetyFolder } = await backUpNetwork(services, settings, {
    admin: call.actor,
    by: `${call.actor.username}, before a restore`,
    signal: work.signal,
    progress: (_step, done, total) => work.progress('Backing up what there is', done, total),
  });
  return beside(parts, { call, backup, work }, async (exchange) => {
    const { takenAt } = backup.manifest;
    const { voided, stopped } = await proveAndExchange(
      parts,
      { call, exchange, renames, what: 'what it holds' },
      work,
      {
        subject: `Restored backup "${backup.name}" of ${takenAt}`,
        detail: { restoredFrom: backup.name, takenAt, safetyBackup: safetyFolder },
      },
    );
    return { safetyFolder, notes: notesOf(voided, stopped) };
  });
}

/** What is to be exchanged, for whom, and what it is called where it is not right. */
interface ProvedExchange {
  readonly call: RestoringCall;
  readonly exchange: Exchange;
  readonly renames: Readonly<Record<string, string>>;
  readonly what: string;
}

/** Prepares what stands beside, audits it, and lets it take the place of its network. Throws RULE_REFUSED where it is not right. */
async function proveAndExchange(
  parts: RestoringParts,
  { call, exchange, renames, what }: ProvedExchange,
  work: Work,
  told: Told,
): Promise<{ voided: number; stopped: number }> {
  const { services } = parts;
  const prepared = await prepare(parts, exchange, renames, work);
  const [problem] = await problemsOf(parts, exchange, work);
  if (problem !== undefined) throw refusal(new BackupDamaged(`${what} is not right: ${problem}`));
  work.progress('Exchanging', 0, 0);
  await services.db.transaction(async (tx) => {
    work.signal.throwIfAborted();
    await exchangeNetworks(services, tx, exchange, { call, told });
  }, LONG);
  return prepared;
}

function notesOf(voided: number, stopped: number): string[] {
  return [
    ...(voided > 0
      ? [
          `${voided} ${voided === 1 ? 'draw was' : 'draws were'} under way in the backup: void, and the stakes given back.`,
        ]
      : []),
    'Your own account, and the passwords of all accounts, are as they were before the restore.',
    ...(stopped > 0
      ? [
          `${stopped} ${stopped === 1 ? 'account stays' : 'accounts stay'} inactive: the superadmin has stopped ${stopped === 1 ? 'it' : 'them'} since.`,
        ]
      : []),
  ];
}

async function drill(
  parts: RestoringParts,
  call: RestoringCall,
  backup: WholeBackup,
  work: Work,
): Promise<readonly string[]> {
  // That this server can't read it is nothing that is wrong with it.
  await requireOpener(backup.manifest, parts.settings.key).catch(toRefusal);
  try {
    return await besideUntilEnd(parts, { call, backup, work }, async (exchange) => {
      await prepare(parts, exchange, {}, work, { renames: 'any' });
      return problemsOf(parts, exchange, work);
    });
  } catch (error) {
    if (error instanceof CallError && error.cause instanceof BackupDamaged) return [error.message];
    throw error;
  }
}

async function undo(parts: RestoringParts, call: RestoringCall, work: Work): Promise<void> {
  const { services } = parts;
  const { id: adminId, networkId: live, username } = call.actor;
  const replaced = await lastReplaced(services.db, adminId, services.clock.now());
  if (!replaced)
    throw new CallError('RULE_REFUSED', { message: 'There is no restore of the last 24 hours that could be undone.' });
  const exchange = {
    adminId,
    beside: replaced.id,
    live,
    rootLog: replaced.rootLog,
    takenAt: replaced.since,
    username,
  };
  const since = replaced.since.toISOString();
  await proveAndExchange(parts, { call, exchange, renames: {}, what: 'what was replaced' }, work, {
    subject: `Undid the restore of ${since}`,
    detail: { undoneRestoreOf: since },
  });
}

/** What is loaded beside for one piece of work. */
interface BesideOrder {
  readonly call: RestoringCall;
  readonly backup: WholeBackup;
  readonly work: Work;
}

/** Loads a backup beside for `act`. Where that fails nothing of it is left. */
async function beside<T>(
  parts: RestoringParts,
  { call, backup, work }: BesideOrder,
  act: (exchange: Exchange) => Promise<T>,
): Promise<T> {
  const { services, settings } = parts;
  const { id: adminId, networkId: live, username } = call.actor;
  const { manifest } = backup;
  const number = await stageNetwork({
    services,
    connectionString: settings.connectionString(),
    key: settings.key,
    backup,
    adminId,
    work,
  }).catch(toRefusal);
  try {
    const rootLog = BigInt(manifest.rootLog.seq);
    return await act({ adminId, beside: number, live, rootLog, takenAt: new Date(manifest.takenAt), username });
  } catch (error) {
    await dropBeside(services.db, number).catch(() => {});
    throw error;
  }
}

/** The same, and nothing of it is left where `act` has done its work either. */
function besideUntilEnd<T>(
  parts: RestoringParts,
  order: BesideOrder,
  act: (exchange: Exchange) => Promise<T>,
): Promise<T> {
  return beside(parts, order, async (exchange) => {
    const result = await act(exchange);
    order.work.progress('Dropping what was tried', 0, 0);
    await dropBeside(parts.services.db, exchange.beside);
    return result;
  });
}

/** Makes what stands beside fit to take the place of its network, short of what happens until then. */
async function prepare(
  { services, voidUnfinished }: RestoringParts,
  exchange: Exchange,
  renames: Readonly<Record<string, string>>,
  work: Work,
  names: { readonly renames: 'given' | 'any' } = { renames: 'given' },
): Promise<{ voided: number; stopped: number }> {
  work.progress('Giving back the stakes of open draws', 0, 0);
  const voided = await voidUnfinished(exchange.beside, work.signal);
  const stopped = await services.db.transaction(async (tx) => {
    if (names.renames === 'given') await renameTaken(tx, exchange, renames);
    const count = await keepWhatHolds(tx, exchange);
    await keepGames(tx, exchange, await toldOfGames(tx, exchange));
    await sumDaysBeside(services, tx, exchange.beside);
    await reconcile(services, tx, exchange);
    return count;
  }, LONG);
  return { voided, stopped };
}

/**
 * What the audit finds that would be wrong with the books after an exchange, and is not wrong with them now. It reads one snapshot on
 * connections of its own.
 */
async function problemsOf(
  { settings, audit, auditTrial }: RestoringParts,
  { beside: staged, live }: Exchange,
  work: Work,
): Promise<readonly string[]> {
  work.progress('Auditing', 0, 0);
  const db = connect(settings.connectionString, {
    onError: () => {},
    poolSize: AUDIT_CONNECTIONS,
    patience: LONG,
    readOnly: true,
  });
  try {
    const found = await until(work.signal, () =>
      db.snapshots(AUDIT_CONNECTIONS, (on) => auditTrial({ staged, replaces: live }, ...on)),
    );
    const problems = found.flatMap((part) => part.problems);
    if (problems.length === 0) return problems;
    const now = await until(work.signal, () => db.snapshots(AUDIT_CONNECTIONS, (on) => audit(...on)));
    const known = new Set(now.flatMap((part) => part.problems));
    return problems.filter((problem) => !known.has(problem));
  } finally {
    await db.close();
  }
}

/** Waits for what can't be stopped no longer than until a signal. */
function until<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', stop);
  const done = act();
  done.catch(() => {});
  return Promise.race([done, promise]).finally(() => signal.removeEventListener('abort', stop));
}

function refusal(why: BackupDamaged): CallError {
  const error = new CallError('RULE_REFUSED', {
    message: `This backup can’t be restored: ${why.message}. Nothing was changed.`,
  });
  error.cause = why;
  return error;
}

function toRefusal(error: unknown): never {
  throw error instanceof BackupDamaged ? refusal(error) : error;
}
