import type { LineState } from '../lib/liveLine.ts';
import { Button } from '../ui/Button.tsx';
import { takeOver } from './workerUpdate.ts';
import styles from './FrameNotices.module.css';

interface RareNoticesProps {
  line: LineState;
  isNew: boolean;
  waits: boolean;
}

/** Rarely needed, hence a lazy chunk. */
export function RareNotices({ line, isNew, waits }: RareNoticesProps) {
  return (
    <>
      {waits && (
        <span className={styles.line} data-tone="warn">
          <strong>Betting waits.</strong> A backup of the games is being put back. Try again in a few minutes.
        </span>
      )}
      {line === 'lost' && (
        <span className={styles.line} data-tone="warn">
          <strong>Reconnecting.</strong> Countdowns go on; results may come late.
        </span>
      )}
      {line === 'elsewhere' && (
        <span className={styles.line} data-tone="warn">
          <strong>Open elsewhere.</strong> Too many pages of yours are live. This one goes on when you touch it.
        </span>
      )}
      {isNew && (
        <span className={styles.line}>
          <span>
            <strong>There is a new version.</strong> It comes with the next page.
          </span>
          <Button kind="quiet" onClick={() => void takeOver()}>
            Load it now
          </Button>
        </span>
      )}
    </>
  );
}
