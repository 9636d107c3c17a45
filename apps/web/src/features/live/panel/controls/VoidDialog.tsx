import type { Panel } from '@drawhouse/contract/live/live';
import { Button, Group, Text, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { formatPoints } from '../../../../lib/format/format.ts';
import { Dialog } from '../../../../ui/page/Dialog.tsx';
import { liveTexts } from '../../liveTexts.ts';
import type { PanelActions } from './usePanelActions.ts';

interface VoidDialogProps {
  panel: Panel;
  actions: PanelActions;
  opened: boolean;
  onClose: () => void;
}

/** Voiding returns every stake. */
export function VoidDialog({ panel, actions, opened, onClose }: VoidDialogProps) {
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (reason.trim() === '') {
      setError(liveTexts.reasonRequired);
      field.current?.focus();
      return;
    }
    if (!(await actions.voidDraw(reason.trim()))) return;
    setReason('');
    onClose();
  }

  return (
    <Dialog opened={opened} onClose={onClose} title={liveTexts.voidDraw2(panel.draw?.number ?? '')} centered size="sm">
      <form noValidate onSubmit={(event) => void submit(event)}>
        <Text mb="sm">{liveTexts.allStakesOnThis(formatPoints(panel.totalsumdata))}</Text>
        <Textarea
          ref={field}
          label={liveTexts.reason}
          description={liveTexts.recordedInActivityLog}
          required
          withAsterisk={false}
          maxLength={500}
          autosize
          minRows={2}
          value={reason}
          error={error}
          onChange={(event) => {
            setReason(event.currentTarget.value);
            setError(null);
          }}
          data-autofocus
        />
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={onClose}>
            {liveTexts.cancel}
          </Button>
          <Button type="submit" color="red" loading={actions.busy === 'void'}>
            {liveTexts.voidDraw}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
