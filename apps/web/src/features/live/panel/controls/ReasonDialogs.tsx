import { drawName } from '@drawhouse/rules/time/draw-name';
import { correctResult, voidDraw } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import { Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ComponentProps, ReactNode } from 'react';
import { formatPoints } from '../../../../lib/format/format.ts';
import { useFormCall } from '../../../../lib/form/useFormCall.ts';
import { Dialog } from '../../../../ui/dialog/Dialog.tsx';
import { DialogForm } from '../../../../ui/dialog/DialogForm.tsx';
import { liveTexts } from '../../liveTexts.ts';
import type { Choice } from './useChoice.ts';
import type { PanelActions } from './usePanelActions.ts';

interface CorrectDialogProps {
  correcting: Panel['correctable'][number];
  choice: Choice;
  actions: PanelActions;
  opened: boolean;
  onClose: () => void;
}

export function CorrectDialog({ correcting, choice, actions, opened, onClose }: CorrectDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={liveTexts.correctTitle(correcting.outside)} centered size="sm">
      <ReasonForm
        label={liveTexts.correct}
        help={liveTexts.correctReason}
        confirms={correctResult}
        send={(reason) => actions.correct(choice.declare(), reason, correcting.result)}
        onAnswer={(isDone) => {
          if (isDone) choice.clear();
          onClose();
        }}
        onCancel={onClose}
      >
        <Text>{liveTexts.correctQuestion(correcting.result, choice.text)}</Text>
        <Text c="dimmed" size="sm">
          {liveTexts.correctConsequence}
        </Text>
      </ReasonForm>
    </Dialog>
  );
}

interface VoidDialogProps {
  panel: Panel;
  actions: PanelActions;
  opened: boolean;
  onClose: () => void;
}

export function VoidDialog({ panel, actions, opened, onClose }: VoidDialogProps) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={liveTexts.voidNumberedDraw(panel.draw ? drawName(panel.draw.number) : '')}
      size="sm"
    >
      <ReasonForm
        label={liveTexts.voidDraw}
        help={liveTexts.recordedInActivityLog}
        confirms={voidDraw}
        send={(reason) => actions.voidDraw(reason)}
        onAnswer={(isDone) => isDone && onClose()}
        onCancel={onClose}
      >
        <Text>{liveTexts.allStakesOnThis(formatPoints(panel.totalsumdata))}</Text>
      </ReasonForm>
    </Dialog>
  );
}

interface ReasonFormProps extends Pick<ComponentProps<typeof DialogForm>, 'label' | 'confirms' | 'onCancel'> {
  help: string;
  send: (reason: string) => Promise<boolean>;
  onAnswer: (isDone: boolean) => void;
  children: ReactNode;
}

function ReasonForm({ label, help, confirms, send, onAnswer, onCancel, children }: ReasonFormProps) {
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: (reason) => (reason.trim() === '' ? liveTexts.reasonRequired : null) },
  });
  const call = useFormCall(form, { send: ({ reason }) => send(reason.trim()), onDone: onAnswer });
  return (
    <DialogForm label={label} call={call} submit={label} danger confirms={confirms} onCancel={onCancel}>
      {children}
      <Textarea
        label={liveTexts.reason}
        description={help}
        required
        withAsterisk={false}
        maxLength={500}
        autosize
        minRows={2}
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </DialogForm>
  );
}
