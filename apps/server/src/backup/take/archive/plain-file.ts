import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createSemaphore } from '../../../platform/time/semaphore.ts';
import { DAMAGE } from '../../backup-texts.ts';

/** Process limits can be a few hundred open files. */
const turns = createSemaphore(16);

/** Systems without these flags have no such files. */
const PLAIN = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Links may point anywhere, and pipes would block the file thread pool. */
async function openPlain(file: string): Promise<FileHandle> {
  const handle = await open(file, PLAIN).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ELOOP' ? new Error(DAMAGE.notFile) : error;
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new Error(DAMAGE.notFile);
}

export function streamOf(file: string): Readable {
  return Readable.from(
    (async function* () {
      yield* (await openPlain(file)).createReadStream() as AsyncIterable<Buffer>;
    })(),
    { objectMode: false },
  );
}

export function readSmall(file: string, mostBytes: number): Promise<string> {
  return turns.run(async () => {
    const handle = await openPlain(file);
    try {
      if ((await handle.stat()).size > mostBytes) throw new Error(DAMAGE.fileTooLarge);
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  });
}
