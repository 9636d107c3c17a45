import type { Panel } from '@drawhouse/contract/live';
import { ActionIcon, Button, Group } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { formatPoints } from '../../lib/format.ts';
import { pagePath } from '../../lib/paths.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useUnsaved } from '../../lib/unsaved.ts';
import { useUser } from '../../lib/useSession.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PathLink } from '../../ui/PathLink.tsx';
import { useWidth } from '../../ui/useWidth.ts';
import { ControlsColumn, ControlsDock } from './ControlsDock.tsx';
import { DailyFigures, DrawCollection } from './DailyFigures.tsx';
import { canDeclare, phaseAt } from './drawClock.ts';
import { LIVE } from './liveMessages.ts';
import { OutcomeGrid } from './OutcomeGrid.tsx';
import { PanelBanner } from './PanelBanner.tsx';
import { Commitment, PanelHead } from './PanelHead.tsx';
import { isDeclared } from './panelMath.ts';
import { PanelSkeleton } from './PanelSkeleton.tsx';
import { ResultStrip } from './ResultStrip.tsx';
import { isLost, usePanel } from './usePanel.ts';
import type { LivePanel } from './usePanel.ts';
import { usePanelActions } from './usePanelActions.ts';
import { useServerClock } from './useServerClock.ts';
import classes from './LivePanelPage.module.css';

/** The families whose panel is built; the others come with a later release. */
const FAMILIES_SHOWN: readonly string[] = ['numbers'];

/** The width of the page in px below which the controls leave the side of the grid and dock at the bottom. */
const DOCKED_BELOW = 940;
/** The width in px below which it is a phone's. */
const PHONE_BELOW = 560;

/** How a game and admin are refused that do not exist together; other refusals may pass. */
const UNKNOWN: readonly string[] = ['NOT_FOUND', 'INVALID_INPUT'];

interface LivePanelPageProps {
  /** The game's key. */
  gameId: string;
  adminId: string;
  /** The admin's name, as the link says it; the panel knows it better. */
  username: string;
}

/** The live panel of one game of one admin: bets as they come, and what the operator does about the draw. */
export function LivePanelPage(props: LivePanelPageProps) {
  return <PanelOfPair key={`${props.gameId}/${props.adminId}`} {...props} />;
}

function PanelOfPair({ gameId, adminId, username }: LivePanelPageProps) {
  const live = usePanel(gameId, adminId);
  const { panel, refusal, refresh } = live;
  if (!panel && refusal && UNKNOWN.includes(refusal.code)) return <UnknownPanel />;
  if (!panel) {
    return (
      <>
        <PageHeader title="Live panel" of={username} />
        {refusal ? <ErrorState message={refusal.message} onRetry={refresh} /> : <PanelSkeleton />}
      </>
    );
  }
  if (!FAMILIES_SHOWN.includes(panel.family)) {
    return (
      <>
        <PageHeader title={panel.gameName} of={panel.username} />
        <EmptyState
          title={`The live panel of ${panel.gameName} comes with a later release`}
          text="Its draws run all the same: bets are taken, and results are generated at the draw time."
        />
      </>
    );
  }
  return <NumbersPanel live={live} panel={panel} />;
}

/** A game that is not in the catalogue, or not this admin's, shows nothing (section 2 of the games specification). */
function UnknownPanel() {
  const { role } = useUser();
  return <PageHeader title="Live panel" action={<PathLink href={pagePath(role, 'game')}>All live panels</PathLink>} />;
}

function NumbersPanel({ live, panel }: { live: LivePanel; panel: Panel }) {
  const { offset, connection, stale, refresh, refreshing } = live;
  const drawId = panel.draw?._id ?? '';
  const [choice, setChoice] = useState<{ drawId: string; selected: string | null; booster: number }>({
    drawId,
    selected: null,
    booster: 1,
  });
  const [resetting, setResetting] = useState(false);
  const { ref, width } = useWidth();
  const narrow = width < DOCKED_BELOW;
  const phone = width < PHONE_BELOW;
  const queryClient = useQueryClient();
  const actions = usePanelActions(panel, () => {
    refresh();
    // The admin's own balance stands in the top bar.
    void queryClient.invalidateQueries({ queryKey: [queryKeys.credit] });
  });
  const phase = useServerClock(offset, (now) => phaseAt(panel, now));

  // What was chosen by the figures of one draw says nothing about the next.
  if (choice.drawId !== drawId) setChoice({ drawId, selected: null, booster: 1 });

  const select = useCallback((selected: string | null) => setChoice((before) => ({ ...before, selected })), []);
  const gameBalance = panel.percentageData[0]?.gameBalance ?? 0;
  const disabled = !canDeclare(phase);
  const locked = disabled || !isDeclared(panel);
  const selected = locked ? null : choice.selected;
  useUnsaved(selected !== null);
  const controls = {
    panel,
    actions,
    disabled,
    choice: {
      selected,
      booster: Math.min(choice.booster, panel.maxBooster),
      setBooster: (booster: number) => setChoice((before) => ({ ...before, booster })),
      clear: () => setChoice((before) => ({ ...before, selected: null, booster: 1 })),
    },
  };

  async function resetBalance() {
    await actions.reset();
    setResetting(false);
  }

  return (
    <div ref={ref} className={classes.page} data-narrow={narrow || undefined}>
      <div className={classes.content}>
        <PageHeader
          title={panel.gameName}
          of={panel.username}
          action={
            <Group gap="xs" wrap="nowrap">
              {phone ? (
                <ActionIcon
                  variant="default"
                  size="lg"
                  aria-label={LIVE.refresh}
                  loading={refreshing}
                  onClick={refresh}
                >
                  <IconRefresh size={16} aria-hidden />
                </ActionIcon>
              ) : (
                <Button
                  variant="default"
                  leftSection={<IconRefresh size={16} aria-hidden />}
                  loading={refreshing}
                  onClick={refresh}
                >
                  {LIVE.refresh}
                </Button>
              )}
              <Button
                variant="default"
                size={phone ? 'xs' : 'sm'}
                disabled={actions.busy !== null || gameBalance <= 0}
                onClick={() => setResetting(true)}
              >
                {LIVE.resetBalance}
              </Button>
            </Group>
          }
        />
        <PanelHead panel={panel} offset={offset} phase={phase} narrow={narrow} />
        <PanelBanner panel={panel} phase={phase} connection={connection} stale={stale} />
        <div className={classes.middle}>
          <div className={classes.figures}>
            <OutcomeGrid
              panel={panel}
              booster={controls.choice.booster}
              selected={selected}
              disabled={locked}
              dimmed={disabled || stale || isLost(connection)}
              narrow={phone}
              onSelect={select}
            />
            <div className={classes.sums}>
              <DrawCollection panel={panel} />
              <DailyFigures panel={panel} narrow={phone} />
            </div>
            <ResultStrip panel={panel} />
            {narrow && panel.draw && <Commitment draw={panel.draw} />}
          </div>
          {!narrow && <ControlsColumn {...controls} />}
        </div>
      </div>
      {narrow && <ControlsDock {...controls} />}
      <ConfirmDialog
        opened={resetting}
        title={LIVE.resetBalance}
        confirmLabel={LIVE.resetBalance}
        busy={actions.busy === 'reset'}
        onConfirm={() => void resetBalance()}
        onClose={() => setResetting(false)}
      >
        The whole balance of {panel.gameName}, {formatPoints(gameBalance)}, goes back to {panel.username}.
      </ConfirmDialog>
    </div>
  );
}
