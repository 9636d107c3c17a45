import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifMissing, namesIn } from './seal-files.ts';

/** Temporary files: target name plus UUID (`replaceShared`). */
const BESIDE = /\.[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
/** Only the sealer writes these. */
const SEALERS = /^(?:state\.json|checkpoint)\./;
/** No cosignature write takes this long. */
const SURELY_LEFT_MS = 3_600_000;

/**
 * Removes temporary files of killed servers. At a sealer's start its own files are all leftovers. Cosignatures may be
 * in progress elsewhere; only those an hour older than the newest file go, by the disk's clock.
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

async function writtenAt(file: string): Promise<number> {
  return stat(file).then(({ mtimeMs }) => mtimeMs, ifMissing(0));
}

async function remove(folder: string, name: string): Promise<void> {
  await rm(join(folder, name), { force: true });
}
