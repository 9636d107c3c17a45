import { deviceName } from '@drawhouse/contract/auth/device-name';
import type { OwnDevice } from '@drawhouse/contract/auth/auth';
import { useState } from 'react';
import { serverTexts, sharedText } from '../../lib/inLanguage.ts';
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
    return (await call(accountRoutes.sessions, {}, { signal, background: true })).data;
  });
  return (
    <section className={styles.form} aria-labelledby="sessions">
      <h2 id="sessions">{texts.title}</h2>
      {error !== undefined && <ReadFailure error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Skeleton heights={[72, 72]} label={texts.loading} />}
      {data && (
        <ul className={styles.sessions}>
          {data.map((device) => (
            <DeviceRow key={device._id} device={device} />
          ))}
        </ul>
      )}
      {data && data.length > 1 && <EndOthers />}
    </section>
  );
}

function EndOthers() {
  const { isBusy, end } = useEnding(async () =>
    serverTexts.done((await call(accountRoutes.endOtherSessions, {})).message),
  );
  return (
    <Button isBusy={isBusy} onClick={() => void end()}>
      {texts.endOthers}
    </Button>
  );
}

function useEnding(act: () => Promise<string>) {
  const [isBusy, setBusy] = useState(false);
  const end = async () => {
    setBusy(true);
    try {
      showToast(await act());
    } catch (error) {
      showToast(failureText(error));
    }
    setBusy(false);
    refetch(OWN_SESSIONS);
  };
  return { isBusy, end };
}

function DeviceRow({ device: { _id, userAgent, ipAddress, createdAt, lastUsedAt, current } }: { device: OwnDevice }) {
  const name = sharedText(deviceName(userAgent));
  const { isBusy, end } = useEnding(async () => {
    await call(accountRoutes.endSession, { params: { sessionId: _id } });
    return texts.signedOut(name);
  });
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <p className={styles.used} data-here={current || undefined}>
          {current ? texts.here : texts.lastUsed(lastUsedAt)}
        </p>
        <p className={styles.more}>{texts.since(createdAt, ipAddress)}</p>
      </div>
      {!current && (
        <Button
          isBusy={isBusy}
          aria-label={`${texts.signOutNamed(name)}. ${texts.lastUsed(lastUsedAt)}`}
          onClick={() => void end()}
        >
          {texts.signOut}
        </Button>
      )}
    </li>
  );
}
