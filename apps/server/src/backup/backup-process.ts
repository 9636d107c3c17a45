import { DatabaseUnavailable } from '../db/unavailable.ts';
import { BackupRefused } from './disk-room.ts';
import { standBack } from './stand-back.ts';
import { takeBackup } from './take-backup.ts';
import type { FromProcess, SentFailure, SentOrder } from './take-backup-apart.ts';

function failureOf(error: Error): SentFailure {
  if (error instanceof BackupRefused) return { kind: 'refused', message: error.message };
  const kind = error instanceof DatabaseUnavailable ? 'unavailable' : 'other';
  const { message, code, syscall } = (kind === 'unavailable' ? error.cause : error) as NodeJS.ErrnoException;
  return { kind, message, code, syscall };
}

/** The process of `takeBackupApart`: it is sent one order, says how far it has come and what came of it, and ends. */
function main(): void {
  standBack();
  const stop = new AbortController();
  process.on('disconnect', () => stop.abort(new Error('It was given up.')));
  // A terminal tells both of them; which of them ends it is the other's to say.
  process.on('SIGINT', () => {});
  process.once('message', (order: SentOrder) => {
    const say = (message: FromProcess): void => void (process.connected && process.send!(message));
    takeBackup({ ...order, signal: stop.signal, progress: (...progress) => say({ progress }) })
      .then(
        (manifest) => say({ manifest }),
        (error: Error) => say({ failure: failureOf(error) }),
      )
      .finally(() => process.connected && process.disconnect());
  });
}

main();
