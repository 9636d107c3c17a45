import { Button, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatDateTime } from '../../lib/format/format.ts';
import { INVITATION_PATH } from '../../lib/paths.ts';
import { Dialog } from './Dialog.tsx';
import { dialogTexts } from './dialogTexts.ts';

const texts = dialogTexts.invitation;

export interface MadeInvitation {
  readonly of: string;
  readonly invitation: string;
  readonly expiresAt: string;
}

interface InvitationDialogProps {
  made: MadeInvitation | null;
  onClose: () => void;
}

/** The link is shown once, so only its button closes it. */
export function InvitationDialog({ made, onClose }: InvitationDialogProps) {
  const [shown, setShown] = useState(made);
  if (made && made !== shown) setShown(made);
  const link = `${window.location.origin}${INVITATION_PATH}#${shown?.invitation}`;
  return (
    <Dialog
      opened={made !== null}
      onClose={onClose}
      title={texts.title}
      centered
      size="md"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      {shown && (
        <Stack gap="md">
          <Text component="output">{texts.once(shown.of, formatDateTime(shown.expiresAt))}</Text>
          <TextInput label={texts.link} value={link} readOnly onFocus={({ currentTarget }) => currentTarget.select()} />
          <Group justify="flex-end" gap="xs">
            <CopyButton value={link}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy} data-autofocus>
                  {copied ? texts.copied : texts.copy}
                </Button>
              )}
            </CopyButton>
            <Button onClick={onClose}>{texts.done}</Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}
