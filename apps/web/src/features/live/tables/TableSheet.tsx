import type { LiveTable } from '@drawhouse/contract/live/live-tables';
import type { Panel } from '@drawhouse/contract/live/live';
import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { panelPath } from '../../../lib/paths.ts';
import { useUser } from '../../../lib/session/session.ts';
import { Sheet } from '../../../ui/dialog/Dialog.tsx';
import { ErrorState } from '../../../ui/page/PageStates.tsx';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { useDigitWidth } from '../../../ui/useWidth.ts';
import { AimedGrid } from '../panel/AimedGrid.tsx';
import { ControlsColumn } from '../panel/controls/ControlsDock.tsx';
import { PanelQuestions } from '../panel/controls/PanelQuestions.tsx';
import { usePanelControls } from '../panel/controls/usePanelControls.ts';
import { usePanelWithoutStakes } from '../panel/feed/panelFrames.ts';
import { isLost } from '../panel/feed/panelRoom.ts';
import { usePanel, type LivePanel } from '../panel/feed/usePanel.ts';
import { PanelBanner } from '../panel/PanelBanner.tsx';
import { PanelHead } from '../panel/PanelHead.tsx';
import { liveTablesTexts } from './liveTablesTexts.ts';
import classes from './TableSheet.module.css';

interface TableSheetProps {
  table: LiveTable;
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}

export function TableSheet({ table, opened, onClose, children }: TableSheetProps) {
  const { role } = useUser();
  const { gameId, gameName, adminId, username } = table;
  return (
    <Sheet
      opened={opened}
      onClose={onClose}
      position="right"
      size={520}
      title={
        <>
          {gameName} <span className={classes.of}>{username}</span>
        </>
      }
      classNames={{ body: classes.sheet }}
    >
      <PathLink href={panelPath(role, gameId, adminId, username)}>{liveTablesTexts.openPanel}</PathLink>
      <SheetPanel table={table} />
      {children}
    </Sheet>
  );
}

/** A closed sheet leaves the panel's room. */
function SheetPanel({ table: { gameId, adminId } }: { table: LiveTable }) {
  const live = usePanel(gameId, adminId);
  if (live.panel) return <SheetControls live={live} panel={live.panel} />;
  if (live.refusal) return <ErrorState message={live.refusal.message} onRetry={live.refresh} />;
  return (
    <div className={classes.sheet} aria-busy>
      <Skeleton height={56} />
      <Skeleton height={240} />
      <Skeleton height={320} />
    </div>
  );
}

function SheetControls({ live, panel }: { live: LivePanel; panel: Panel }) {
  const { offset, connection, stale } = live;
  useDigitWidth();
  const still = usePanelWithoutStakes(panel);
  const controls = usePanelControls(live, panel, still);
  const { phase, leftToBeacon } = controls;
  return (
    <>
      <PanelHead panel={still} offset={offset} phase={phase} connection={connection} stale={stale} narrow />
      <PanelBanner panel={panel} phase={phase} connection={connection} stale={stale} leftToBeacon={leftToBeacon} />
      <div className={classes.controls}>
        <ControlsColumn
          still={still}
          {...controls}
          grid={
            <div className={classes.grid}>
              <AimedGrid still={still} controls={controls} isOld={stale || isLost(connection)} narrow />
            </div>
          }
        />
      </div>
      <PanelQuestions panel={panel} {...controls} />
    </>
  );
}
