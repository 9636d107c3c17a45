import { join } from 'node:path';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { parseCheckpoint } from '@drawhouse/tlog/checkpoints';
import type { Checkpoint } from '@drawhouse/tlog/checkpoints';
import { originOf } from '@drawhouse/tlog/log-origins';
import { NoteError, parseNote } from '@drawhouse/tlog/signed-notes';
import type { Copier } from '../../platform/db/sql/copy-snapshot.ts';
import type { Check } from '../../audit/audit-check.ts';
import { hasFiles, hasTree, keyOf } from '../seal/seal-heads.ts';
import type { SealsToAudit } from '../seal/seal-heads.ts';
import { verifyCheckpoint } from '../seal/seal-state.ts';

interface ToldBackup {
  readonly subject: string;
  readonly checkpoint: string;
}

/**
 * Checks restored backups: the seal key must have signed each checkpoint, and its tree must still exist. Backups lie
 * elsewhere, so they expose a rewritten history. A foreign one names the log of its origin.
 */
export async function checkBackupCheckpoints(on: Copier, seals: SealsToAudit, newest: number): Promise<Check> {
  const told = await on.query<ToldBackup>(
    `select subject, detail ->> 'checkpoint' as checkpoint from activity
     where network_id = ${ROOT_NETWORK} and jsonb_typeof(detail -> 'checkpoint') = 'string' and (detail ? 'restoredFrom' or detail ? 'moved') order by seq`,
  );
  const problems: string[] = [];
  let elsewhere = 0;
  for (const { subject, checkpoint: note } of told) {
    const signed = await signedHere(seals, newest, note);
    const folder = signed && join(seals.dir, String(signed.nth));
    if (!folder || !(await hasFiles(folder))) elsewhere++;
    else if (!(await hasTree(folder, signed)))
      problems.push(
        `"${subject}": the log ${signed.origin} had ${signed.size} records when that backup was taken, but has different ones now`,
      );
  }
  return {
    name: 'the seals continue from their state in restored backups',
    rows: told.length,
    problems,
    unproven: elsewhere > 0 ? [`${elsewhere} backups name a log that does not exist here`] : [],
  };
}

async function signedHere(
  seals: SealsToAudit,
  newest: number,
  note: string,
): Promise<(Checkpoint & { readonly nth: number }) | undefined> {
  try {
    const { origin } = parseCheckpoint(parseNote(note).text);
    for (let nth = 1; nth <= newest; nth++)
      if (origin === originOf(seals.name, nth)) return { ...(await verifyCheckpoint(note, keyOf(seals, nth))), nth };
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
  }
  return undefined;
}
