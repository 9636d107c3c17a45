/** What a player has set for playing, on this device. */
export interface PlaySettings {
  /** A ticket that costs more than so many points is asked about once more; null: never. */
  readonly askAbove: number | null;
  /** After so many minutes it is said how long one has been signed in. */
  readonly remindMinutes: number;
}

/** How often it may be said how long one has been signed in: never less often than every 30 minutes. */
export const REMIND_MINUTES: readonly number[] = [5, 10, 15, 20, 30];
/** What holds where nothing was set. */
export const USUAL_SETTINGS: PlaySettings = { askAbove: 1_000, remindMinutes: 30 };

/** What was kept, read from its text; what is not right is as usual. */
export function readSettings(kept: string | null): PlaySettings {
  let value: unknown = null;
  try {
    value = JSON.parse(kept ?? 'null');
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

/** Whether a ticket is asked about once more before it is placed. */
export function asksFirst({ askAbove }: PlaySettings, stake: number): boolean {
  return askAbove !== null && stake > askAbove;
}

/** How many reminders have come due since the sign-in, all times in milliseconds. */
export function remindersDue({ remindMinutes }: PlaySettings, signedInAt: number, now: number): number {
  return Math.max(0, Math.floor((now - signedInAt) / (remindMinutes * 60_000)));
}
