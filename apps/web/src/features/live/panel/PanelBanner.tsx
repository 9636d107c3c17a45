import { drawName } from '@drawhouse/rules/time/draw-name';
import type { DrawResult } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import {
  IconAlertTriangle,
  IconCircleX,
  IconHourglass,
  IconLock,
  IconPlugConnectedX,
  IconProgressCheck,
  IconTicket,
} from '@tabler/icons-react';
import { memo, type ComponentType, type ReactNode } from 'react';
import { fairPath } from '../../../lib/paths.ts';
import { useUser } from '../../../lib/session/session.ts';
import type { Phase } from '../drawClock.ts';
import { formatClock, formatMoment } from '../liveFormat.ts';
import { resultText } from './panelMath.ts';
import { ResultPicture, sourceWord } from '../LiveMarks.tsx';
import { liveTexts, resultTexts } from '../liveTexts.ts';
import { isLost, type Connection } from './feed/panelRoom.ts';
import classes from './PanelBanner.module.css';
import { richText } from '@drawhouse/session/rich-text';

interface PanelBannerProps {
  panel: Panel;
  phase: Phase;
  connection: Connection;
  stale: boolean;
  leftToBeacon: boolean;
  children?: ReactNode;
}

type Tone = 'quiet' | 'closed' | 'sealed' | 'trouble';

/** One permanent line, so that nothing moves when betting closes. */
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
          <strong>{liveTexts.reconnectingNow}</strong> {liveTexts.figuresAreFrom(from)}
        </Banner>
      ) : connection === 'crowdedOut' ? (
        <Banner tone="trouble" icon={IconPlugConnectedX} alert>
          <strong>{liveTexts.tooManyLivePanels}</strong>{' '}
          {richText(liveTexts.figuresAreFromThey, {
            from,
            span: <span className={classes.wide}>{liveTexts.andPaused}</span>,
          })}
        </Banner>
      ) : stale ? (
        <Banner tone="trouble" icon={IconAlertTriangle} alert>
          <strong>{liveTexts.staleState}</strong>{' '}
          {richText(liveTexts.drawIsOverdueFigures, {
            from,
            span: <span className={classes.wide}>{liveTexts.refreshing}</span>,
          })}
        </Banner>
      ) : (
        <>
          <PhaseBanner panel={panel} phase={phase} leftToBeacon={leftToBeacon} />
          {panel.awaited.map((draw) => (
            <AwaitedBanner key={draw.drawId} panel={panel} draw={draw} />
          ))}
          {children}
        </>
      )}
    </div>
  );
});

function whyNone({ table }: Pick<Panel, 'table'>): string {
  return table.opensNoDraw ? liveTexts.thisNetworksTablesAre : liveTexts.gameOrItsAdmin;
}

function capitalized(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}

function PhaseBanner({ panel, phase, leftToBeacon }: Pick<PanelBannerProps, 'panel' | 'phase' | 'leftToBeacon'>) {
  const { draw, saved, nextOpensAt } = panel;
  const drawsAt = draw && formatMoment(draw.drawsAt, panel.serverTime);
  const next = nextOpensAt && formatMoment(nextOpensAt, panel.serverTime);
  // On a phone only the head shows it, to keep the line's height.
  const follows =
    next && !panel.table.opensNoDraw ? (
      <span className={classes.wide}>{liveTexts.nextDrawOpens(next)}</span>
    ) : (
      liveTexts.noNextDrawBecause(whyNone(panel))
    );
  switch (phase) {
    case 'none':
      return (
        <Banner tone="closed" icon={IconAlertTriangle}>
          <strong>{liveTexts.noDrawIsRunning}</strong>{' '}
          {next && !panel.table.opensNoDraw ? liveTexts.nextOneOpensAt(next) : capitalized(whyNone(panel))}
        </Banner>
      );
    case 'open':
      return (
        <Banner tone="quiet" icon={IconTicket}>
          <strong>{liveTexts.bettingIsOpen}</strong>{' '}
          {richText(liveTexts.until, { draw: draw && formatMoment(draw.closesAt, panel.serverTime) })}{' '}
          {draw && draw.outside !== null && liveTexts.outsideDecides(draw.outside)}
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
          <strong>{liveTexts.resultBoosterX(saved?.result ?? '', saved?.booster ?? '')}</strong>{' '}
          {richText(liveTexts.bettingClosedSavedBy, {
            by: saved?.by,
            saved: saved && formatClock(saved.at),
            confirmedBy: saved?.confirmedBy != null && <>{liveTexts.confirmedBy(saved.confirmedBy)}</>,
            sameAddress: saved?.sameAddress === true && <>{liveTexts.fromSameAddress}</>,
            span: <span className={classes.wide}>{liveTexts.itSettlesAt(drawsAt ?? '')}</span>,
          })}
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
          <strong>{result ? <DrawnResult result={result} /> : liveTexts.drawn}</strong> {follows}
        </Banner>
      );
    }
    case 'void':
      return (
        <Banner tone="trouble" icon={IconCircleX}>
          <strong>{liveTexts.void}</strong> {liveTexts.allStakesAreRefunded} {follows}
        </Banner>
      );
  }
}

