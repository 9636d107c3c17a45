import type { Panel } from '@drawhouse/contract/live/live';
import { selectionOf } from '@drawhouse/rules/layout';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useCallback, useMemo, useState } from 'react';
import { formatPoints } from '../../../lib/format.ts';
import { lazyExtra } from '../../../lib/lazyExtra.ts';
import { pagePath } from '../../../lib/paths.ts';
import { queryKeys } from '../../../lib/queryKeys.ts';
import { useUnsaved } from '../../../lib/unsaved.ts';
import { partOf } from '../../../lib/part.ts';
import { useUser } from '../../../lib/useSession.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { useDigitWidth } from '../../../ui/digitWidth.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { PathLink } from '../../../ui/PathLink.tsx';
import { useWidth } from '../../../ui/useWidth.ts';
import { ControlsColumn, ControlsDock } from './ControlsDock.tsx';
import { DailyFigures, DrawCollection } from './DailyFigures.tsx';
import { canDeclare, phaseAt } from '../drawClock.ts';
import { titleOf } from '../liveFormat.ts';
import { liveTexts } from '../liveTexts.ts';
import { NextDraw } from './NextDraw.tsx';
import { OutcomeGrid } from '../grids/OutcomeGrid.tsx';
import { PanelBanner } from './PanelBanner.tsx';
import { Commitment, PanelHead } from './PanelHead.tsx';
import { isDeclared, isLeftToBeacon, resultOf } from './panelMath.ts';
import { PanelTitle } from './PanelTitle.tsx';
import { PanelSkeleton } from './PanelSkeleton.tsx';
import { ResultMoments } from '../results/ResultMoments.tsx';
import { ResultStrip } from '../results/ResultStrip.tsx';
import { useChoice } from './useChoice.ts';
import type { Choice } from './useChoice.ts';
import { isLost } from './panelRoom.ts';
import { usePanel } from './usePanel.ts';
import type { LivePanel } from './usePanel.ts';
import { useLater } from '../../../lib/useLater.ts';
import { usePanelActions } from './usePanelActions.ts';
import type { PanelActions } from './usePanelActions.ts';
import { useServerClock } from '../useServerClock.ts';
import { useStill } from './useStill.ts';
import { useWall } from '../wall/useWall.ts';
import classes from './LivePanelPage.module.css';

const Frequencies = lazyExtra(async () => (await import('../results/Frequencies.tsx')).Frequencies);
const useWallScreen = partOf(() => import('../wall/WallScreen.tsx'));

/** Secondary content waits for the controls. */
const EXTRAS_AFTER_MS = 1_500;

/** Pixels. On narrower pages the controls dock at the bottom. */
const DOCKED_BELOW = 940;
/** Pixels. */
const PHONE_BELOW = 560;

/** Codes for a nonexistent pair of game and admin. Other refusals may pass. */
const UNKNOWN: readonly string[] = ['NOT_FOUND', 'INVALID_INPUT'];

interface LivePanelPageProps {
  gameId: string;
  adminId: string;
  /** From the link; the panel knows the current name. */
  username: string;
}

export function LivePanelPage({ adminId: given, ...props }: LivePanelPageProps) {
  // Links may use capitals; server ids are lowercase.
  const adminId = given.toLowerCase();
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
        <PageHeader title="Live panel" of={username} />
        {refusal ? <ErrorState message={refusal.message} onRetry={refresh} /> : <PanelSkeleton />}
      </>
    );
  }
  return <PanelFrame live={live} panel={panel} />;
}

/** Shows nothing for a game outside the catalog or not assigned to this admin (docs/spec/game-operations.md §2). */
function UnknownPanel() {
  const { role } = useUser();
  return <PageHeader title="Live panel" action={<PathLink href={pagePath(role, 'game')}>All tables</PathLink>} />;
}

