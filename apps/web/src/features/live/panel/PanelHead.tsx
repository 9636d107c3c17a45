import { drawName } from '@drawhouse/rules/time/draw-name';
import type { DrawView } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy, IconExternalLink } from '@tabler/icons-react';
import { memo, useState, useSyncExternalStore } from 'react';
import { fairPath } from '../../../lib/paths.ts';
import { StatusBadge } from '../../../ui/mark/StatusBadge.tsx';
import { secondsUntil } from '@drawhouse/session/server-clock';
import {
  clockTarget,
  clockWords,
  countdownText,
  intervalSeconds,
  LAST_SECONDS,
  PHASE_LABEL,
  PHASE_TONE,
  useServerClock,
  type Phase,
} from '../drawClock.ts';
import { formatMoment } from '../liveFormat.ts';
import { liveTexts, resultTexts } from '../liveTexts.ts';
import classes from './PanelHead.module.css';
import { isLost, type Connection } from './feed/panelRoom.ts';
import { richText } from '@drawhouse/session/rich-text';

interface PanelHeadProps {
  panel: Panel;
  offset: number;
  phase: Phase;
  connection: Connection;
  stale: boolean;
  narrow: boolean;
}

export const PanelHead = memo(function PanelHead({ panel, offset, phase, connection, stale, narrow }: PanelHeadProps) {
  const { draw } = panel;
  const words = clockWords(phase);
  const target = clockTarget(panel, phase);
  return (
    <section className={classes.head} aria-label={liveTexts.draw}>
      {target === null ? (
        <div className={classes.countdown}>–</div>
      ) : (
        <Countdown to={target} ofInterval={draw ? intervalSeconds(draw) : 0} offset={offset} name={words.timer} />
      )}
      <div className={classes.facts}>
        <div className={classes.draw}>
          {draw && (
            <>
              <span className={classes.drawLabel}>{liveTexts.draw}</span>
              <span className={classes.drawNumber}>{drawName(draw.number)}</span>
            </>
          )}
          <span className={classes.phase}>
            <StatusBadge tone={PHASE_TONE[phase]}>{PHASE_LABEL[phase]}</StatusBadge>
          </span>
          <span className={classes.connection}>
            <ConnectionBadge connection={connection} stale={stale} />
          </span>
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

const HOUR_SECONDS = 3600;

interface CountdownProps {
  to: string;
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

/** Keeps its space without a draw. */
export const Commitment = memo(function Commitment({ draw }: { draw: DrawView | null }) {
  const commitment = draw?.commitment ?? '';
  return (
    <div className={classes.commitment} data-none={draw === null || undefined}>
      <span className={classes.commitmentLine}>
        {richText(liveTexts.commitment, {
          code: <code>{commitment.slice(0, 12)}</code>,
          copyButton: (
            <CopyButton value={commitment} timeout={1_500}>
              {({ copied, copy }) => (
                <Tooltip label={copied ? liveTexts.copied : liveTexts.copyWholeCommitment}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="sm"
                    aria-label={liveTexts.copyCommitment}
                    onClick={copy}
                  >
                    {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
                  </ActionIcon>
                </Tooltip>
              )}
            </CopyButton>
          ),
          tooltip: (
            <Tooltip label={liveTexts.commitmentWhy} multiline w={320}>
              <a
                className={classes.check}
                href={draw ? fairPath(draw._id) : undefined}
                target="_blank"
                rel="noreferrer"
              >
                {resultTexts.check}
                <IconExternalLink size={14} aria-hidden />
              </a>
            </Tooltip>
          ),
        })}
      </span>
      <span className={classes.why}>{liveTexts.commitmentWhy}</span>
    </div>
  );
});

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

/** True if the window lacks focus, except in full screen. */
function isPaused(): boolean {
  return !document.hasFocus() && document.fullscreenElement === null;
}

/**
 * Whole seconds on the server's clock. Pauses while the window lacks focus, then resumes with the right time
 * (docs/spec/game-operations.md §4). A new target starts at its own value even while paused.
 */
function useCountdown(to: string, offset: number): number {
  const paused = useSyncExternalStore(subscribe, isPaused);
  const seconds = useServerClock(offset, (now) => secondsUntil(to, now));
  const [last, setLast] = useState({ to, seconds });
  if (last.to === to && (paused || last.seconds === seconds)) return last.seconds;
  setLast({ to, seconds });
  return seconds;
}
