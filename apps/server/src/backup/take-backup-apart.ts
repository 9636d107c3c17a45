import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseUnavailable } from '../db/unavailable.ts';
import { BackupRefused } from './disk-room.ts';
import type { Manifest } from './manifest.ts';
import type { BackupOrder } from './take-backup.ts';
import { watchBusy } from './watch-busy.ts';

const PROCESS = fileURLToPath(new URL('backup-process.ts', import.meta.url));

/** All of an order that is data. */
export type SentOrder = Omit<BackupOrder, 'signal' | 'progress' | 'disk' | 'isBusy'>;

/** What crosses to the process: its order first, then whether this one is busy. */
export type ToProcess = { readonly order: SentOrder } | { readonly isBusy: boolean };

/** How a backup failed there: by which kind of error, and what made it one. */
export interface SentFailure {
  readonly kind: 'refused' | 'unavailable' | 'other';
  readonly message: string;
  readonly code?: string | undefined;
  readonly syscall?: string | undefined;
}

/** What comes back. */
export type FromProcess =
  | { readonly progress: readonly [step: string, done: number, total: number] }
  | { readonly manifest: Manifest }
  | { readonly failure: SentFailure };

/**
 * Backs a network up as `takeBackup` does, in a process of its own that stands back and pauses while this one is busy, as with bets, which it keeps
 * from neither their thread nor the processors. It ends with this process, whatever ends that.
 */
export async function takeBackupApart({
  signal,
  progress,
  disk: _,
  isBusy: __,
  ...order
}: BackupOrder): Promise<Manifest> {
  signal.throwIfAborted();
  const child = fork(PROCESS, {
    serialization: 'advanced',
    // What passes through is short-lived: more room for it would only be filled before it is swept.
    execArgv: ['--max-semi-space-size=4'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let came: { manifest: Manifest } | { failure: SentFailure } | undefined;
  child.on('message', (message: FromProcess) => {
    if ('progress' in message) progress?.(...message.progress);
    else came = message;
  });
  child.on('error', () => {});
  // One that has said all, and is not heard yet, can be told nothing more.
  const tell = (message: ToProcess): void => void (child.connected && child.send(message, () => {}));
  const watch = watchBusy((isBusy) => tell({ isBusy }));
  const cut = (): void => void (child.connected && child.disconnect());
  signal.addEventListener('abort', cut);
  try {
    const ended = once(child, 'exit');
    tell({ order });
    const [code, killedBy] = (await ended) as [number | null, NodeJS.Signals | null];
    // Its end may be heard before the last of what it said.
    if (child.connected) await once(child, 'disconnect');
    if (came && 'manifest' in came) return came.manifest;
    // What was told to end all processes may have ended this one first.
    if (!came) await rm(path.join(order.into, order.name), { recursive: true, force: true });
    signal.throwIfAborted();
    if (came) throw errorOf(came.failure);
    throw new Error(`The process that made the backup was ended (${killedBy ?? code}).`);
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
