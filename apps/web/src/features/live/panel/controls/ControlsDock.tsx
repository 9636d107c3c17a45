import type { ResultData } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { declarationOf, selectionOf } from '@drawhouse/rules/panel/layout';
import { richText } from '@drawhouse/session/rich-text';
import { ActionIcon, Button } from '@mantine/core';
import { IconDots, IconCheck, IconDice5 } from '@tabler/icons-react';
import { useState, memo, type ReactNode } from 'react';
import { Sheet } from '../../../../ui/dialog/Dialog.tsx';
import { BalanceForm } from './BalanceForm.tsx';
import { liveTexts, resultTexts } from '../../liveTexts.ts';
import { isDeclared, gameOf, type Consequence } from '../panelMath.ts';
import { ResultForm } from './ResultForm.tsx';
import type { Choice } from './useChoice.ts';
import type { PanelActions } from './usePanelActions.ts';
import type { Questions } from './usePanelControls.ts';
import classes from './PanelControls.module.css';
import { formatPoints } from '../../../../lib/format/format.ts';
import { may } from '../../../../lib/session/rights.ts';
import { useUser } from '../../../../lib/session/session.ts';
import { formatClock } from '../../liveFormat.ts';
import { usePanelKey } from '../../grids/gridKeys.ts';

const SHEET_HEIGHT = 372;

interface ControlsProps {
  still: Panel;
  choice: Choice;
  consequence: Consequence | null;
  actions: PanelActions;
  disabled: boolean;
  /** A beacon decides: results are final. */
  leftToBeacon: boolean;
  isOpen: boolean;
  awaited: Panel['awaited'][number] | null;
  correcting: Panel['correctable'][number] | null;
  canSave: boolean;
  aimAt: (drawId: string) => void;
  save: () => Promise<void>;
  questions: Questions;
}

/** Changes never move the grid. Without room for two columns, `grid` is inside it. */
export const ControlsColumn = memo(function ControlsColumn({
  still,
  choice,
  actions,
  disabled,
  leftToBeacon,
  isOpen,
  grid,
  children,
  ...aim
}: ControlsProps & { grid?: ReactNode; children?: ReactNode }) {
  const isAimed = aim.awaited !== null || still.correctable.length > 0;
  return (
    <aside className={classes.column} aria-label={liveTexts.controls}>
      {may('adjustments') && <BalanceForm panel={still} actions={actions} />}
      {grid}
      <SavedResult panel={still} actions={actions} disabled={disabled || leftToBeacon || !may('results')} />
      {may('results') &&
        still.awaited.map((draw) => <AwaitedResult key={draw.drawId} panel={still} awaited={draw} actions={actions} />)}
      {isDeclared(still) || isAimed ? (
        may('results') && <ResultForm panel={still} {...{ choice, actions, disabled, leftToBeacon, isOpen, ...aim }} />
      ) : (
        <section className={classes.section} aria-label={liveTexts.result}>
          <p className={classes.savedText}>{whyNotSaved(still)}</p>
        </section>
      )}
      {may('results') && (
        <DrawActions panel={still} {...{ actions, disabled, leftToBeacon }} questions={aim.questions} />
      )}
      {children}
    </aside>
  );
});

function whyNotSaved({ draw, resultMode }: Panel): string {
  return resultMode === 'outside' && draw?.outside != null
    ? liveTexts.outsideDecides(draw.outside)
    : liveTexts.onlyGenerated;
}

/** As `--dock`: messages lie above it. It grows with what can be saved. */
function publishHeight(dock: HTMLElement | null) {
  if (!dock) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty('--dock', `${dock.offsetHeight}px`));
  observer.observe(dock);
  return () => {
    observer.disconnect();
    style.removeProperty('--dock');
  };
}

export const ControlsDock = memo(function ControlsDock(props: ControlsProps) {
  const { still, choice, actions, disabled, leftToBeacon, isOpen, ...aim } = props;
  const isAimed = aim.awaited !== null || still.correctable.length > 0;
  const [opened, setOpened] = useState(false);
  if (!may('results') && !may('adjustments')) return null;
  return (
    <aside ref={publishHeight} className={classes.dock} aria-label={liveTexts.controls} data-dock>
      <SavedResult compact panel={still} actions={actions} disabled={disabled || leftToBeacon || !may('results')} />
      {may('results') &&
        still.awaited.map((draw) => (
          <AwaitedResult key={draw.drawId} compact panel={still} awaited={draw} actions={actions} />
        ))}
      {(isDeclared(still) || isAimed) && may('results') ? (
        <ResultForm compact panel={still} {...{ choice, actions, disabled, leftToBeacon, isOpen, ...aim }} />
      ) : (
        <p className={`${classes.savedText} ${classes.grow}`}>{!isDeclared(still) && whyNotSaved(still)}</p>
      )}
      <ActionIcon
        variant="default"
        className={classes.dockMore}
        aria-label={liveTexts.gameBalanceAndMore}
        onClick={() => setOpened(true)}
      >
        <IconDots size={20} aria-hidden />
      </ActionIcon>
      <Sheet
        opened={opened}
        onClose={() => setOpened(false)}
        position="bottom"
        size={SHEET_HEIGHT}
        title={liveTexts.gameBalanceAndDraw}
        classNames={{ body: classes.sheet }}
      >
        {may('adjustments') && <BalanceForm panel={still} actions={actions} />}
        {may('results') && (
          <DrawActions panel={still} {...{ actions, disabled, leftToBeacon }} questions={aim.questions} />
        )}
      </Sheet>
    </aside>
  );
});

