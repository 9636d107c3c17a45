import { correctResult } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import { Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
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

/** Asks for the reason of a correction. */
export function CorrectDialog(props: CorrectDialogProps) {
  const { correcting, opened, onClose } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title={liveTexts.correctTitle(correcting.outside)} centered size="sm">
      <Fields {...props} />
    </Dialog>
  );
}

function Fields({ correcting, choice, actions, onClose }: CorrectDialogProps) {
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: (reason) => (reason.trim() === '' ? liveTexts.reasonRequired : null) },
  });
  const send = useFormCall(form, {
    // The panel shows a refusal.
    send: ({ reason }) => actions.correct(choice.declare(), reason.trim(), correcting.result),
    onDone: (isDone) => {
      if (isDone) choice.clear();
      onClose();
    },
  });
  return (
    <DialogForm
      label={liveTexts.correct}
      call={send}
      submit={liveTexts.correct}
      danger
      confirms={correctResult}
      onCancel={onClose}
    >
      <Text>{liveTexts.correctQuestion(correcting.result, choice.text)}</Text>
      <Text c="dimmed" size="sm">
        {liveTexts.correctConsequence}
      </Text>
      <Textarea
        label={liveTexts.reason}
        description={liveTexts.correctReason}
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
