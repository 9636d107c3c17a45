import { createElement, useCallback } from 'react';
import { netOf } from '../../lib/betting/lobbyNews.ts';
import { Link } from '../../lib/navigation.ts';
import { useServerTime } from '../../lib/server/serverTime.ts';
import { Button } from '../../ui/Button.tsx';
import { Money, TimeSignedIn } from '../../ui/Figures.tsx';
import type { PlaySettings } from '../../lib/playSettings.ts';
import { useLobby } from '../../lib/betting/useLobby.ts';
import { useLazyModule } from '../../lib/useLazyModule.ts';
import styles from '../PlayScreen.module.css';
import { playTexts } from '../playTexts.ts';
import { richText } from '@drawhouse/session/rich-text';
import { playerTexts } from '../../lib/playerTexts.ts';

/** Lets the board load first. */
const FETCH_AFTER_MS = 60_000;

const loadReminder = async () => (await import('./Reminder.tsx')).Reminder;

interface DayLineProps {
  settings: PlaySettings;
  rulesPath: string;
  onSettings: () => void;
  isBusy: boolean;
}

export function DayLine({ settings, rulesPath, onSettings, isBusy }: DayLineProps) {
  const { data: day } = useLobby();
  const signedInAt = day?.signedInAt;
  // Loads early: after a server update, this build's chunks are gone.
  const isWanted = useServerTime(
    useCallback(
      (now: number) => signedInAt !== undefined && now > Date.parse(signedInAt) + FETCH_AFTER_MS,
      [signedInAt],
    ),
  );
  const reminder = useLazyModule(isWanted, loadReminder);
  return (
    <section className={styles.dayLine} aria-label={playTexts.day.label}>
      <p>
        {day
          ? richText(playTexts.day.today, {
              time: <TimeSignedIn since={day.signedInAt} />,
              net: <Money points={netOf(day.today)} isChange />,
            })
          : '\u00A0'}
      </p>
      <span className={styles.dayLinks}>
        <Link to={rulesPath}>{playTexts.day.rules}</Link>
        <Button kind="quiet" onClick={onSettings}>
          {playTexts.day.settings}
        </Button>
        <Link to="/mine/limits">{playerTexts.limits}</Link>
      </span>
      {day &&
        reminder &&
        !isBusy &&
        createElement(reminder, { settings, signedInAt: day.signedInAt, today: day.today })}
    </section>
  );
}
