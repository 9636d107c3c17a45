import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseUnavailable } from '../../platform/db/connection/unavailable.ts';
import { BackupRefused } from '../keep/disk-space.ts';
import type { Manifest } from './archive/manifest.ts';
import type { BackupOrder } from './take-backup.ts';
import { watchBusy } from './watch-busy.ts';
import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { BACKUP_TEXTS } from '../backup-texts.ts';

const PROCESS = fileURLToPath(new URL('backup-process.ts', import.meta.url));

export type SentOrder = Omit<BackupOrder, 'signal' | 'progress' | 'disk' | 'isBusy'>;

export type ToProcess = { readonly order: SentOrder } | { readonly isBusy: boolean };

export interface SentFailure {
  readonly kind: 'refused' | 'unavailable' | 'other';
  readonly message: string;
  readonly code?: string | undefined;
  readonly syscall?: string | undefined;
}

export type FromProcess =
  | { readonly progress: readonly [step: string, done: number, total: number] }
  | { readonly manifest: Manifest }
  | { readonly failure: SentFailure };

/** The child runs at low priority, pauses while this process is busy, and exits with it. */
export async function takeBackupInChild({
  signal,
  progress,
  disk: _,
  isBusy: __,
  ...order
}: BackupOrder): Promise<Manifest> {
  signal.throwIfAborted();
  const child = fork(PROCESS, {
    serialization: 'advanced',
    // A larger young generation would only fill up before each sweep.
    execArgv: ['--max-semi-space-size=4'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let result: { manifest: Manifest } | { failure: SentFailure } | undefined;
  child.on('message', (message: FromProcess) => {
    if ('progress' in message) progress?.(...message.progress);
    else result = message;
  });
  child.on('error', () => {});
  // The child may be gone.
  const send = (message: ToProcess): void => void (child.connected && child.send(message, () => {}));
  const watch = watchBusy((isBusy) => send({ isBusy }));
  const cut = (): void => void (child.connected && child.disconnect());
  signal.addEventListener('abort', cut);
  try {
    const ended = once(child, 'exit');
    send({ order });
    const [code, killedBy] = (await ended) as [number | null, NodeJS.Signals | null];
    // Exit can precede the last message.
    if (child.connected) await once(child, 'disconnect');
    if (result && 'manifest' in result) return result.manifest;
    // A group-wide signal may have killed the child first.
    if (!result) await rm(path.join(order.into, order.name), { recursive: true, force: true });
    signal.throwIfAborted();
    if (result) throw errorOf(result.failure);
    throw new Error(BACKUP_TEXTS.processStopped(killedBy ?? code));
  } finally {
    watch.stop();
    signal.removeEventListener('abort', cut);
  }
}

function errorOf({ kind, message, code, syscall }: SentFailure): Error {
  if (kind === 'refused') return new BackupRefused(message);
  const error = Object.assign(new Error(message), code !== undefined && { code }, syscall !== undefined && { syscall });
  return kind === 'unavailable' ? new DatabaseUnavailable(error) : error;
}

const NICE = 5;

/**
 * On Linux each thread has its own priority; new ones inherit it. A slow reader also slows the PostgreSQL process
 * behind it.
 */
export function lowerPriority(): void {
  try {
    const behind = Math.min(constants.priority.PRIORITY_LOW, getPriority() + NICE);
    if (process.platform === 'linux')
      for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), behind);
    else setPriority(behind);
  } catch {
    // Keeps normal priority.
  }
}
