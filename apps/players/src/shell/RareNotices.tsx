import type { ConnectionState } from '../lib/server/liveConnection.ts';
import { Button } from '../ui/Button.tsx';
import { takeOver } from './workerUpdate.ts';
import styles from './ShellNotices.module.css';

interface RareNoticesProps {
  line: ConnectionState;
  isNew: boolean;
  waits: boolean;
}

/** Rarely needed, hence a lazy chunk. */
export function RareNotices({ line, isNew, waits }: RareNoticesProps) {
  return (
    <>
      {waits && (
        <span className={styles.line} data-tone="warn">
          <strong>Betting is paused.</strong> A backup is being restored. Try again in a few minutes.
        </span>
      )}
      {line === 'lost' && (
        <span className={styles.line} data-tone="warn">
          <strong>Reconnecting.</strong> Countdowns continue; results may be late.
        </span>
      )}
      {line === 'elsewhere' && (
        <span className={styles.line} data-tone="warn">
          <strong>Paused.</strong> Too many of your pages are live. Tap this one to resume.
        </span>
      )}
      {isNew && (
        <span className={styles.line}>
          <span>
            <strong>New version available.</strong> It loads with the next page.
          </span>
          <Button kind="quiet" onClick={() => void takeOver()}>
            Load now
          </Button>
        </span>
      )}
    </>
  );
}
