import { deviceName } from '@drawhouse/contract/auth/device-name';
import { forgetDevice, rememberedDevices } from '@drawhouse/contract/auth/factors';
import { richText } from '@drawhouse/session/rich-text';
import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { failureNote } from '../../../lib/RequestId.tsx';
import { call, callQuery, errorMessage } from '../../../lib/server/api.ts';
import { reload } from '../../../lib/server/queryClient.ts';
import { DateTime } from '../../../ui/mark/DateTime.tsx';
import rows from '../SessionList.module.css';
import { factorTexts } from './factorTexts.ts';

const texts = factorTexts.remembered;
const QUERY_KEY = ['session', 'remembered'] as const;

/** Empty for networks that remember no devices. */
export function RememberedDevices() {
  const { data } = useQuery(callQuery(QUERY_KEY, rememberedDevices, {}));
  const forget = useMutation({
    mutationFn: (deviceId: string) => call(forgetDevice, { params: { deviceId } }),
    onSuccess: ({ message }) => notifications.show({ message }),
    onError: (error) => notifications.show({ color: 'red', message: failureNote(errorMessage(error)) }),
    onSettled: () => reload(QUERY_KEY),
  });
  if (!data || data.data.length === 0) return null;
  return (
    <>
      <Text mt="md">{texts.title}</Text>
      <ul className={rows.list}>
        {data.data.map(({ _id: id, userAgent, until, current }) => (
          <li key={id}>
            <div>
              <div className={rows.device} title={userAgent}>
                {deviceName(userAgent)}
              </div>
              <div className={rows.facts}>
                {current && <span>{texts.current}</span>}
                <span>{richText(texts.until, { time: <DateTime value={until} /> })}</span>
              </div>
            </div>
            <Button
              className={rows.end}
              variant="default"
              size="xs"
              disabled={forget.isPending}
              aria-label={texts.forgetOf(deviceName(userAgent))}
              onClick={() => forget.mutate(id)}
            >
              {texts.forget}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
