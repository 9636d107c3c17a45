import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export async function requireFolders(folders: Readonly<Record<string, string>>): Promise<void> {
  for (const [setting, folder] of Object.entries(folders)) {
    try {
      await makeFolder(folder);
      const probe = join(folder, `.writable-${process.pid}`);
      await writeFile(probe, '', { flag: 'wx' });
      await rm(probe);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      throw new Error(
        `${folder} is not writable (${REASONS[code] ?? code}). Set ${setting} to a folder that this user can write to.`,
        { cause: error },
      );
    }
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this user can't write there",
  EPERM: "this user can't write there",
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'part of the path is a file',
  EEXIST: 'a file has this name',
  ENOENT: "it can't be created there",
};

/** Node's recursive mkdir never returns below `/proc`. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const above = dirname(folder);
    if (code !== 'ENOENT' || above === folder) throw error;
    await makeFolder(above);
    await mkdir(folder, { mode: 0o700 }).catch((again: NodeJS.ErrnoException) => {
      if (again.code !== 'EEXIST') throw again;
    });
  }
}
