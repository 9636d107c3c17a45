import { deviceName } from '@drawhouse/contract/auth/device-name';
import type { OwnDevice } from '@drawhouse/contract/auth/auth';
import { endLoginSessions, loginSessions, type Login } from '@drawhouse/contract/logins/logins';
import { Button, Group, Skeleton, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { failureNote } from '../../lib/RequestId.tsx';
import { call, callQuery, errorMessage } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { DateTime } from '../../ui/mark/DateTime.tsx';
import { ErrorState } from '../../ui/page/PageStates.tsx';
import classes from './Logins.module.css';
import { loginTexts as texts } from './loginTexts.ts';

interface LoginDevicesDialogProps {
  target: Login | null;
  onClose: () => void;
}

export function LoginDevicesDialog({ target, onClose }: LoginDevicesDialogProps) {
  const [shown, setShown] = useState(target);
  if (target && target !== shown) setShown(target);
  return (
    <Dialog opened={target !== null} onClose={onClose} title={shown ? texts.login(shown.name) : ''}>
      {target && <Devices login={target} />}
    </Dialog>
  );
}

function Devices({ login }: { login: Login }) {
  const params = { number: String(login.number) };
  const { data, error, refetch } = useQuery(callQuery(['logins', login.number], loginSessions, { params }));
  const end = useMutation({
    mutationFn: (device: OwnDevice | null) =>
      call(endLoginSessions, { params, query: device ? { sessionId: device._id } : {} }),
    onSuccess: ({ message }, device) =>
      notifications.show({ message: device ? texts.isSignedOut(deviceName(device.userAgent)) : message }),
    onError: (refusal) => notifications.show({ color: 'red', message: failureNote(errorMessage(refusal)) }),
    onSettled: () => reload(['logins']),
  });
  if (!data)
    return error ? (
      <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
    ) : (
      <Skeleton height={64} aria-label={texts.loading} aria-busy />
    );
  if (data.data.length === 0) return <Text>{texts.noDevices}</Text>;
  return (
    <>
      <ul className={classes.devices}>
        {data.data.map((device) => (
          <li key={device._id}>
            <div>
              <strong title={device.userAgent}>{deviceName(device.userAgent)}</strong>
              <div className={classes.facts}>
                <span>{device.ipAddress}</span>
                <DateTime value={device.lastUsedAt} relative />
              </div>
            </div>
            <Button
              variant="default"
              size="xs"
              disabled={end.isPending}
              aria-label={`${texts.signOut}: ${deviceName(device.userAgent)}, ${device.ipAddress}`}
              onClick={() => end.mutate(device)}
            >
              {texts.signOut}
            </Button>
          </li>
        ))}
      </ul>
      <Group justify="flex-end" mt="md">
        <Button variant="default" loading={end.isPending} onClick={() => end.mutate(null)}>
          {texts.signOutAll}
        </Button>
      </Group>
    </>
  );
}
