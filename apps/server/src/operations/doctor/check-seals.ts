import { NOTICES } from '@drawhouse/contract/notices/notice-texts';
import type { Config } from '../../config/config.ts';
import type { ExaminedSeals } from '../../transparency/transparency.ts';
import { fault, type Finding, localText, ok, reasonOf, warning } from './findings.ts';

interface SealSurroundings {
  readonly config: Pick<Config, 'sealDir'>;
  readonly isRunning: boolean;
}

export function judgeSeals(seals: ExaminedSeals, { config: { sealDir: dir }, isRunning }: SealSurroundings): Finding[] {
  const { folder, size, foreign } = seals;
  if (foreign)
    return [
      fault(
        'seals',
        `Those in ${dir} belong to the log ${foreign.origin}, but SEAL_KEY and SEAL_NAME give ${foreign.wanted}.`,
        'Set the original key and name.',
      ),
    ];
  const sealed =
    folder === undefined
      ? ok('seals', `None yet: they will be written to ${dir}.`)
      : ok('seals', `${countText(size)} records are sealed in ${folder}.`);
  return [judgeStopped(seals, { dir, isRunning }) ?? sealed, ...judgeWitnesses(seals, isRunning)];
}

function judgeWitnesses({ folder, witnesses }: ExaminedSeals, isRunning: boolean): Finding[] {
  if (folder === undefined) return [];
  const { SEALED_BY_ITSELF: alone, WITNESS_SILENT: silent } = NOTICES;
  if (witnesses.length === 0) return [warning('seals', `${alone.title}.`, alone.text)];
  return witnesses.map(({ name, last, isBehind }): Finding => {
    const seen = last
      ? `co-signed ${countText(last.size)} records on ${localText(last.at)}`
      : 'has not co-signed anything yet';
    const says = `The witness ${name} ${seen}.`;
    return isBehind && (isRunning || !last) ? warning('seals', says, silent.text) : ok('seals', says);
  });
}

function countText(count: number): string {
  return count.toLocaleString('en-US');
}

function judgeStopped(
  { folder, stopped }: ExaminedSeals,
  { dir, isRunning }: { readonly dir: string; readonly isRunning: boolean },
): Finding | undefined {
  if (!stopped) return undefined;
  const { difference } = stopped;
  const since = stopped.since ? localText(stopped.since) : 'the start';
  if (difference !== undefined)
    return fault(
      'seals',
      stopped.since ? `Nothing has been sealed since ${since}: ${difference}.` : `Sealing has stopped: ${difference}.`,
      'If the database or the seals were restored by mistake, undo that. If files are missing or old, put the newest ' +
        'back, or set SEAL_DIR to their folder. If they are lost for good or this is intended, start a new log: npm run ' +
        'seals -- begin --because REASON',
    );
  if (isRunning)
    return fault(
      'seals',
      folder === undefined
        ? 'Nothing has been sealed yet, though a server runs.'
        : `Nothing has been sealed since ${since}, though a server runs.`,
      remedyOf(stopped, folder ?? dir),
    );
  if (folder === undefined) return undefined;
  return warning(
    'seals',
    `Rows written since ${since}, before the server stopped, are not sealed.`,
    'They will be sealed when the server runs again.',
  );
}

function remedyOf({ unwritable, isFull, holder }: NonNullable<ExaminedSeals['stopped']>, folder: string): string {
  const causes = [
    unwritable && `${folder} can’t be written to (${reasonOf(unwritable)}): let the server's user write there.`,
    isFull && `The disk of ${folder} is full: free space there.`,
    holder &&
      `The connection ${holder.pid} (${holder.name || 'without a name'}) holds the sealing lock and is not ` +
        `a server. End it with select pg_terminate_backend(${holder.pid}).`,
  ].filter(Boolean);
  if (causes.length > 0) return causes.join(' ');
  return (
    `See the server's log for the reason (nothing is sealed). Check the disk and permissions of ${folder}, ` +
    'and locks in the database held by other programs (pg_locks). A very large amount can take minutes.'
  );
}
