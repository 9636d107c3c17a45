import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const AUDIT = fileURLToPath(new URL('../../src/commands/run-audit.ts', import.meta.url));

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  readonly output: () => string;
  readonly ended: Promise<number | null>;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export const QUICK_PASSWORDS = ['--import', new URL('../quick-passwords.ts', import.meta.url).href];

export async function startServer(
  dataDir: string,
  env: Record<string, string> = {},
  nodeOptions: readonly string[] = [],
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...nodeOptions, MAIN], {
    env: { ...process.env, PORT: '0', ...env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk;
      const ready = /is ready: (\S+)/.exec(output);
      if (ready && output.endsWith('\n')) resolve(ready[1]!);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${output}`)));
  });
  return { url, pid: child.pid!, output: () => output, ended, end: (signal) => endChild(child, signal) };
}

async function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  const [code] = (await ended) as [number | null];
  return code;
}

export interface CommandEnd {
  readonly code: number | null;
  readonly output: string;
}

export function startCommand(
  script: string,
  args: readonly string[],
  env: Record<string, string>,
): { readonly child: ChildProcess; readonly ended: Promise<CommandEnd> } {
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk));
  return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, output })) };
}

export function runAudit(dataDir: string, env: Record<string, string> = {}): Promise<CommandEnd> {
  return startCommand(AUDIT, [], { ...env, DATA_DIR: dataDir }).ended;
}

export async function postgresPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

export async function postgresPids(dataDir: string): Promise<[postmaster: number, ...others: number[]]> {
  const postmaster = await postgresPid(dataDir);
  return [
    postmaster,
    ...readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid && parentOf(pid) === postmaster),
  ];
}

function parentOf(pid: number): number {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    );
  } catch {
    return 0;
  }
}
