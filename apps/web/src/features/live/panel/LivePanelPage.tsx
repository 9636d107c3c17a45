import { addBalance } from '@drawhouse/contract/games/game-pair';
import type { Panel } from '@drawhouse/contract/live/live';
import type { PanelLayout } from '@drawhouse/rules/panel/layout';
import { Skeleton, ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import { IconDeviceTv, IconRefresh } from '@tabler/icons-react';
import { memo, Suspense, useMemo, useState } from 'react';
import { pagePath } from '../../../lib/paths.ts';
import { useUser } from '../../../lib/session/session.ts';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { ErrorState } from '../../../ui/page/PageStates.tsx';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { usePanel, type LivePanel } from './feed/usePanel.ts';
import classes from './LivePanelPage.module.css';
import { liveTexts } from '../liveTexts.ts';
import { may } from '../../../lib/session/rights.ts';
import { formatPoints } from '../../../lib/format/format.ts';
import { lazyExtra, prefetched } from '../../../lib/lazyParts.ts';
import { useDigitWidth, useWidth } from '../../../ui/useWidth.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';
import { titleOf } from '../liveFormat.ts';
import { useResultNews } from '../results/resultNews.ts';
import { useWall } from '../wall/useWall.ts';
import { ControlsColumn, ControlsDock } from './controls/ControlsDock.tsx';
import { isOfParts } from './controls/useChoice.ts';
import { PanelQuestions } from './controls/PanelQuestions.tsx';
import type { PanelActions } from './controls/usePanelActions.ts';
import { usePanelControls } from './controls/usePanelControls.ts';
import { usePanelWithoutStakes } from './feed/panelFrames.ts';
import { isLost } from './feed/panelRoom.ts';
import { NextDraw } from './NextDraw.tsx';
import { PanelBanner } from './PanelBanner.tsx';
import { DrawCollection, PanelFigures } from './PanelFigures.tsx';
import { PanelHead } from './PanelHead.tsx';
import headClasses from './PanelHead.module.css';
import { TestBadge } from '../../../ui/mark/StatusBadge.tsx';

/** No such pair. Other refusals may pass. */
const UNKNOWN: readonly string[] = ['NOT_FOUND', 'INVALID_INPUT'];

interface LivePanelPageProps {
  gameId: string;
  adminId: string;
  /** Name in the link; the panel knows the current one. */
  username: string;
}

export function LivePanelPage({ adminId: adminIdParam, ...props }: LivePanelPageProps) {
  // Links may use capitals; server ids are lowercase.
  const adminId = adminIdParam.toLowerCase();
  return <PanelOfPair key={`${props.gameId}/${adminId}`} adminId={adminId} {...props} />;
}

function PanelOfPair({ gameId, adminId, username }: LivePanelPageProps) {
  const live = usePanel(gameId, adminId);
  const { panel, refusal, refresh } = live;
  // Applies to a shown panel too: the game may be unassigned, or the admin moved.
  if (refusal && UNKNOWN.includes(refusal.code)) return <UnknownPanel />;
  if (!panel) {
    return (
      <>
        <PageHeader title={liveTexts.livePanel} of={username} />
        {refusal ? <ErrorState message={refusal.message} onRetry={refresh} /> : <PanelSkeleton />}
      </>
    );
  }
  return <PanelFrame live={live} panel={panel} />;
}

/** The spec shows no panel for an unknown pair (docs/spec/game-operations.md §2). */
function UnknownPanel() {
  const { role } = useUser();
  return (
    <PageHeader
      title={liveTexts.livePanel}
      action={<PathLink href={pagePath(role, 'game')}>{liveTexts.allTables}</PathLink>}
    />
  );
}

const TILES = Array.from({ length: 10 }, (_, index) => index);

function PanelSkeleton() {
  return (
    <section className={classes.page} aria-busy aria-label={liveTexts.loadingPanel}>
      <Skeleton height={56} width={280} />
      <Skeleton height={40} />
      <div className={classes.middle}>
        <div className={classes.skeletonGrid}>
          {TILES.map((tile) => (
            <Skeleton key={tile} height={136} radius={8} />
          ))}
        </div>
        <Skeleton height={420} radius={8} visibleFrom="sm" />
      </div>
    </section>
  );
}

const ResultMoment = lazyExtra(async () => (await import('../results/ResultMoment.tsx')).ResultMoment);
const useWallScreen = prefetched(() => import('../wall/WallScreen.tsx'));

/** Pixels. On narrower pages the controls dock at the bottom. */
const DOCKED_BELOW = 940;
const PHONE_BELOW = 560;

function PanelFrame({ live, panel }: { live: LivePanel; panel: Panel }) {
  const { offset, connection, stale, refreshing, refresh } = live;
  const { ref, width } = useWidth();
  // Publishes `--digit` for amounts in grids and on the wall.
  useDigitWidth();
  const narrow = width < DOCKED_BELOW;
  const phone = width < PHONE_BELOW;
  const still = usePanelWithoutStakes(panel);
  const controls = usePanelControls(live, panel, still);
  // Bets change both several times a second. Parts without them render only for other changes.
  const { figures, consequence, ...steady } = controls;
  const { phase, leftToBeacon, choice, actions, questions } = steady;
  const isOld = stale || isLost(connection);
  const wall = useWall();
  const WallScreen = useWallScreen(wall.isOn)?.WallScreen;
  const nextDraw = useMemo(() => <NextDraw panel={still} />, [still]);

  return (
    <div ref={ref} className={classes.page} data-narrow={narrow || undefined}>
      <div className={classes.content}>
        <TitleBar
          {...{ still, actions, phone, refreshing }}
          layout={choice.layout}
          onWall={wall.enter}
          onRefresh={refresh}
        />
        <div className={headClasses.top} data-phone={phone || undefined}>
          <PanelHead
            panel={still}
            offset={offset}
            phase={phase}
            connection={connection}
            stale={stale}
            narrow={narrow}
          />
          {phone && <DrawCollection panel={figures} />}
        </div>
        {/* A stale panel shows the time of its figures. */}
        <PanelBanner
          panel={isOld ? panel : still}
          phase={phase}
          connection={connection}
          stale={stale}
          leftToBeacon={leftToBeacon}
        >
          <ResultMoments panel={still} />
        </PanelBanner>
        <div className={classes.middle}>
          <div className={classes.figures}>
            <PanelFigures still={still} controls={controls} looks={{ isOld, narrow, phone }} />
          </div>
          {!narrow && (
            <ControlsColumn still={still} consequence={consequence} {...steady}>
              {nextDraw}
            </ControlsColumn>
          )}
        </div>
      </div>
      {/* The dock shows it for results of several parts only. */}
      {narrow && <ControlsDock still={still} consequence={isOfParts(choice) ? consequence : null} {...steady} />}
      <PanelQuestions panel={questions.asking === null ? still : panel} {...steady} />
      {wall.isOn && WallScreen && (
        <WallScreen live={live} panel={panel} layout={choice.layout} phase={phase} onLeave={wall.leave} />
      )}
    </div>
  );
}

const ResultMoments = memo(function ResultMoments({ panel }: { panel: Panel }) {
  const { news, onDone } = useResultNews(panel);
  return (
    news && (
      <Suspense>
        <ResultMoment key={news.drawId} panel={panel} result={news} onDone={onDone} />
      </Suspense>
    )
  );
});

interface TitleBarProps {
  still: Panel;
  layout: PanelLayout;
  actions: PanelActions;
  phone: boolean;
  refreshing: boolean;
  onWall: () => void;
  onRefresh: () => void;
}

const TitleBar = memo(function TitleBar({ still, layout, actions, ...rest }: TitleBarProps) {
  const [resetting, setResetting] = useState(false);
  return (
    <>
      <PanelTitle
        {...titleOf(layout, still)}
        {...rest}
        isTest={still.testNetwork}
        canReset={actions.busy === null && balanceOf(still) > 0 && may('adjustments')}
        onReset={() => setResetting(true)}
      />
      <ResetDialog panel={still} actions={actions} opened={resetting} onClose={() => setResetting(false)} />
    </>
  );
});

/** In points. */
function balanceOf({ percentageData: [of] }: Panel): number {
  return of?.gameBalance ?? 0;
}

interface ResetDialogProps {
  panel: Panel;
  actions: PanelActions;
  opened: boolean;
  onClose: () => void;
}

function ResetDialog({ panel, actions, opened, onClose }: ResetDialogProps) {
  async function resetBalance() {
    await actions.reset();
    onClose();
  }

  return (
    <ConfirmDialog
      opened={opened}
      title={liveTexts.resetBalance}
      confirmLabel={liveTexts.resetBalance}
      confirms={addBalance}
      busy={actions.busy === 'reset'}
      onConfirm={() => void resetBalance()}
      onClose={onClose}
    >
      {liveTexts.wholeBalanceIsReturned(panel.gameName, formatPoints(balanceOf(panel)), panel.username)}
    </ConfirmDialog>
  );
}

interface PanelTitleProps {
  title: string;
  of: string;
  isTest: boolean;
  phone: boolean;
  refreshing: boolean;
  canReset: boolean;
  onWall: () => void;
  onRefresh: () => void;
  onReset: () => void;
}

function PanelTitle(props: PanelTitleProps) {
  const { title, of, isTest, phone, refreshing, canReset, onWall, onRefresh, onReset } = props;
  return (
    <PageHeader
      title={title}
      of={of}
      badge={<TestBadge isTest={isTest} />}
      action={
        <Group gap="xs" wrap="nowrap">
          <Tooltip label={liveTexts.wall}>
            <ActionIcon variant="default" size="lg" aria-label={liveTexts.wall} onClick={onWall}>
              <IconDeviceTv size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
          {phone ? (
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={liveTexts.refresh}
              loading={refreshing}
              onClick={onRefresh}
            >
              <IconRefresh size={16} aria-hidden />
            </ActionIcon>
          ) : (
            <Button
              variant="default"
              leftSection={<IconRefresh size={16} aria-hidden />}
              loading={refreshing}
              onClick={onRefresh}
            >
              {liveTexts.refresh}
            </Button>
          )}
          <Button variant="default" size={phone ? 'xs' : 'sm'} disabled={!canReset} onClick={onReset}>
            {liveTexts.resetBalance}
          </Button>
        </Group>
      }
    />
  );
}
