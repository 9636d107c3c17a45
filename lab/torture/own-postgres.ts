import { chmod, open, rm, mkdtemp, readFile } from 'node:fs/promises';
import {
  isUp,
  pathsOf,
  readPasswords,
  urlOf,
  type Passwords,
} from '../../apps/server/src/platform/db/embedded/embedded-cluster.ts';
import { launch, serviceUser } from '../../apps/server/src/platform/db/embedded/embedded-process.ts';
import {
  requireBinaries,
  freePort,
  SETTINGS,
  stopRunning,
} from '../../apps/server/src/platform/db/embedded/embedded-start.ts';
import { startEmbedded } from '../../apps/server/src/platform/db/embedded/embedded.ts';
import { makeDataDir } from '../../apps/server/test/processes/data-dir.ts';
import { postgresPids } from '../../apps/server/test/processes/server-process.ts';
import { pause } from '../../tools/demo/client.ts';
import { killAll } from './stand.ts';
import { execFileSync, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';

const START_MS = 60_000;
const AGAIN_MS = 200;

export interface Preload {
  readonly library: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** Serves several servers. Restarts itself after a crash. */
export class OwnPostgres {
  readonly dataDir: string;
  readonly ownerUrl: string;
  readonly serverUrl: string;
  readonly #port: number;
  readonly #passwords: Passwords;
  readonly #preload: Preload | undefined;
  #child: ChildProcess | undefined;
  #isStopping = false;

  private constructor(dataDir: string, port: number, passwords: Passwords, preload: Preload | undefined) {
    this.dataDir = dataDir;
    this.#port = port;
    this.#passwords = passwords;
    this.#preload = preload;
    this.ownerUrl = urlOf(port, passwords, 'owner');
    this.serverUrl = urlOf(port, passwords, 'server');
  }

  static async start(preload?: Preload): Promise<OwnPostgres> {
    const dataDir = await makeDataDir('torture');
    // Works without root rights; with them, the system ignores preloaded libraries.
    await chmod(dataDir, 0o755);
    const embedded = await startEmbedded(dataDir, { exclusive: true });
    await embedded.stop();
    const postgres = new OwnPostgres(dataDir, await freePort(), await readPasswords(pathsOf(dataDir)), preload);
    await postgres.#launch();
    return postgres;
  }

  async #launch(): Promise<void> {
    const paths = pathsOf(this.dataDir);
    const { postgres } = await requireBinaries();
    const { library, settings = {} } = this.#preload ?? {};
    const variables = Object.entries({ ...settings, ...(library && { LD_PRELOAD: library }) });
    const runAs = serviceUser([this.dataDir]);
    const prefix = [...runAs.prefix, 'env', ...variables.map(([name, value]) => `${name}=${value}`)];
    const args = Object.entries({ ...SETTINGS, port: String(this.#port) }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const log = await open(paths.log, 'w');
    const child = launch(postgres, ['-D', paths.cluster, ...args], { ...runAs, prefix }, log.fd);
    this.#child = child;
    await log.close();
    const until = performance.now() + START_MS;
    while (child.exitCode === null && child.signalCode === null && !(await isUp(this.#port, this.#passwords))) {
      if (performance.now() > until) throw new Error('PostgreSQL does not start.');
      await pause(20);
    }
    child.once('exit', () => void this.#again());
    if (child.exitCode !== null || child.signalCode !== null) return this.#again();
    if (library && !(await hasLoaded(child.pid!, library)))
      throw new Error(`PostgreSQL has not loaded ${library}: this system does not let it.`);
  }

  async #again(): Promise<void> {
    if (this.#isStopping) return;
    await pause(AGAIN_MS);
    if (!this.#isStopping) await this.#launch();
  }

  async kill(): Promise<void> {
    killAll(await postgresPids(this.dataDir));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const child = this.#child;
    if (child?.pid) await stopRunning({ pid: child.pid, port: this.#port, child });
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

const SOURCE = path.join(import.meta.dirname, 'shim.c');

/** Slows or fills PostgreSQL's disk. */
export async function buildShim(): Promise<string> {
  if (process.platform !== 'linux')
    throw new Error('A slow disk needs LD_PRELOAD, which only Linux has. Run this part there.');
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

async function hasLoaded(pid: number, library: string): Promise<boolean> {
  return (await readFile(`/proc/${pid}/maps`, 'utf8')).includes(library);
}
