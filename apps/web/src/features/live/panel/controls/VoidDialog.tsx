import { drawName } from '@drawhouse/rules/time/draw-name';
import { voidDraw } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import { Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { formatPoints } from '../../../../lib/format/format.ts';
import { useFormCall } from '../../../../lib/form/useFormCall.ts';
import { Dialog } from '../../../../ui/dialog/Dialog.tsx';
import { DialogForm } from '../../../../ui/dialog/DialogForm.tsx';
import { liveTexts } from '../../liveTexts.ts';
import type { PanelActions } from './usePanelActions.ts';

interface VoidDialogProps {
  panel: Panel;
  actions: PanelActions;
  opened: boolean;
  onClose: () => void;
}

export function VoidDialog(props: VoidDialogProps) {
  const { panel, opened, onClose } = props;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={liveTexts.voidNumberedDraw(panel.draw ? drawName(panel.draw.number) : '')}
      size="sm"
    >
      <Fields {...props} />
    </Dialog>
  );
}

function Fields({ panel, actions, onClose }: VoidDialogProps) {
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: (reason) => (reason.trim() === '' ? liveTexts.reasonRequired : null) },
  });
  const send = useFormCall(form, {
    // The panel shows a refusal.
    send: ({ reason }) => actions.voidDraw(reason.trim()),
    onDone: (isDone) => isDone && onClose(),
  });
  return (
    <DialogForm
      label={liveTexts.voidDraw}
      call={send}
      submit={liveTexts.voidDraw}
      danger
      confirms={voidDraw}
      onCancel={onClose}
    >
      <Text>{liveTexts.allStakesOnThis(formatPoints(panel.totalsumdata))}</Text>
      <Textarea
        label={liveTexts.reason}
        description={liveTexts.recordedInActivityLog}
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
