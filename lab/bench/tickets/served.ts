import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { servingEnvironment } from '../../../tools/setup/memory.mjs';

const MAIN = fileURLToPath(new URL('../../../apps/server/src/main.ts', import.meta.url));
const SEED_KEY = '5a'.repeat(32);
/** Disables per-caller limits. */
const NO_LIMITS = { SESSION_CALLS_PER_SECOND: '100000', ADDRESS_CALLS_PER_SECOND: '100000' };
const KIBIBYTE = 1024;
/** Shared by all servers of a bench, as on one database. */
let dataDir: string | undefined;

export interface Served {
  readonly url: string;
  readonly pid: number;
  /** Resident memory in bytes. */
  memory(): Promise<{ now: number; peak: number }>;
  stop(): Promise<void>;
}

/** Starts the server like `npm start`, on an existing database. */
export async function startServed(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
  nodeOptions: readonly string[] = [],
): Promise<Served> {
  const DATA_DIR = (dataDir ??= await newDataDir());
  const own = { SEED_KEY, DATA_DIR, PORT: '0', DATABASE_URL: databaseUrl };
  const child = spawn(process.execPath, [...nodeOptions, MAIN], {
    env: servingEnvironment({ ...process.env, ...NO_LIMITS, ...own, ...env }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  process.once('exit', () => child.kill('SIGKILL'));
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The server ended with exit code ${code}.`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, address] = /is ready: (http:\S+)/.exec(line) ?? [];
      if (address) resolve(address);
    });
  });
  return {
    url,
    pid: child.pid!,
    async memory() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      const of = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * KIBIBYTE;
      return { now: of('VmRSS'), peak: of('VmHWM') };
    },
    stop,
  };
}

async function newDataDir(): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'drawhouse-served-'));
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
