import { drawName } from '@drawhouse/rules/time/draw-name';
import type { Panel } from '@drawhouse/contract/live/live';
import type { PanelLayout } from '@drawhouse/rules/panel/layout';
import { useEffect, useRef, type CSSProperties } from 'react';
import { createPortal } from 'react-dom';
import { formatPoints } from '../../../lib/format/format.ts';
import { isSwitchedOff } from '../../../lib/devicePreferences.ts';
import { OutcomePicture } from '../../../ui/pictures/OutcomePicture.ts';
import { secondsUntil } from '@drawhouse/session/server-clock';
import {
  clockTarget,
  clockWords,
  countdownText,
  intervalSeconds,
  LAST_SECONDS,
  PHASE_LABEL,
  useServerClock,
  type Phase,
} from '../drawClock.ts';
import { sourceWord } from '../LiveMarks.tsx';
import { formatClock, titleOf } from '../liveFormat.ts';
import { liveTexts, wallTexts } from '../liveTexts.ts';
import { resultOf } from '../panel/panelMath.ts';
import { isLost } from '../panel/feed/panelRoom.ts';
import type { LivePanel } from '../panel/feed/usePanel.ts';
import { fillScreen, useAwake } from './useWall.ts';
import { WallBoard } from './WallBoard.tsx';
import { wallResult } from './wallTables.ts';
import { WallMoments } from './WallMoment.tsx';
import classes from './WallScreen.module.css';

const APP = 'root';
const RESULTS = 10;
const SHORTEST = 10;

interface WallScreenProps {
  live: Pick<LivePanel, 'offset' | 'connection' | 'stale'>;
  panel: Panel;
  layout: PanelLayout;
  phase: Phase;
  onLeave: () => void;
}

/** Readable from several meters. Its only control leaves it. */
export function WallScreen({ live, panel, layout, phase, onLeave }: WallScreenProps) {
  const screen = useRef<HTMLDialogElement>(null);
  const { title, of } = titleOf(layout, panel);
  // A title of its own names the admin.
  const name = layout.title === null ? `${title} ${of}` : title;
  useAwake();
  useInertApp(screen);
  useKeys(screen, onLeave);
  return createPortal(
    <dialog
      open
      ref={screen}
      className={classes.wall}
      aria-modal
      aria-label={wallTexts.name(name)}
      tabIndex={-1}
      data-wall
    >
      <header className={classes.head}>
        <Clock panel={panel} phase={phase} offset={live.offset} />
        <div className={classes.what}>
          <h1 className={classes.game}>{name}</h1>
          <p className={classes.draw}>
            {panel.draw && (
              <span>
                {wallTexts.draw} <strong>{drawName(panel.draw.number)}</strong>
              </span>
            )}
            <span className={classes.phase} data-open={phase === 'open' || undefined}>
              {PHASE_LABEL[phase]}
            </span>
            {panel.awaited.map(({ drawId, outside }) => (
              <span key={drawId}>{wallTexts.awaits(outside)}</span>
            ))}
          </p>
        </div>
        <Drawn panel={panel} />
        <button type="button" className={classes.leave} title={wallTexts.leave} onClick={onLeave}>
          <span aria-hidden>✕</span>
          Esc<span className="unseen">: {wallTexts.leave}</span>
        </button>
      </header>
      <Trouble panel={panel} live={live} />
      <div className={classes.stage}>
        <div className={classes.all}>
          <WallBoard panel={panel} layout={layout} />
          <Figures panel={panel} />
          <LastResults panel={panel} />
        </div>
        <WallMoments panel={panel} />
      </div>
    </dialog>,
    document.body,
  );
}

