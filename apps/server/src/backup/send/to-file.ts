import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FileTarget } from '../../config/backup-settings.ts';
import { OWN_FILE, syncFolder } from '../../platform/db/embedded/durable-file.ts';
import { sendWithRename, type RemoteFolder } from './send-with-rename.ts';
import type { Destination } from './transfer-texts.ts';

export function toFile({ folder }: FileTarget): Destination {
  return { where: pathToFileURL(folder).href, send: (sending) => sendWithRename(mountedFolder(folder), sending) };
}

/** Never created: a missing folder means an unmounted disk. */
export function mountedFolder(folder: string): RemoteFolder {
  const at = (name: string): string => path.join(folder, name);
  return {
    list: () => readdir(folder),
    async freeBytes() {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
    write: (name) => createWriteStream(at(name), { mode: OWN_FILE, flush: true }),
    read: (name) => createReadStream(at(name)),
    bytesOf: async (name) => (await stat(at(name))).size,
    async rename(from, to) {
      await rename(at(from), at(to));
      await syncFolder(folder);
    },
    remove: (name) => rm(at(name)),
  };
}
