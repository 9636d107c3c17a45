import { createElement } from 'react';
import { useConnectionState } from '../lib/server/liveConnection.ts';
import { Link, useAddress } from '../lib/navigation.ts';
import { useOpenBets } from '../lib/betting/openBets.ts';
import { useRestoreInProgress } from '../lib/session/sessionCalls.ts';
import { useLazyModule } from '../lib/useLazyModule.ts';
import { useReachable } from '@drawhouse/session/server-reach';
import { RequestLine } from '../ui/Notice.tsx';
import { useToast } from '../lib/toast.ts';
import { useNewVersion } from './workerUpdate.ts';
import styles from './ShellNotices.module.css';
import { shellTexts } from './shellTexts.ts';

const texts = shellTexts.notices;
const loadRare = async () => (await import('./RareNotices.tsx')).RareNotices;

/** The board shows open bets itself. */
function OpenBetsLine() {
  const { path } = useAddress();
  const first = useOpenBets().find(({ gameId }) => path !== `/play/${gameId}`);
  if (!first) return null;
  return (
    <span className={styles.line}>
      <span>
        <strong>{texts.openBet.title}</strong> {texts.openBet.text(first.stake)}
      </span>
      <Link to={`/play/${first.gameId}`}>{texts.openBet.action}</Link>
    </span>
  );
}

export function ShellNotices() {
  const isReachable = useReachable();
  // The board has its own notice, which moves nothing.
  const isBoard = /^\/play\/[^/]+$/.test(useAddress().path);
  const line = useConnectionState();
  const isNew = useNewVersion();
  const isRestoring = useRestoreInProgress();
  const toast = useToast();
  const rare = useLazyModule(isNew || isRestoring || line === 'lost' || line === 'elsewhere', loadRare);
  return (
    <>
      <div className={styles.top}>
        <output className={styles.lines}>
          {!isReachable && !isBoard && (
            <span className={styles.line} data-tone="bad">
              <strong>{texts.offline.title}</strong> {texts.offline.text}
            </span>
          )}
          <OpenBetsLine />
          {isReachable && rare && createElement(rare, { line, isNew, waits: isRestoring })}
        </output>
      </div>
      <output className={styles.foot}>
        {toast !== null && (
          <span className={styles.said}>
            {toast}
            <RequestLine error={toast} />
          </span>
        )}
      </output>
    </>
  );
}
