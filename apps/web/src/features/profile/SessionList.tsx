import { endOtherSessions, endOwnSession, listSessions, type OwnDevice } from '@drawhouse/contract/auth/auth';
import { isUnconfirmed } from '@drawhouse/session/api-client';
import { Button, Skeleton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call, callQuery, errorMessage } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { useSignOut } from '../../lib/session/sessionCalls.ts';
import { failureNote } from '../../lib/RequestId.tsx';
import { commonTexts } from '../../commonTexts.ts';
import { DateTime } from '../../ui/mark/DateTime.tsx';
import { ErrorState } from '../../ui/page/PageStates.tsx';
import { StatusBadge } from '../../ui/mark/StatusBadge.tsx';
import { deviceName } from '@drawhouse/contract/auth/device-name';
import classes from './SessionList.module.css';
import { profileTexts } from './profileTexts.ts';
import { richText } from '@drawhouse/session/rich-text';

export function SessionList() {
  const { data, error, refetch } = useQuery(callQuery(['session', 'own'], listSessions, {}));
  if (!data) {
    return error ? (
      <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
    ) : (
      <Skeleton height={64} radius="md" />
    );
  }
  return (
    <>
      <ul className={classes.list}>
        {data.data.map((device) => (
          <DeviceRow key={device._id} device={device} />
        ))}
      </ul>
      {data.data.length > 1 && <EndOthers />}
    </>
  );
}

function useEnding(act: () => Promise<string>) {
  return useMutation({
    mutationFn: act,
    onSuccess: (message) => notifications.show({ message }),
    onError: (error) => {
      if (!isUnconfirmed(error)) notifications.show({ color: 'red', message: failureNote(errorMessage(error)) });
    },
    onSettled: () => reload(['session', 'own']),
  });
}

function EndOthers() {
  const end = useEnding(async () => (await call(endOtherSessions, {})).message);
  return (
    <Button className={classes.others} variant="default" loading={end.isPending} onClick={() => end.mutate()}>
      {profileTexts.signOutEverywhereElse}
    </Button>
  );
}

function DeviceRow({ device }: { device: OwnDevice }) {
  const signOutHere = useSignOut();
  const name = deviceName(device.userAgent);
  const end = useEnding(async () => {
    await call(endOwnSession, { params: { sessionId: device._id } });
    return profileTexts.isSignedOut(name);
  });
  return (
    <li>
      <div>
        <div className={classes.device}>
          <span title={device.userAgent}>{name}</span>
          {device.current && <StatusBadge tone="good">{profileTexts.thisDevice}</StatusBadge>}
        </div>
        <div className={classes.facts}>
          <span className={classes.ip}>{device.ipAddress}</span>
          <span>{richText(profileTexts.signedIn, { time: <DateTime value={device.createdAt} relative /> })}</span>
          <span>{richText(profileTexts.lastUsed, { time: <DateTime value={device.lastUsedAt} relative /> })}</span>
        </div>
      </div>
      <Button
        className={classes.end}
        variant="default"
        size="xs"
        loading={end.isPending}
        aria-label={`${commonTexts.auth.logout}: ${name}, ${device.ipAddress}${device.current ? profileTexts.markOfThisDevice : ''}`}
        onClick={() => (device.current ? void signOutHere() : end.mutate())}
      >
        {commonTexts.auth.logout}
      </Button>
    </li>
  );
}