interface AwaitedResultProps {
  panel: Panel;
  awaited: Panel['awaited'][number];
  actions: PanelActions;
  compact?: boolean;
}

function AwaitedResult({
  panel,
  awaited: { drawId, saved, outside, staked },
  actions,
  compact = false,
}: AwaitedResultProps) {
  const user = useUser();
  if (!saved) return null;
  const label = `${saved.result}, ${resultTexts.outsideWord(outside)}`;
  const isOwn = saved.byId === user._id;
  return (
    <section className={compact ? classes.dockSaved : classes.section} aria-label={liveTexts.savedResult}>
      <p className={classes.savedText}>
        {isOwn
          ? liveTexts.savedAwaitsOther(saved.by, label)
          : liveTexts.savedAtConfirmIt(saved.by, label, formatClock(saved.at))}{' '}
        {liveTexts.outsidePays(formatPoints(saved.pays), formatPoints(staked))}
      </p>
      {!isOwn && (
        <ConfirmButton panel={panel} outcome={saved.outcome} result={saved.result} {...{ drawId, actions, compact }} />
      )}
    </section>
  );
}

interface ConfirmButtonProps {
  panel: Panel;
  outcome: ResultData;
  result: string;
  booster?: number;
  drawId?: string;
  actions: PanelActions;
  compact: boolean;
}

function ConfirmButton({ panel, outcome, result, booster = 1, drawId, actions, compact }: ConfirmButtonProps) {
  return (
    <Button
      variant="filled"
      fullWidth={!compact}
      size={compact ? 'sm' : 'md'}
      className={classes.confirm}
      leftSection={<IconCheck size={18} aria-hidden />}
      loading={actions.busy === 'confirm'}
      disabled={actions.busy !== null}
      onClick={() =>
        void actions.confirm(declarationOf(rulesFor(gameOf(panel)), selectionOf(outcome)), booster, drawId)
      }
    >
      {/* Several numbers are listed beneath the grid. */}
      {'winners' in outcome ? liveTexts.confirmResult : liveTexts.confirm(result)}
    </Button>
  );
}

interface SavedResultProps {
  panel: Panel;
  actions: PanelActions;
  disabled: boolean;
  compact?: boolean;
}

const SavedResult = memo(function SavedResult({ panel, actions, disabled, compact = false }: SavedResultProps) {
  const user = useUser();
  const { saved } = panel;
  if (!saved || disabled) return null;
  const isOwn = saved.byId === user._id;
  const label = `${saved.result}, booster ${saved.booster} X`;
  if (!saved.waits) {
    return compact || saved.confirmedBy === null ? null : (
      <section className={classes.section} aria-label={liveTexts.savedResult}>
        <p className={classes.savedText}>
          {richText(liveTexts.savedAndConfirmedIt, {
            by: saved.by,
            label,
            confirmedBy: saved.confirmedBy,
            sameAddress: saved.sameAddress && liveTexts.fromSameAddress,
          })}
        </p>
      </section>
    );
  }
  return (
    <section className={compact ? classes.dockSaved : classes.section} aria-label={liveTexts.savedResult}>
      <p className={classes.savedText}>
        {isOwn
          ? liveTexts.savedAwaitsOther(saved.by, label)
          : liveTexts.savedAtConfirmIt(saved.by, label, formatClock(saved.at))}
      </p>
      {!isOwn && <ConfirmButton panel={panel} {...saved} {...{ actions, compact }} />}
    </section>
  );
});

interface DrawActionsProps {
  panel: Panel;
  actions: PanelActions;
  disabled: boolean;
  leftToBeacon: boolean;
  questions: Questions;
}

function DrawActions({ panel, actions, disabled, leftToBeacon, questions: { ask } }: DrawActionsProps) {
  const off = disabled || actions.busy !== null;
  const hasSavedResult = panel.usesBeacon && panel.saved !== null;
  const canGenerate = !off && !hasSavedResult && panel.resultMode !== 'outside';
  const canVoid = !off && !leftToBeacon;
  usePanelKey('g', canGenerate, () => ask('generate'));
  usePanelKey('v', canVoid, () => ask('void'));
  const reason = hasSavedResult ? liveTexts.savedStands : leftToBeacon ? liveTexts.voidLeftToBeacon : null;

  return (
    <section className={classes.section} aria-label={liveTexts.drawActions}>
      <Button
        variant="default"
        fullWidth
        leftSection={<IconDice5 size={18} aria-hidden />}
        loading={actions.busy === 'generate'}
        disabled={!canGenerate}
        aria-keyshortcuts="G"
        onClick={() => ask('generate')}
      >
        {liveTexts.generate}
      </Button>
      <Button
        variant="subtle"
        color="red"
        fullWidth
        className={classes.apart}
        loading={actions.busy === 'void'}
        disabled={!canVoid}
        aria-keyshortcuts="V"
        onClick={() => ask('void')}
      >
        {liveTexts.voidDraw}
      </Button>
      {!disabled && reason !== null && <p className={classes.savedText}>{reason}</p>}
    </section>
  );
}
