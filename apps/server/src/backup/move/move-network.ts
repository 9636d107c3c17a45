import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Actor } from '../../accounts/authority.ts';
import { adoptAdminData } from '../../accounts/move/moved-admin.ts';
import { runCommand } from '../../activity/run-command.ts';
import { COMMAND_TIMEOUTS } from '../../platform/db/connection/timeouts.ts';
import type { Queryable } from '../../platform/db/database.ts';
import {
  addMovedGames,
  importGames,
  type MovedCatalogue,
  requireBeacons,
} from '../../games/catalogue/add-moved-games.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { isPlaceholder } from '../../ledger/wallets.ts';
import type { Work } from '../../activity/network-work/network-work.ts';
import { timeWords } from '../../protection/protection-texts.ts';
import type { Services } from '../../platform/services.ts';
import { isOlder } from '../restore/migrate-backup.ts';
import type { Exchange } from '../restore/reconcile-with-root.ts';
import { issueResetSlips, type ResetSlip, withNames } from '../restore/issue-reset-slips.ts';
import { requireOpener } from '../take/archive/encryption.ts';
import type { Manifest } from '../take/archive/manifest.ts';
import type { ReplicatedRows } from './stage-foreign-network.ts';
import { recordMove, rootExtractHash } from './moved-credit.ts';
import {
  auditAndSwap,
  prepare,
  problemsOf,
  type ProvedExchange,
  type RestoreDependencies,
  toRefusal,
  voidedNotes,
  withStagedNetwork,
} from '../restore/audit-and-swap.ts';
import { type ExchangeLog, exchangeNetworks } from '../restore/exchange-networks.ts';
import type { RestoreOrder, RestoringCall } from '../restore/restoring.ts';
import { dropStagedNetwork } from '../restore/stage-network.ts';
import { type BackupTrust, requireTrusted, signerDetail } from '../take/archive/sign-manifest.ts';
import { requireSameTimeZone } from '../restore/require-restorable.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { BACKUP_STEPS, BACKUP_SUBJECTS, BACKUP_TEXTS } from '../backup-texts.ts';

export type MovingParts = Pick<RestoreDependencies, 'services' | 'settings'>;

export interface MoveOrder extends RestoreOrder {
  readonly admin: Actor;
  readonly replicated?: ReplicatedRows;
}

export async function requireMovable(
  { services, settings }: MovingParts,
  manifest: Manifest,
  trust: BackupTrust | undefined,
): Promise<void> {
  // Local records must be later than foreign ones.
  if (services.clock.now() < new Date(manifest.takenAt))
    throw new CallError('RULE_REFUSED', {
      message: BACKUP_TEXTS.clockBehind(timeWords(new Date(manifest.takenAt), services.timeZone)),
    });
  const { sealKey } = settings;
  requireTrusted(manifest, { sealKey, trust, command: 'npm run network -- import FILE' });
  try {
    await isOlder(manifest, settings);
    requireSameTimeZone(services, manifest);
    await requireOpener(manifest, settings.key);
  } catch (error) {
    toRefusal(error);
  }
}

/**
 * Audits like a restore. Returns notes and password slips. Refuses like a restore, and if the new network is no longer
 * empty.
 */
export async function moveNetwork(
  parts: RestoreDependencies,
  order: MoveOrder,
  work: Work,
): Promise<{ readonly notes: readonly string[]; readonly slips: readonly ResetSlip[] }> {
  const { services } = parts;
  const { call, backup, renames, admin, replicated } = order;
  const { manifest } = backup;
  return withMovedNetwork(parts, order, work, async (exchange, notes) => {
    const id = exchange.moveId;
    const slips = await issueResetSlips(services, exchange, { isOperator: call.isOperator === true });
    await takeOver(services, call, exchange, admin.username);
    const proved = { call, exchange, renames, what: 'its contents' };
    const { voided } = await (replicated ? swapReplicated : auditAndSwap)(parts, proved, work, {
      subject: BACKUP_SUBJECTS.moved(admin.username, timeWords(new Date(manifest.takenAt), services.timeZone)),
      detail: {
        accountId: admin.id,
        moved: {
          id,
          installation: manifest.installation,
          takenAt: manifest.takenAt,
          told: await rootExtractHash(services.db, exchange.staged, id),
          ...(replicated && { username: admin.username, from: replicated.from }),
        },
        checkpoint: manifest.checkpoint,
        ...signerDetail(manifest, parts.settings.sealKey),
        ...(slips.length > 0 && { resetSlips: slips.length }),
      },
    });
    const keys = manifest.isWithoutSecrets ? [BACKUP_TEXTS.keysEnded] : [];
    return {
      notes: [...notes, ...voidedNotes(voided), ...keys],
      slips: await withNames(services, exchange.staged, slips),
    };
  });
}

