import { DatabaseUnavailable } from '../../platform/db/connection/unavailable.ts';
import { BackupRefused } from '../keep/disk-space.ts';
import { takeBackup } from './take-backup.ts';
import {
  lowerPriority,
  type FromProcess,
  type SentFailure,
  type SentOrder,
  type ToProcess,
} from './take-backup-in-child.ts';
import { BACKUP_TEXTS } from '../backup-texts.ts';

function failureOf(error: Error): SentFailure {
  if (error instanceof BackupRefused) return { kind: 'refused', message: error.message };
  const kind = error instanceof DatabaseUnavailable ? 'unavailable' : 'other';
  const { message, code, syscall } = (kind === 'unavailable' ? error.cause : error) as NodeJS.ErrnoException;
  return { kind, message, code, syscall };
}

function main(): void {
  const stop = new AbortController();
  process.on('disconnect', () => stop.abort(new Error(BACKUP_TEXTS.stopped)));
  // Terminals signal both processes; the parent decides.
  process.on('SIGINT', () => {});
  let isBusy = false;
  process.on('message', (message: ToProcess) => {
    if ('order' in message) void carryOut(message.order, stop.signal, () => isBusy);
    else isBusy = message.isBusy;
  });
}

async function carryOut(order: SentOrder, signal: AbortSignal, isBusy: () => boolean): Promise<void> {
  const say = async (message: FromProcess): Promise<void> => {
    if (process.connected)
      await new Promise<void>((sent) => process.send!(message, undefined, undefined, () => sent()));
  };
  try {
    let standsBack = false;
    const progress = (...told: [string, number, number]): void => {
      // At low priority, connecting could time out.
      if (!standsBack) lowerPriority();
      standsBack = true;
      void say({ progress: told });
    };
    const manifest = await takeBackup({ ...order, signal, isBusy, progress });
    // An earlier exit would drop messages.
    await say({ manifest });
  } catch (error) {
    await say({ failure: failureOf(error as Error) });
  }
  if (process.connected) process.disconnect();
}

main();
