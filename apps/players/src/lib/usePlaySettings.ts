import { useMemo } from 'react';
import { useSession } from './playerSession.ts';
import { readSettings } from './playSettings.ts';
import type { PlaySettings } from './playSettings.ts';
import { useDeviceStorage } from './useDeviceStorage.ts';

export function usePlaySettings() {
  const accountId = useSession()?.user?._id ?? '';
  const [kept, keep] = useDeviceStorage(`play/${accountId}`);
  const settings = useMemo(() => readSettings(kept), [kept]);
  return { accountId, settings, setSettings: (next: PlaySettings) => keep(JSON.stringify(next)) };
}