/** Makes the rest of the app inert, and restores focus on exit. */
function useInertApp(screen: { readonly current: HTMLElement | null }) {
  useEffect(() => {
    const app = document.getElementById(APP);
    const before = document.activeElement;
    app?.setAttribute('inert', '');
    screen.current?.focus();
    return () => {
      app?.removeAttribute('inert');
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [screen]);
}

/** Escape and W leave; other single keys are disabled. */
function useKeys(screen: { readonly current: HTMLElement | null }, onLeave: () => void) {
  useEffect(() => {
    const shown = screen.current;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      event.stopPropagation();
      if (event.key === 'Escape' || (event.key.toLowerCase() === 'w' && !isSwitchedOff(event))) onLeave();
    };
    shown?.addEventListener('keydown', onKey);
    // After a reload, browsers require a gesture for full screen.
    shown?.addEventListener('dblclick', fillScreen);
    return () => {
      shown?.removeEventListener('keydown', onKey);
      shown?.removeEventListener('dblclick', fillScreen);
    };
  }, [screen, onLeave]);
}

function lengthOf(text: string): CSSProperties {
  return { '--length': text.length } as CSSProperties;
}

function Clock({ panel, phase, offset }: { panel: Panel; phase: Phase; offset: number }) {
  const target = clockTarget(panel, phase);
  if (target === null)
    return (
      <div className={classes.clock} style={lengthOf('–')}>
        –
      </div>
    );
  const interval = panel.draw ? intervalSeconds(panel.draw) : 0;
  return <Countdown to={target} ofInterval={interval} offset={offset} name={clockWords(phase).timer} />;
}

function Countdown(props: { to: string; ofInterval: number; offset: number; name: string }) {
  // Continues when another window has focus.
  const seconds = useServerClock(props.offset, (now) => secondsUntil(props.to, now));
  const text = countdownText(seconds, props.ofInterval);
  return (
    <div
      className={classes.clock}
      style={lengthOf(text)}
      role="timer"
      aria-label={props.name}
      data-last={seconds <= LAST_SECONDS || undefined}
    >
      {text}
    </div>
  );
}

function Drawn({ panel }: { panel: Panel }) {
  const drawn = resultOf(panel);
  if (!drawn) return null;
  const { text, picture } = wallResult(panel, drawn.result);
  const booster = `${drawn.booster} X`;
  return (
    <div className={classes.drawn} style={lengthOf(text + booster)}>
      {picture && <OutcomePicture {...picture} size={72} className={classes.drawnImage} />}
      <span>
        {text} <small>{booster}</small>
      </span>
    </div>
  );
}

function Trouble({ panel, live: { connection, stale } }: Pick<WallScreenProps, 'panel' | 'live'>) {
  if (!isLost(connection) && !stale) return null;
  const from = formatClock(panel.serverTime);
  return (
    <p className={classes.trouble} role="alert">
      {connection === 'crowdedOut'
        ? wallTexts.crowdedOut(from)
        : isLost(connection)
          ? wallTexts.reconnecting(from)
          : wallTexts.stale(from)}
    </p>
  );
}

function Figures({ panel }: { panel: Panel }) {
  const figures = [
    { name: liveTexts.drawCollection, value: panel.totalsumdata },
    { name: liveTexts.gameBalance, value: panel.percentageData[0]?.gameBalance ?? 0 },
    { name: liveTexts.collection, value: panel.collections.totalPlaypoints },
    { name: liveTexts.payment, value: panel.collections.totalWinpoints },
    { name: liveTexts.balance, value: panel.collections.balance },
  ];
  const lengths = figures.map(({ value }) => Math.max(formatPoints(value).length, SHORTEST));
  const all = {
    '--digits': lengths.reduce((sum, length) => sum + length),
    '--longest': Math.max(...lengths),
  } as CSSProperties;
  return (
    <dl className={classes.figures} style={all}>
      {figures.map(({ name, value }, index) => (
        <div key={name} style={{ '--length': lengths[index] } as CSSProperties}>
          <dt>{name}</dt>
          <dd data-sign={value < 0 ? 'loss' : undefined}>{formatPoints(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function LastResults({ panel }: { panel: Panel }) {
  const results = panel.lastData.data.slice(0, RESULTS);
  return (
    <section className={classes.results} aria-label={wallTexts.lastResults}>
      {results.length === 0 ? (
        <p>{wallTexts.noResults}</p>
      ) : (
        <ul>
          {results.map((result) => {
            const { text, picture } = wallResult(panel, result.result);
            return (
              <li key={result.drawId}>
                {picture && <OutcomePicture {...picture} size={36} className={classes.resultImage} />}
                <strong>{text}</strong> {result.booster} X
                <span className={classes.source} data-source={result.source}>
                  {result.outside !== null ? 'O' : result.source === 'declared' ? 'D' : 'G'}
                  <span className="unseen">, {sourceWord(result)}</span>
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