/** Audits a network as if it had been moved, and drops the copy. Returns the problems found. */
export function tryNetwork(parts: RestoreDependencies, order: MoveOrder, work: Work): Promise<readonly string[]> {
  const { services } = parts;
  const { call, admin } = order;
  const voidUnfinished = () => Promise.resolve({ count: 0, publish: () => Promise.resolve() });
  return withMovedNetwork(parts, order, work, async (exchange) => {
    await takeOver(services, call, exchange, admin.username);
    await prepare({ ...parts, voidUnfinished }, exchange, order.renames, work);
    const problems = await problemsOf(parts, exchange, work);
    await dropStagedNetwork(services.db, exchange.staged);
    return problems;
  });
}

async function withMovedNetwork<T>(
  parts: RestoreDependencies,
  { call, backup, admin, trust, replicated }: MoveOrder,
  work: Work,
  act: (exchange: Exchange & { readonly moveId: string }, notes: readonly string[]) => Promise<T>,
): Promise<T> {
  const { services } = parts;
  const id = replicated?.moveId ?? services.newId();
  const notes: string[] = [];
  const addGames = async (elsewhere: MovedCatalogue): Promise<void> => {
    notes.push(...(await addMovedGames(services, call, elsewhere)));
  };
  const { actor, origin, isOperator = false } = call;
  const order = {
    call: { actor: admin, origin, isOperator },
    backup,
    work,
    moving: { id, superadmin: actor.id, addGames, replicated },
  };
  await requireMovable(parts, backup.manifest, trust);
  return withStagedNetwork(parts, order, async (network) => {
    const rootLog = await endOfRootLog(services.db);
    await requireBeacons(services.db, network.staged, parts.beacons ?? []);
    return act(
      { ...network, rootLog, username: actor.username, moveId: id, isReplicated: replicated !== undefined },
      notes,
    );
  });
}

/**
 * Swaps in rows that replication brought, which are compared with the other cell's. The network here is new and empty,
 * so nothing of it is kept, and no trial audit is prepared.
 */
async function swapReplicated(
  { services, voidUnfinished, keepWallKey }: RestoreDependencies,
  { call, exchange }: ProvedExchange,
  { signal, progress }: Work,
  told: ExchangeLog,
): Promise<{ readonly voided: number }> {
  progress(BACKUP_STEPS.exchanging, 0, 0);
  const { count: voided, publish } = await voidUnfinished(exchange.staged, signal);
  await services.db.transaction(async (tx) => {
    signal.throwIfAborted();
    await recordMove(services, tx, exchange);
    await exchangeNetworks(services, tx, exchange, { call, told, keepWallKey });
    await publish(tx);
  }, COMMAND_TIMEOUTS);
  return { voided };
}

async function endOfRootLog(on: Queryable): Promise<bigint> {
  const [head] = await on.query<{ seq: bigint }>(
    sql`select seq from activity_heads where network_id = ${sql.lit(ROOT_NETWORK)}`,
  );
  return head?.seq ?? 0n;
}

function takeOver(services: Services, call: RestoringCall, exchange: Exchange, username: string): Promise<void> {
  return runCommand(services, call, async (tx, at) => {
    if (!(await isPlaceholder(tx, exchange.adminId)))
      throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.alreadyMoved(username) });
    const admin = await adoptAdminData(tx, { ...exchange, username });
    const games = await importGames(services, tx, { ...exchange, username, at });
    return { result: undefined, subject: null, more: [admin, ...games] };
  });
}
