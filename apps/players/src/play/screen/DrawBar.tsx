import { useCallback } from 'react';
import { nextMoment, phaseOf } from '../../lib/betting/drawPhase.ts';
import type { DrawPhase } from '../../lib/betting/drawPhase.ts';
import { useServerTime } from '../../lib/server/serverTime.ts';
import { Countdown } from '../../ui/Figures.tsx';
import type { PlayState } from '../playState.ts';
import styles from './DrawBar.module.css';

const WORDS: Readonly<Record<DrawPhase, string>> = {
  open: 'Betting closes in',
  closed: 'Betting is closed. Drawn in',
  over: 'Drawn. Next draw in',
  none: 'Next draw in',
};

export function useDrawPhase({ draw }: Pick<PlayState, 'draw'>): DrawPhase {
  return useServerTime(useCallback((now: number) => phaseOf(draw, now), [draw]));
}

export function DrawBar({ state }: { state: PlayState }) {
  const phase = useDrawPhase(state);
  const moment = useServerTime(useCallback((now: number) => nextMoment(state, now) ?? '', [state]));
  return (
    <section className={styles.bar} data-phase={phase} aria-label="The draw">
      <p className={styles.words}>
        <span aria-live="polite">{moment === '' ? 'This game is not open now' : WORDS[phase]}</span>
        {state.draw && <span className={styles.number}>Draw {state.draw.number}</span>}
      </p>
      {moment !== '' && <Countdown until={moment} className={styles.clock} />}
    </section>
  );
}
