import { Button, TextInput } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { formatDateTime } from '../../lib/format/format.ts';
import { prefetched } from '../../lib/lazyParts.ts';
import { INVITATION_PATH } from '../../lib/paths.ts';
import { dialogTexts } from './dialogTexts.ts';
import { OnceDialog } from './OnceDialog.tsx';

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