function PanelFrame({ live, panel }: { live: LivePanel; panel: Panel }) {
  const { offset, connection, stale, refresh, refreshing } = live;
  const [resetting, setResetting] = useState(false);
  const { ref, width } = useWidth();
  // Publishes `--digit` for amounts in grids and on the wall.
  useDigitWidth();
  const narrow = width < DOCKED_BELOW;
  const phone = width < PHONE_BELOW;
  const queryClient = useQueryClient();
  const onDone = useCallback(() => {
    refresh();
    // The admin's balance in the top bar has changed as well.
    void queryClient.invalidateQueries({ queryKey: [queryKeys.credit] });
  }, [refresh, queryClient]);
  const still = useStill(panel);
  const actions = usePanelActions(still, onDone);
  const phase = useServerClock(offset, (now) => phaseAt(panel, now));

  const leftToBeacon = useServerClock(offset, (now) => isLeftToBeacon(panel, now));

  const disabled = !canDeclare(phase);
  const locked = disabled || leftToBeacon || !isDeclared(panel);
  const choice = useChoice(panel, locked);
  const moments = useMemo(() => <ResultMoments panel={still} />, [still]);
  const askToReset = useCallback(() => setResetting(true), []);
  const isOld = stale || isLost(connection);
  useUnsaved(!choice.isEmpty);
  const wall = useWall();
  const WallScreen = useWallScreen(wall.isOn)?.WallScreen;
  const controls = { panel, still, actions, disabled, leftToBeacon, choice, isOpen: phase === 'open' };

  return (
    <div ref={ref} className={classes.page} data-narrow={narrow || undefined}>
      <div className={classes.content}>
        <PanelTitle
          {...titleOf(choice.layout, still)}
          phone={phone}
          refreshing={refreshing}
          canReset={actions.busy === null && balanceOf(panel) > 0}
          onWall={wall.enter}
          onRefresh={refresh}
          onReset={askToReset}
        />
        <PanelHead panel={still} offset={offset} phase={phase} connection={connection} stale={stale} narrow={narrow} />
        {/* A stale panel shows the time of its figures. */}
        <PanelBanner
          panel={isOld ? panel : still}
          phase={phase}
          connection={connection}
          stale={stale}
          leftToBeacon={leftToBeacon}
        >
          {moments}
        </PanelBanner>
        <div className={classes.middle}>
          <div className={classes.figures}>
            <Figures
              panel={panel}
              still={still}
              choice={choice}
              looks={{ locked, dimmed: disabled || isOld, narrow, phone }}
            />
          </div>
          {!narrow && (
            <ControlsColumn {...controls}>
              <NextDraw panel={still} />
            </ControlsColumn>
          )}
        </div>
      </div>
      {narrow && <ControlsDock {...controls} />}
      {wall.isOn && WallScreen && (
        <WallScreen live={live} panel={panel} layout={choice.layout} phase={phase} onLeave={wall.leave} />
      )}
      <ResetDialog panel={panel} actions={actions} opened={resetting} onClose={() => setResetting(false)} />
    </div>
  );
}

interface FiguresProps {
  panel: Panel;
  /** From {@link useStill}. */
  still: Panel;
  choice: Choice;
  looks: {
    locked: boolean;
    dimmed: boolean;
    narrow: boolean;
    phone: boolean;
  };
}

function Figures({ panel, still, choice, looks: { locked, dimmed, narrow, phone } }: FiguresProps) {
  const later = useLater(EXTRAS_AFTER_MS);
  const drawn = useMemo(() => {
    const result = resultOf(still);
    return result && { selection: selectionOf(result.result), booster: result.booster };
  }, [still]);
  return (
    <>
      <OutcomeGrid
        panel={panel}
        rules={choice.rules}
        layout={choice.layout}
        selection={choice.selection}
        result={drawn}
        booster={choice.booster}
        disabled={locked}
        dimmed={dimmed}
        narrow={phone}
        onToggle={choice.toggle}
        onSelect={choice.select}
      />
      <div className={classes.sums}>
        <DrawCollection panel={panel} />
        <DailyFigures panel={still} narrow={phone} />
      </div>
      <ResultStrip panel={still} />
      {later && (
        <Suspense>
          <Frequencies panel={still} />
        </Suspense>
      )}
      {narrow && panel.draw && <Commitment draw={panel.draw} />}
      {narrow && <NextDraw panel={still} />}
    </>
  );
}

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
      busy={actions.busy === 'reset'}
      onConfirm={() => void resetBalance()}
      onClose={onClose}
    >
      The whole balance of {panel.gameName}, {formatPoints(balanceOf(panel))}, is returned to {panel.username}.
    </ConfirmDialog>
  );
}
