import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifMissing, namesIn } from './seal-files.ts';

/** What is written beside a file to be put in its place: by the name of the file, and one that nothing else has (`replaceShared`). */
const BESIDE = /\.[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
/** The files of a log that nobody but the sealer puts in place. */
const SEALERS = /^(?:state\.json|checkpoint)\./;
/** Nobody writes so long at a cosignature. */
const SURELY_LEFT_MS = 3_600_000;

/**
 * Removes what servers that were killed had written beside files of a log and never put in their place. Whoever seals may do so, at its start: of the sealer's own files all of that
 * is left from others, and who was held up for long and comes back finds that it has lost its turn. Cosignatures any server may be keeping at the moment: of these
 * goes what is an hour older than the newest file there, by the clock of the disk.
 */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) if (SEALERS.test(name) && BESIDE.test(name)) await remove(folder, name);
  const cosigned = join(folder, 'witnesses');
  const files = await Promise.all(
    (await namesIn(cosigned)).map(async (name) => ({ name, writtenMs: await writtenAt(join(cosigned, name)) })),
  );
  const newestMs = Math.max(await writtenAt(join(folder, 'state.json')), ...files.map(({ writtenMs }) => writtenMs));
  for (const { name, writtenMs } of files)
    if (BESIDE.test(name) && writtenMs < newestMs - SURELY_LEFT_MS) await remove(cosigned, name);
}

/** When a file was written, in milliseconds of Unix time; long ago where it is gone. */
async function writtenAt(file: string): Promise<number> {
  return stat(file).then(({ mtimeMs }) => mtimeMs, ifMissing(0));
}

async function remove(folder: string, name: string): Promise<void> {
  await rm(join(folder, name), { force: true });
}
