import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createSemaphore } from '../semaphore.ts';

/** However many backups there are, so many of their small files are open at once: a process may have some hundred. */
const turns = createSemaphore(16);

/** Where a system has no such flags, it has no such files either. */
const PLAIN = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens a file of a backup: a link may lead anywhere, and whoever opens a pipe waits for somebody who writes, with a thread that all files need. */
async function openPlain(file: string): Promise<FileHandle> {
  const handle = await open(file, PLAIN).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ELOOP' ? new Error('it is no file') : error;
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new Error('it is no file');
}

/** The content of a file of a backup as it is read. It fails where that is a link, a pipe or whatever else is no file. */
export function streamOf(file: string): Readable {
  return Readable.from(
    (async function* () {
      yield* (await openPlain(file)).createReadStream() as AsyncIterable<Buffer>;
    })(),
    { objectMode: false },
  );
}

/** A small file of a backup as text, in its turn. Throws as {@link streamOf} fails, and where it has more than so many bytes. */
export function readSmall(file: string, mostBytes: number): Promise<string> {
  return turns.run(async () => {
    const handle = await openPlain(file);
    try {
      if ((await handle.stat()).size > mostBytes) throw new Error('it is too large');
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  });
}