function AwaitedBanner({ panel, draw }: { panel: Panel; draw: Panel['awaited'][number] }) {
  const { number, outside, voidAt, saved } = draw;
  return (
    <Banner tone="closed" icon={IconHourglass}>
      <strong>{liveTexts.awaitsOutside(outside)}</strong>{' '}
      {saved
        ? liveTexts.outsideSaved(saved.by, saved.result)
        : liveTexts.awaitedUntil(drawName(number), formatMoment(voidAt, panel.serverTime))}
    </Banner>
  );
}

function ClosedBanner({ panel, leftToBeacon }: Pick<PanelBannerProps, 'panel' | 'leftToBeacon'>) {
  const drawsAt = panel.draw && formatMoment(panel.draw.drawsAt, panel.serverTime);
  return (
    <Banner tone="closed" icon={IconLock}>
      <strong>{liveTexts.bettingClosedState}</strong>{' '}
      {leftToBeacon ? (
        <>
          {richText(liveTexts.resultGeneratedIn, {
            drawsAt,
            span: <span className={classes.wide}>{liveTexts.orWhenBeaconPublishes}</span>,
          })}
        </>
      ) : panel.draw?.outside != null ? (
        liveTexts.closedForOutside(panel.draw.outside, drawsAt ?? '')
      ) : panel.resultMode === 'generated' ? (
        liveTexts.resultIsGeneratedAt(drawsAt ?? '')
      ) : (
        <>
          {richText(liveTexts.resultCanStillBe, {
            span: <span className={classes.wide}>{liveTexts.otherwiseItIsGenerated(drawsAt ?? '')}</span>,
          })}
        </>
      )}
    </Banner>
  );
}

function DrawnResult({ result }: { result: DrawResult }) {
  return (
    <>
      {richText(liveTexts.drawnResult, {
        link: (
          <a href={fairPath(result.drawId)} target="_blank" rel="noreferrer" title={resultTexts.check}>
            {`${resultText(result)}, ${sourceWord(result)}`}
          </a>
        ),
      })}
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
        <strong>{liveTexts.resultWasNotConfirmed(saved.result)}</strong>{' '}
        {liveTexts.resultGeneratedAtTime(formatMoment(draw.drawsAt, panel.serverTime))}
      </Banner>
    );
  return (
    <Banner tone="closed" icon={IconLock} picture={<ResultPicture panel={panel} result={saved.outcome} size={28} />}>
      <strong>
        {richText(liveTexts.resultBoosterXIs, {
          result: saved.result,
          booster: saved.booster,
          person: isOwn ? liveTexts.secondPerson : 'you',
        })}
      </strong>{' '}
      <span className={classes.wide}>
        {richText(liveTexts.bettingClosedSavedAt, { person: saved.by, at: formatClock(saved.at) })}
      </span>
      {richText(liveTexts.unlessItResultIs, {
        person: isOwn ? liveTexts.secondPersonConfirms : 'you confirm',
        drawsAt: formatMoment(draw.drawsAt, panel.serverTime),
      })}
    </Banner>
  );
}

interface BannerProps {
  tone: Tone;
  icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
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
