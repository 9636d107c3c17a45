import type { DrawResult } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import {
  IconAlertTriangle,
  IconCircleX,
  IconLock,
  IconPlugConnectedX,
  IconProgressCheck,
  IconTicket,
} from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import { memo } from 'react';
import { fairPath } from '../../../lib/paths.ts';
import { useUser } from '../../../lib/session/session.ts';
import type { Phase } from '../drawClock.ts';
import { formatClock, formatMoment } from '../liveFormat.ts';
import { resultText } from './panelMath.ts';
import { ResultPicture } from '../LiveMarks.tsx';
import { resultTexts } from '../liveTexts.ts';
import { isLost } from './feed/panelRoom.ts';
import type { Connection } from './feed/panelRoom.ts';
import classes from './PanelBanner.module.css';

interface PanelBannerProps {
  panel: Panel;
  phase: Phase;
  connection: Connection;
  stale: boolean;
  leftToBeacon: boolean;
  children?: ReactNode;
}

type Tone = 'quiet' | 'closed' | 'sealed' | 'trouble';

/** One permanent line, so that nothing jumps when betting closes. Connection problems replace it. */
export const PanelBanner = memo(function PanelBanner({
  panel,
  phase,
  connection,
  stale,
  leftToBeacon,
  children,
}: PanelBannerProps) {
  const from = formatClock(panel.serverTime);
  return (
    <div className={classes.banners} data-lost={isLost(connection) || undefined}>
      {connection === 'reconnecting' ? (
        <Banner tone="trouble" icon={IconPlugConnectedX} alert>
          <strong>Reconnecting…</strong> Figures are from {from}.
        </Banner>
      ) : connection === 'crowdedOut' ? (
        <Banner tone="trouble" icon={IconPlugConnectedX} alert>
          <strong>Too many live panels are open.</strong> Figures are from {from}
          <span className={classes.wide}> and paused</span>. They resume when you return to this panel.
        </Banner>
      ) : stale ? (
        <Banner tone="trouble" icon={IconAlertTriangle} alert>
          <strong>Stale.</strong> The draw is overdue. Figures are from {from}
          <span className={classes.wide}>. Refreshing</span>.
        </Banner>
      ) : (
        <>
          <PhaseBanner panel={panel} phase={phase} leftToBeacon={leftToBeacon} />
          {children}
        </>
      )}
    </div>
  );
});

function whyNone({ table }: Pick<Panel, 'table'>): string {
  return table.opensNoDraw
    ? 'this network’s tables are below its table line. Add balance.'
    : 'the game or its admin is not active.';
}

function capitalized(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}

function PhaseBanner({ panel, phase, leftToBeacon }: Pick<PanelBannerProps, 'panel' | 'phase' | 'leftToBeacon'>) {
  const { draw, saved, nextOpensAt } = panel;
  const drawsAt = draw && formatClock(draw.drawsAt);
  const next = nextOpensAt && formatMoment(nextOpensAt, panel.serverTime);
  // On a phone only the head shows it, which keeps the line's height constant.
  const follows =
    next && !panel.table.opensNoDraw ? (
      <span className={classes.wide}>The next draw opens at {next}.</span>
    ) : (
      `No next draw: ${whyNone(panel)}`
    );
  switch (phase) {
    case 'none':
      return (
        <Banner tone="closed" icon={IconAlertTriangle}>
          <strong>No draw is running.</strong>{' '}
          {next && !panel.table.opensNoDraw ? `The next one opens at ${next}.` : capitalized(whyNone(panel))}
        </Banner>
      );
    case 'open':
      return (
        <Banner tone="quiet" icon={IconTicket}>
          <strong>Betting is open</strong> until {draw && formatClock(draw.closesAt)}.
        </Banner>
      );
    case 'closed':
      return <ClosedBanner panel={panel} leftToBeacon={leftToBeacon} />;
    case 'waiting':
      return <WaitingBanner panel={panel} leftToBeacon={leftToBeacon} />;
    case 'saved':
      return (
        <Banner
          tone="sealed"
          icon={IconLock}
          picture={saved && <ResultPicture panel={panel} result={saved.outcome} size={28} />}
        >
          <strong>
            Result {saved?.result}, booster {saved?.booster} X.
          </strong>{' '}
          Betting closed. Saved by {saved?.by} at {saved && formatClock(saved.at)}
          {saved?.confirmedBy != null && <>, confirmed by {saved.confirmedBy}</>}
          {saved?.sameAddress === true && <> from the same address</>}
          <span className={classes.wide}>; it settles at {drawsAt}</span>.
        </Banner>
      );
    case 'drawn':
    case 'settling':
    case 'settled': {
      const result = panel.lastData.data.find((each) => each.drawId === draw?._id);
      return (
        <Banner
          tone="sealed"
          icon={IconProgressCheck}
          picture={result && <ResultPicture panel={panel} result={result.result} size={28} />}
        >
          <strong>{result ? <DrawnResult result={result} /> : 'Drawn.'}</strong> {follows}
        </Banner>
      );
    }
    case 'void':
      return (
        <Banner tone="trouble" icon={IconCircleX}>
          <strong>Void.</strong> All stakes are refunded. {follows}
        </Banner>
      );
  }
}

