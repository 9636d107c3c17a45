import { pointsText } from '../lib/amounts.ts';
import { useLineState } from '../lib/liveLine.ts';
import { Link, useAddress } from '../lib/navigation.ts';
import { useOpenBets } from '../lib/openBets.ts';
import { useBettingWaits } from '../lib/useBettingWaits.ts';
import { useReachable } from '../lib/useReachable.ts';
import { Button } from '../ui/Button.tsx';
import { RequestLine } from '../ui/RequestLine.tsx';
import { useSaid } from '../lib/sayings.ts';
import { takeOver, useNewVersion } from './workerUpdate.ts';
import styles from './FrameNotices.module.css';

/** That it is being found out what became of a ticket, on every page but the board that says it itself. */
function OpenBetsLine() {
  const { path } = useAddress();
  const first = useOpenBets().find(({ gameId }) => path !== `/play/${gameId}`);
  if (!first) return null;
  return (
    <span className={styles.line}>
      <span>
        <strong>Finding out whether your ticket was placed:</strong> {pointsText(first.stake)} points.
      </span>
      <Link to={`/play/${first.gameId}`}>To its board</Link>
    </span>
  );
}

/** Notices on every page: no connection, reconnecting, a bet whose outcome is unknown, a newer version. */
export function FrameNotices() {
  const isReachable = useReachable();
  const line = useLineState();
  const isNew = useNewVersion();
  const waits = useBettingWaits();
  const said = useSaid();
  return (
    <>
      <div className={styles.top}>
        <output className={styles.lines}>
          {!isReachable && (
            <span className={styles.line} data-tone="bad">
              <strong>No connection.</strong> What you see may be old. It goes on by itself; until then nothing can be
              laid.
            </span>
          )}
          {isReachable && waits && (
            <span className={styles.line} data-tone="warn">
              <strong>Betting waits.</strong> A backup of the games is being put back. Try again in a few minutes.
            </span>
          )}
          {isReachable && line === 'lost' && (
            <span className={styles.line} data-tone="warn">
              <strong>Reconnecting.</strong> Countdowns go on; results may come late.
            </span>
          )}
          {isReachable && line === 'elsewhere' && (
            <span className={styles.line} data-tone="warn">
              <strong>Open elsewhere.</strong> Too many pages of yours are live. This one goes on when you touch it.
            </span>
          )}
          <OpenBetsLine />
          {isReachable && isNew && (
            <span className={styles.line}>
              <span>
                <strong>There is a new version.</strong> It comes with the next page.
              </span>
              <Button kind="quiet" onClick={() => void takeOver()}>
                Load it now
              </Button>
            </span>
          )}
        </output>
      </div>
      <output className={styles.foot}>
        {said !== null && (
          <span className={styles.said}>
            {said}
            <RequestLine said={said} />
          </span>
        )}
      </output>
    </>
  );
}
