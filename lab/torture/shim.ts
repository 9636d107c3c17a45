import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const SOURCE = path.join(import.meta.dirname, 'shim.c');

/** Builds a library that slows or fills PostgreSQL's disk. Throws if unsupported here. */
export async function buildShim(): Promise<string> {
  if (process.platform !== 'linux')
    throw new Error('A slow disk is made by LD_PRELOAD, which only Linux has: run this part there.');
  const folder = await mkdtemp(path.join(tmpdir(), 'drawhouse-shim-'));
  // PostgreSQL runs as another user.
  await chmod(folder, 0o755);
  const library = path.join(folder, 'shim.so');
  try {
    execFileSync('cc', ['-O1', '-shared', '-fPIC', '-o', library, SOURCE, '-ldl'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { stderr?: Buffer };
    throw new Error(
      code === 'ENOENT'
        ? 'A slow disk needs a C compiler: install one that answers to `cc`, such as gcc or clang.'
        : `The shim of the disk does not build: ${stderr?.toString() ?? (error as Error).message}`,
      { cause: error },
    );
  }
  return library;
}

export async function hasLoaded(pid: number, library: string): Promise<boolean> {
  return (await readFile(`/proc/${pid}/maps`, 'utf8')).includes(library);
}