function ClosedBanner({ panel, leftToBeacon }: Pick<PanelBannerProps, 'panel' | 'leftToBeacon'>) {
  const drawsAt = panel.draw && formatClock(panel.draw.drawsAt);
  return (
    <Banner tone="closed" icon={IconLock}>
      <strong>Betting closed.</strong>{' '}
      {leftToBeacon ? (
        <>
          The result is generated at {drawsAt}
          <span className={classes.wide}>, or when the beacon publishes its value</span>.
        </>
      ) : panel.resultMode === 'generated' ? (
        `The result is generated at ${drawsAt}.`
      ) : (
        <>
          A result can still be saved
          <span className={classes.wide}>; otherwise it is generated at {drawsAt}</span>.
        </>
      )}
    </Banner>
  );
}

function DrawnResult({ result }: { result: DrawResult }) {
  return (
    <>
      Drawn:{' '}
      <a href={fairPath(result.drawId)} target="_blank" rel="noreferrer" title={resultTexts.check}>
        {`${resultText(result)}, ${result.source}`}
      </a>
      .
    </>
  );
}

function WaitingBanner({ panel, leftToBeacon }: Pick<PanelBannerProps, 'panel' | 'leftToBeacon'>) {
  const { saved, draw } = panel;
  const user = useUser();
  if (!saved || !draw) return null;
  const isOwn = saved.byId === user._id;
  if (leftToBeacon)
    return (
      <Banner tone="closed" icon={IconLock}>
        <strong>Result {saved.result} was not confirmed in time.</strong> The result is generated at{' '}
        {formatClock(draw.drawsAt)}.
      </Banner>
    );
  return (
    <Banner tone="closed" icon={IconLock} picture={<ResultPicture panel={panel} result={saved.outcome} size={28} />}>
      <strong>
        Result {saved.result}, booster {saved.booster} X, is waiting for {isOwn ? 'a second person' : 'you'}.
      </strong>{' '}
      <span className={classes.wide}>
        Betting closed. Saved by {isOwn ? 'you' : saved.by} at {formatClock(saved.at)}.{' '}
      </span>
      Unless {isOwn ? 'a second person confirms' : 'you confirm'} it, the result is generated at{' '}
      {formatClock(draw.drawsAt)}.
    </Banner>
  );
}

interface BannerProps {
  tone: Tone;
  icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
  /** Interrupts screen readers. */
  alert?: boolean;
  picture?: ReactNode;
  children: ReactNode;
}

function Banner({ tone, icon: Icon, alert = false, picture, children }: BannerProps) {
  return (
    <div className={classes.banner} data-tone={tone} role={alert ? 'alert' : 'status'}>
      <Icon size={20} aria-hidden />
      {picture}
      <span>{children}</span>
    </div>
  );
}
