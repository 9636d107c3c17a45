import { Button, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { formatDateTime } from '../../lib/format/format.ts';
import { prefetched } from '../../lib/lazyParts.ts';
import { INVITATION_PATH } from '../../lib/paths.ts';
import { Dialog } from './Dialog.tsx';
import { dialogTexts } from '../formTexts.ts';

interface ShownOnceProps {
  meaning: string;
  value: string;
  done: string;
  onClose: () => void;
  action?: ReactNode;
  children: ReactNode;
}

/** A secret that is not shown again, with a button to copy it. */
export function ShownOnce({ meaning, value, done, onClose, action, children }: ShownOnceProps) {
  return (
    <Stack gap="md">
      <Text component="output">{meaning}</Text>
      {children}
      <Group justify="flex-end" gap="xs">
        {action}
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy} data-autofocus>
              {copied ? dialogTexts.copied : dialogTexts.copy}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onClose}>{done}</Button>
      </Group>
    </Stack>
  );
}

/** Only its button closes it. */
export function OnceDialog({ opened, title, ...secret }: ShownOnceProps & { opened: boolean; title: string }) {
  return (
    <Dialog
      opened={opened}
      onClose={secret.onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <ShownOnce {...secret} />
    </Dialog>
  );
}

const texts = dialogTexts.invitation;
const usePrinting = prefetched(() => import('../print/printInvitation.tsx'));

export interface MadeInvitation {
  readonly of: string;
  readonly invitation: string;
  readonly expiresAt: string;
}

interface InvitationDialogProps {
  made: MadeInvitation | null;
  onClose: () => void;
}

export function InvitationDialog({ made, onClose }: InvitationDialogProps) {
  const [shown, setShown] = useState(made);
  if (made && made !== shown) setShown(made);
  const printing = usePrinting(made !== null);
  if (!shown) return null;
  const link = `${window.location.origin}${INVITATION_PATH}#${shown.invitation}`;
  return (
    <OnceDialog
      opened={made !== null}
      onClose={onClose}
      title={texts.title}
      meaning={texts.once(shown.of, formatDateTime(shown.expiresAt))}
      value={link}
      done={texts.done}
      action={
        <Button
          variant="default"
          leftSection={<IconPrinter size={16} aria-hidden />}
          disabled={!printing}
          onClick={() => void printing?.printInvitation({ ...shown, link })}
        >
          {texts.print}
        </Button>
      }
    >
      <TextInput label={texts.link} value={link} readOnly onFocus={({ currentTarget }) => currentTarget.select()} />
    </OnceDialog>
  );
}
