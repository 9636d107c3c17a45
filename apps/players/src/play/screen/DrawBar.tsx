import { LANGUAGES, language } from '@drawhouse/session/language';
import { richText } from '@drawhouse/session/rich-text';
import { useReachable } from '@drawhouse/session/server-reach';
import { drawName, isClockNumber } from '@drawhouse/rules/time/draw-name';
import { createElement, useCallback } from 'react';
import { type DrawPhase, laterOpening, nextMoment, phaseOf } from '../../lib/betting/drawPhase.ts';
import { useLazyModule } from '../../lib/useLazyModule.ts';
import { useServerTime } from '../../lib/server/serverTime.ts';
import { playerTexts } from '../../lib/playerTexts.ts';
import { Countdown, Money, TimeSignedIn } from '../../ui/Figures.tsx';
import type { DrawPayout, OpenStakes } from '../ownStakes.ts';
import type { PlayState } from '../playState.ts';
import styles from '../PlayScreen.module.css';
import { playTexts } from '../playTexts.ts';
import { netOf } from '../../lib/betting/lobbyNews.ts';
import { Link } from '../../lib/navigation.ts';
import { Button } from '../../ui/Button.tsx';
import type { PlaySettings } from '../../lib/playSettings.ts';
import { useLobby } from '../../lib/betting/useLobby.ts';

const texts = playTexts.draw;

export function useDrawPhase({ draw }: Pick<PlayState, 'draw'>): DrawPhase {
  return useServerTime(useCallback((now: number) => phaseOf(draw, now), [draw]));
}

interface DrawBarProps {
  state: PlayState;
  phase: DrawPhase;
  /** Null: unknown. */
  stakes: OpenStakes | null;
  payout: DrawPayout;
}

export function DrawBar({ state, phase, stakes, payout }: DrawBarProps) {
  const moment = useServerTime(useCallback((now: number) => nextMoment(state, now) ?? '', [state]));
  const opening = useServerTime(useCallback((now: number) => laterOpening(state, now), [state]));
  const outside = state.draw?.outside ?? null;
  const isReachable = useReachable();
  const countdown = useLazyModule(useServerTime(isHidden), fetchCountdown);
  return (
    <section className={styles.drawBar} data-phase={isReachable ? phase : 'offline'} aria-label={texts.label}>
      <p className={styles.drawText}>
        <span aria-live="polite">{isReachable ? phaseText(phase, moment, opening) : texts.offline}</span>
      </p>
      {moment !== '' && <Countdown until={moment} className={styles.clock} />}
      <p className={styles.drawStake}>
        {isRunning(phase) && nameOf(state)}
        {outside !== null && `${playerTexts.outside(outside)}. `}
        {stakeText(phase, stakes, payout)}
      </p>
      {countdown && createElement(countdown, { moment })}
    </section>
  );
}

function phaseText(phase: DrawPhase, moment: string, opening: string): string {
  if (opening !== '') return texts.opensAt(opening);
  return moment === '' ? texts.notOpen : texts.phases[phase];
}

const isRunning = (phase: DrawPhase): boolean => phase === 'open' || phase === 'closed';

/** Date and time of a scheduled draw, such as `31 Jan, 13:00. `. Empty for other draws. */
function nameOf({ draw }: PlayState): string {
  if (!draw || !isClockNumber(draw.number)) return '';
  return `${drawName(draw.number, LANGUAGES[language].dates).replace(/ \d{4},/, ',')}. `;
}

const fetchCountdown = async () => (await import('./tabCountdown.ts')).TabCountdown;

const isHidden = (): boolean => document.visibilityState === 'hidden';

function stakeText(phase: DrawPhase, stakes: OpenStakes | null, payout: DrawPayout): string {
  if (isRunning(phase) && stakes && stakes.bets > 0) return texts.staked(stakes.staked, stakes.bets);
  if (payout) {
    const { won, staked } = payout;
    if (won === 0) return texts.lastLost(staked);
    return won > staked ? texts.lastWon(won, staked) : texts.lastBack(won, staked);
  }
  return isRunning(phase) && stakes ? texts.noStake : '\u00A0';
}

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
        <Link href={rulesPath}>{playTexts.day.rules}</Link>
        <Button kind="quiet" onClick={onSettings}>
          {playTexts.day.settings}
        </Button>
        <Link href="/mine/limits">{playerTexts.limits}</Link>
      </span>
      {day &&
        reminder &&
        !isBusy &&
        createElement(reminder, { settings, signedInAt: day.signedInAt, today: day.today })}
    </section>
  );
}
