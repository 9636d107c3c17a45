import { drawName } from '@drawhouse/rules/time/draw-name';
import { useSearch } from '../../../../lib/navigation.ts';
import { generateResult } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import { Button, Text } from '@mantine/core';
import { IconDice5 } from '@tabler/icons-react';
import { useState } from 'react';
import { prefetched } from '../../../../lib/lazyParts.ts';
import { ConfirmDialog } from '../../../../ui/dialog/ConfirmDialog.tsx';
import { liveTexts } from '../../liveTexts.ts';
import type { PanelActions } from './usePanelActions.ts';
import classes from './PanelControls.module.css';

const useVoiding = prefetched(() => import('./VoidDialog.tsx'));

interface DrawActionsProps {
  panel: Panel;
  actions: PanelActions;
  disabled: boolean;
  leftToBeacon: boolean;
}

export function DrawActions({ panel, actions, disabled, leftToBeacon }: DrawActionsProps) {
  const drawId = panel.draw?._id ?? '';
  const asksToVoid = useSearch()['act'] === 'void';
  const [question, setQuestion] = useState<{ what: 'generate' | 'void'; drawId: string } | null>(
    asksToVoid && !disabled && !leftToBeacon ? { what: 'void', drawId } : null,
  );
  // The question lapses with the draw.
  const asking = question?.drawId === drawId ? question.what : null;
  const voiding = useVoiding(asking === 'void');
  const ask = (what: 'generate' | 'void') => setQuestion({ what, drawId });
  const close = () => setQuestion(null);
  const off = disabled || actions.busy !== null;
  const hasSavedResult = panel.usesBeacon && panel.saved !== null;
  const reason = hasSavedResult ? liveTexts.savedStands : leftToBeacon ? liveTexts.voidLeftToBeacon : null;

  async function generate() {
    await actions.generate();
    close();
  }

  return (
    <section className={classes.section} aria-label={liveTexts.drawActions}>
      <Button
        variant="default"
        fullWidth
        leftSection={<IconDice5 size={18} aria-hidden />}
        loading={actions.busy === 'generate'}
        disabled={off || hasSavedResult || panel.resultMode === 'outside'}
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
        disabled={off || leftToBeacon}
        onClick={() => ask('void')}
      >
        {liveTexts.voidDraw}
      </Button>
      {!disabled && reason !== null && <p className={classes.savedText}>{reason}</p>}
      <ConfirmDialog
        opened={asking === 'generate'}
        title={liveTexts.generateResult}
        confirms={generateResult}
        busy={actions.busy === 'generate'}
        onConfirm={() => void generate()}
        onClose={close}
      >
        <Text>{liveTexts.generateQuestion}</Text>
        <Text c="dimmed" size="sm" mt="xs">
          {panel.usesBeacon && panel.draw
            ? liveTexts.generateLater(drawName(panel.draw.number))
            : panel.saved
              ? liveTexts.savedIsDiscarded(
                  panel.saved.result,
                  panel.saved.booster,
                  panel.draw ? drawName(panel.draw.number) : '',
                )
              : liveTexts.bettingOnDrawCloses(panel.draw ? drawName(panel.draw.number) : '')}
        </Text>
      </ConfirmDialog>
      {voiding && <voiding.VoidDialog panel={panel} actions={actions} opened={asking === 'void'} onClose={close} />}
    </section>
  );
}
