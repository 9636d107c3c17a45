import type { Panel } from '@drawhouse/contract/live/live';
import { Button } from '@mantine/core';
import { IconDice5 } from '@tabler/icons-react';
import { usePanelKey } from '../../grids/gridKeys.ts';
import { liveTexts } from '../../liveTexts.ts';
import type { PanelActions } from './usePanelActions.ts';
import type { Questions } from './usePanelControls.ts';
import classes from './PanelControls.module.css';

interface DrawActionsProps {
  panel: Panel;
  actions: PanelActions;
  disabled: boolean;
  leftToBeacon: boolean;
  questions: Questions;
}

export function DrawActions({ panel, actions, disabled, leftToBeacon, questions: { ask } }: DrawActionsProps) {
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
