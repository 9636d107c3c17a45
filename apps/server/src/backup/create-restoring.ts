import { CallError } from '../http/http-errors.ts';
import type { Work } from '../network-work/network-work.ts';
import { backUpNetwork } from './back-up-network.ts';
import { BackupDamaged } from './backup-damaged.ts';
import type { WholeBackup } from './backup-folders.ts';
import { dropBeside, KEPT_MS, lastReplaced } from './beside.ts';
import type { Exchange } from './catch-up.ts';
import { requireOpener } from './encryption.ts';
import { readLosses } from './losses.ts';
import { beside, prepare, problemsOf, proveAndExchange, toRefusal, voidedNotes } from './prove-and-exchange.ts';
import type { BesideOrder, RestoringParts } from './prove-and-exchange.ts';
import type { Restored, RestoreOrder, Restoring, RestoringCall } from './restoring.ts';
import { requireFits } from './stage-network.ts';

/** Makes what puts networks back to their backups. */
export function createRestoring(parts: RestoringParts): Restoring {
  const { services, settings } = parts;
  return {
    async losses({ actor }, backup, gone) {
      try {
        await requireFits({ services, backup, adminId: actor.id });
        const open = await requireOpener(backup.manifest, settings.key);
        return await readLosses(services.db.patient, actor.networkId, backup, { open, signal: gone });
      } catch (error) {
        return toRefusal(error);
      }
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

function notesOf(voided: number, stopped: number): string[] {
  return [
    ...voidedNotes(voided),
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
