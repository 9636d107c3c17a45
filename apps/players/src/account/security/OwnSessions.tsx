import { deviceName } from '@drawhouse/contract/auth/device-name';
import type { OwnSession } from '@drawhouse/contract/auth/auth';
import { useState } from 'react';
import { momentText } from '../../lib/amounts.ts';
import { call, failureText } from '../../lib/server/playerApi.ts';
import { accountRoutes } from '../accountRoutes.ts';
import { showToast } from '../../lib/toast.ts';
import { refetch, useQuery } from '../../lib/server/useQuery.ts';
import { Button } from '../../ui/Button.tsx';
import { ReadFailure, Skeleton } from '../../ui/Page.tsx';
import styles from './MyAccountPage.module.css';

export const OWN_SESSIONS = 'sessions';

export function OwnSessions() {
  const { data, error, reload } = useQuery(OWN_SESSIONS, async (signal) => {
    const { data: sessions } = await call(accountRoutes.sessions, {}, { signal, background: true });
    return sessions.toSorted(
      (a, b) => Number(b.current) - Number(a.current) || Date.parse(b.lastUsedAt) - Date.parse(a.lastUsedAt),
    );
  });
  return (
    <section className={styles.form} aria-labelledby="sessions">
      <h2 id="sessions">Where you are signed in</h2>
      {error !== undefined && <ReadFailure error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Skeleton heights={[72, 72]} label="Loading your sessions" />}
      {data && (
        <ul className={styles.sessions}>
          {data.map((session) => (
            <SessionRow key={session._id} session={session} />
          ))}
        </ul>
      )}
    </section>
  );
}

function SessionRow({
  session: { _id, userAgent, ipAddress, createdAt, lastUsedAt, current },
}: {
  session: OwnSession;
}) {
  const [isBusy, setBusy] = useState(false);
  const device = deviceName(userAgent);
  const end = async () => {
    setBusy(true);
    try {
      await call(accountRoutes.endSession, { params: { sessionId: _id } });
      showToast(`${device} is signed out.`);
    } catch (error) {
      showToast(failureText(error));
    }
    setBusy(false);
    refetch(OWN_SESSIONS);
  };
  return (
    <li>
      <div>
        <strong>{device}</strong>
        <p className={styles.more}>
          {current ? 'This device' : `Last used ${momentText(lastUsedAt)}`} · since {momentText(createdAt)} ·{' '}
          {ipAddress}
        </p>
      </div>
      {!current && (
        <Button isBusy={isBusy} aria-label={`Sign out ${device}`} onClick={() => void end()}>
          Sign out
        </Button>
      )}
    </li>
  );
}
