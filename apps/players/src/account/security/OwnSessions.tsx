import { deviceName } from '@drawhouse/contract/auth/device-name';
import type { OwnSession } from '@drawhouse/contract/auth/auth';
import { useState } from 'react';
import { call, failureText } from '../../lib/server/playerApi.ts';
import { accountRoutes } from '../accountRoutes.ts';
import { showToast } from '../../lib/toast.ts';
import { refetch, useQuery } from '../../lib/server/useQuery.ts';
import { Button } from '../../ui/Button.tsx';
import { ReadFailure, Skeleton } from '../../ui/Page.tsx';
import { securityTexts } from './securityTexts.ts';
import styles from './MyAccountPage.module.css';

const texts = securityTexts.sessions;

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
      <h2 id="sessions">{texts.title}</h2>
      {error !== undefined && <ReadFailure error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Skeleton heights={[72, 72]} label={texts.loading} />}
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
      showToast(texts.signedOut(device));
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
          {texts.about(current ? texts.thisDevice : texts.lastUsed(lastUsedAt), createdAt, ipAddress)}
        </p>
      </div>
      {!current && (
        <Button isBusy={isBusy} aria-label={texts.signOutNamed(device)} onClick={() => void end()}>
          {texts.signOut}
        </Button>
      )}
    </li>
  );
}
