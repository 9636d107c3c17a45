import type { Panel } from '@drawhouse/contract/live/live';
import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Sheet } from '../../../ui/Dialog.tsx';
import { BalanceForm } from './BalanceForm.tsx';
import { DrawActions } from './DrawActions.tsx';
import { liveTexts } from '../liveTexts.ts';
import { isDeclared } from './panelMath.ts';
import { ResultForm } from './ResultForm.tsx';
import { SavedResult } from './SavedResult.tsx';
import type { Choice } from './useChoice.ts';
import type { PanelActions } from './usePanelActions.ts';
import classes from './PanelControls.module.css';

/** High enough for the balance and both actions, in px. */
const SHEET_HEIGHT = 372;

interface ControlsProps {
  panel: Panel;
  /** The panel for what shows no stakes. */
  still: Panel;
  choice: Choice;
  actions: PanelActions;
  /** No result can be chosen for this draw any more. */
  disabled: boolean;
  /** The draw's beacon decides: nobody saves, confirms or voids any more. */
  leftToBeacon: boolean;
  /** Betting is open. */
  isOpen: boolean;
}

/** What the operator does, as a column beside the grid, and what stands beneath it: what comes and goes there moves no grid. */
export function ControlsColumn({
  panel,
  still,
  choice,
  actions,
  disabled,
  leftToBeacon,
  isOpen,
  children,
}: ControlsProps & { children: ReactNode }) {
  return (
    <aside className={classes.column} aria-label="Controls">
      <BalanceForm panel={still} actions={actions} />
      <SavedResult panel={still} actions={actions} disabled={disabled || leftToBeacon} />
      {isDeclared(still) ? (
        <ResultForm panel={still} {...{ choice, actions, disabled, leftToBeacon, isOpen }} />
      ) : (
        <section className={classes.section} aria-label="Result">
          <p className={classes.savedText}>{liveTexts.onlyGenerated}</p>
        </section>
      )}
      <DrawActions panel={panel} actions={actions} disabled={disabled} leftToBeacon={leftToBeacon} />
      {children}
    </aside>
  );
}

/** What the operator does on a phone: the result docks at the bottom, the rest opens above it. */
export function ControlsDock({ panel, still, choice, actions, disabled, leftToBeacon, isOpen }: ControlsProps) {
  const [opened, setOpened] = useState(false);
  return (
    <aside className={classes.dock} aria-label="Controls" data-dock>
      <SavedResult compact panel={still} actions={actions} disabled={disabled || leftToBeacon} />
      {isDeclared(still) ? (
        <ResultForm compact panel={still} {...{ choice, actions, disabled, leftToBeacon, isOpen }} />
      ) : (
        <p className={`${classes.savedText} ${classes.grow}`}>{liveTexts.onlyGenerated}</p>
      )}
      <ActionIcon
        variant="default"
        className={classes.dockMore}
        aria-label="Game balance and more"
        onClick={() => setOpened(true)}
      >
        <IconDots size={20} aria-hidden />
      </ActionIcon>
      <Sheet
        opened={opened}
        onClose={() => setOpened(false)}
        position="bottom"
        size={SHEET_HEIGHT}
        title="Game balance and draw"
        classNames={{ body: classes.sheet }}
      >
        <BalanceForm panel={still} actions={actions} />
        <DrawActions panel={panel} actions={actions} disabled={disabled} leftToBeacon={leftToBeacon} />
      </Sheet>
    </aside>
  );
}
