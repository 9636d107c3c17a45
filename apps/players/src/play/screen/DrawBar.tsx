import { useCallback } from 'react';
import { nextMoment, phaseOf } from '../../lib/betting/drawPhase.ts';
import type { DrawPhase } from '../../lib/betting/drawPhase.ts';
import { useServerTime } from '../../lib/server/serverTime.ts';
import { Countdown } from '../../ui/Figures.tsx';
import type { PlayState } from '../playState.ts';
import styles from '../PlayScreen.module.css';
import { playTexts } from '../playTexts.ts';

const texts = playTexts.draw;

export function useDrawPhase({ draw }: Pick<PlayState, 'draw'>): DrawPhase {
  return useServerTime(useCallback((now: number) => phaseOf(draw, now), [draw]));
}

export function DrawBar({ state }: { state: PlayState }) {
  const phase = useDrawPhase(state);
  const moment = useServerTime(useCallback((now: number) => nextMoment(state, now) ?? '', [state]));
  return (
    <section className={styles.drawBar} data-phase={phase} aria-label={texts.label}>
      <p className={styles.drawText}>
        <span aria-live="polite">{moment === '' ? texts.notOpen : texts.phases[phase]}</span>
        {state.draw && <span className={styles.drawNumber}>{texts.number(state.draw.number)}</span>}
      </p>
      {moment !== '' && <Countdown until={moment} className={styles.clock} />}
    </section>
  );
}
