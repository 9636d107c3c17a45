import type { DrawView } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy, IconExternalLink } from '@tabler/icons-react';
import { memo, useState, useSyncExternalStore } from 'react';
import { fairPath } from '../../../lib/paths.ts';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import {
  clockTarget,
  clockWords,
  countdownText,
  intervalSeconds,
  LAST_SECONDS,
  PHASE_LABEL,
  PHASE_TONE,
  secondsUntil,
} from '../drawClock.ts';
import type { Phase } from '../drawClock.ts';
import { formatMoment } from '../liveFormat.ts';
import { liveTexts } from '../liveTexts.ts';
import { resultTexts } from '../results/resultTexts.ts';
import type { Connection } from './panelRoom.ts';
import classes from './PanelHead.module.css';
import { isLost } from './panelRoom.ts';
import { useServerClock } from '../useServerClock.ts';

interface PanelHeadProps {
  panel: Panel;
  offset: number;
  phase: Phase;
  connection: Connection;
  stale: boolean;
  /** The commitment stands elsewhere. */
  narrow: boolean;
}

/** The top of the panel: the countdown, the draw with its state, and the commitment that makes it checkable. */
export const PanelHead = memo(function PanelHead({ panel, offset, phase, connection, stale, narrow }: PanelHeadProps) {
  const { draw } = panel;
  const words = clockWords(phase);
  const target = clockTarget(panel, phase);
  return (
    <section className={classes.head} aria-label="Draw">
      {target === null ? (
        <div className={classes.countdown}>–</div>
      ) : (
        <Countdown to={target} ofInterval={draw ? intervalSeconds(draw) : 0} offset={offset} name={words.timer} />
      )}
      <div className={classes.facts}>
        <div className={classes.draw}>
          {draw && (
            <>
              <span className={classes.drawLabel}>Draw</span>
              <span className={classes.drawNumber}>{draw.number}</span>
            </>
          )}
          <StatusBadge tone={PHASE_TONE[phase]}>{PHASE_LABEL[phase]}</StatusBadge>
          <ConnectionBadge connection={connection} stale={stale} />
          {target !== null && (
            <span className={classes.at}>
              {words.at} {formatMoment(target, panel.serverTime)}
            </span>
          )}
        </div>
        {!narrow && <Commitment draw={draw} />}
      </div>
    </section>
  );
});

/** From so many on it says hours too, and is longer. */
const HOUR_SECONDS = 3600;

interface CountdownProps {
  /** The instant that it counts down to. */
  to: string;
  /** The interval of the draw, in seconds. */
  ofInterval: number;
  offset: number;
  name: string;
}

function Countdown({ to, ofInterval, offset, name }: CountdownProps) {
  const seconds = useCountdown(to, offset);
  return (
    <div
      className={classes.countdown}
      role="timer"
      aria-label={name}
      data-hours={seconds >= HOUR_SECONDS || undefined}
      data-last={seconds <= LAST_SECONDS || undefined}
    >
      {countdownText(seconds, ofInterval)}
    </div>
  );
}

/** What the draw's result is bound to, with a way to check it. Without a draw its place is kept, so that nothing beneath it moves. */
export function Commitment({ draw }: { draw: DrawView | null }) {
  const commitment = draw?.commitment ?? '';
  return (
    <div className={classes.commitment} data-none={draw === null || undefined}>
      <span className={classes.commitmentLine}>
        Commitment <code>{commitment.slice(0, 12)}</code>
        <CopyButton value={commitment} timeout={1_500}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? 'Copied' : 'Copy the whole commitment'}>
              <ActionIcon variant="subtle" color="gray" size="sm" aria-label="Copy the commitment" onClick={copy}>
                {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
        <Tooltip label={liveTexts.commitmentWhy} multiline w={320}>
          <a className={classes.check} href={draw ? fairPath(draw._id) : undefined} target="_blank" rel="noreferrer">
            {resultTexts.check}
            <IconExternalLink size={14} aria-hidden />
          </a>
        </Tooltip>
      </span>
      <span className={classes.why}>{liveTexts.commitmentWhy}</span>
    </div>
  );
}

/** Whether the figures come as they change: live, stale or reconnecting. */
function ConnectionBadge({ connection, stale }: { connection: Connection; stale: boolean }) {
  if (isLost(connection)) return <StatusBadge tone="bad">{liveTexts.reconnecting}</StatusBadge>;
  if (stale) return <StatusBadge tone="bad">{liveTexts.stale}</StatusBadge>;
  if (connection === 'connecting') return <StatusBadge tone="neutral">{liveTexts.connecting}</StatusBadge>;
  return <StatusBadge tone="good">{liveTexts.live}</StatusBadge>;
}

const EVENTS = ['focus', 'blur'] as const;

function subscribe(onChange: () => void): () => void {
  for (const event of EVENTS) window.addEventListener(event, onChange);
  document.addEventListener('fullscreenchange', onChange);
  return () => {
    for (const event of EVENTS) window.removeEventListener(event, onChange);
    document.removeEventListener('fullscreenchange', onChange);
  };
}

/** Whether the window is not the one in use. What fills a screen is looked at all the same. */
function isPaused(): boolean {
  return !document.hasFocus() && document.fullscreenElement === null;
}

/**
 * Whole seconds until an instant of the server's clock. It pauses while the window is not in use, and goes on with the right time (section
 * 4 of the games specification); another instant begins at its own seconds meanwhile.
 */
function useCountdown(to: string, offset: number): number {
  const paused = useSyncExternalStore(subscribe, isPaused);
  const seconds = useServerClock(offset, (now) => secondsUntil(to, now));
  const [held, setHeld] = useState({ to, seconds });
  if (held.to === to && (paused || held.seconds === seconds)) return held.seconds;
  setHeld({ to, seconds });
  return seconds;
}
