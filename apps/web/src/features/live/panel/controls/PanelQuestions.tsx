import { drawName } from '@drawhouse/rules/time/draw-name';
import { addResult, generateResult } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import { Text } from '@mantine/core';
import { memo } from 'react';
import { prefetched } from '../../../../lib/lazyParts.ts';
import { ConfirmDialog } from '../../../../ui/dialog/ConfirmDialog.tsx';
import { liveTexts } from '../../liveTexts.ts';
import { openSections } from './useChoice.ts';
import type { PanelControls } from './usePanelControls.ts';

const useReasonDialogs = prefetched(() => import('./ReasonDialogs.tsx'));

interface PanelQuestionsProps extends Pick<PanelControls, 'questions' | 'correcting' | 'choice' | 'actions' | 'save'> {
  panel: Panel;
}

export const PanelQuestions = memo(function PanelQuestions(props: PanelQuestionsProps) {
  const { panel, questions, correcting, choice, actions, save } = props;
  const { asking, close } = questions;
  const dialogs = useReasonDialogs(asking === 'void' || correcting !== null);

  async function generate() {
    await actions.generate();
    close();
  }

  return (
    <>
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
          {generateText(panel)}
        </Text>
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === 'incomplete'}
        title={liveTexts.incomplete}
        confirmLabel={liveTexts.saveIncomplete}
        confirms={addResult}
        busy={actions.busy === 'save'}
        onConfirm={() => void save()}
        onClose={close}
      >
        {liveTexts.withoutNumber(openSections(choice))}
      </ConfirmDialog>
      {dialogs && <dialogs.VoidDialog panel={panel} actions={actions} opened={asking === 'void'} onClose={close} />}
      {dialogs && correcting && (
        <dialogs.CorrectDialog {...{ correcting, choice, actions }} opened={asking === 'correct'} onClose={close} />
      )}
    </>
  );
});

function generateText({ draw, saved, usesBeacon }: Panel): string {
  const name = draw ? drawName(draw.number) : '';
  if (usesBeacon && draw) return liveTexts.generateLater(name);
  return saved ? liveTexts.savedIsDiscarded(saved.result, saved.booster, name) : liveTexts.bettingOnDrawCloses(name);
}
