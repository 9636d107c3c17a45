import { useMemo } from 'react';
import { useSession } from './session/playerSession.ts';
import { useDeviceStorage } from './useDeviceStorage.ts';

export interface PlaySettings {
  /** Tickets above this many points need confirmation. Null: never. */
  readonly askAbove: number | null;
  readonly remindMinutes: number;
}

export const REMIND_MINUTES: readonly number[] = [5, 10, 15, 20, 30];
export const USUAL_SETTINGS: PlaySettings = { askAbove: 1_000, remindMinutes: 30 };

/** Invalid values fall back to defaults. */
export function readSettings(stored: string | null): PlaySettings {
  let value: unknown = null;
  try {
    value = JSON.parse(stored ?? 'null');
  } catch {
    return USUAL_SETTINGS;
  }
  if (typeof value !== 'object' || value === null) return USUAL_SETTINGS;
  const { askAbove, remindMinutes } = value as Record<string, unknown>;
  const isAmount = typeof askAbove === 'number' && Number.isFinite(askAbove) && askAbove >= 0;
  return {
    askAbove: askAbove === null || isAmount ? askAbove : USUAL_SETTINGS.askAbove,
    remindMinutes: REMIND_MINUTES.includes(remindMinutes as number)
      ? (remindMinutes as number)
      : USUAL_SETTINGS.remindMinutes,
  };
}

export function asksFirst({ askAbove }: PlaySettings, stake: number): boolean {
  return askAbove !== null && stake > askAbove;
}

/** Times are in milliseconds. */
export function remindersDue({ remindMinutes }: PlaySettings, signedInAt: number, now: number): number {
  return Math.max(0, Math.floor((now - signedInAt) / (remindMinutes * 60_000)));
}

export function usePlaySettings() {
  const accountId = useSession()?.user?._id ?? '';
  const [stored, store] = useDeviceStorage(`play/${accountId}`);
  const settings = useMemo(() => readSettings(stored), [stored]);
  return { accountId, settings, setSettings: (next: PlaySettings) => store(JSON.stringify(next)) };
}
