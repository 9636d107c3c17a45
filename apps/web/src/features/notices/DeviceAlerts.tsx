import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { setAnnounced, useAnnounced } from './announceNotices.ts';
import { noticesTexts } from './noticesTexts.ts';

const texts = noticesTexts.settings;

export function DeviceAlerts() {
  const [isDenied, setDenied] = useState(false);
  const sound = useAnnounced('sound');
  const browser = useAnnounced('browser');
  return (
    <>
      <Checkbox
        label={texts.sound}
        description={texts.onDevice}
        checked={sound}
        onChange={({ currentTarget }) => void setAnnounced('sound', currentTarget.checked)}
      />
      <Checkbox
        label={texts.browser}
        description={texts.onDevice}
        checked={browser}
        error={isDenied && texts.denied}
        onChange={({ currentTarget }) =>
          void setAnnounced('browser', currentTarget.checked).then((isSet) => setDenied(!isSet))
        }
      />
    </>
  );
}
