import { answerConfirmation } from '../../lib/session/confirmation.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { shellTexts } from './shellTexts.ts';

/** Asks for the password of a call that no dialog made. Give each question its own `key`. */
export function PasswordDialog({ opened }: { opened: boolean }) {
  return (
    <ConfirmDialog
      opened={opened}
      title={shellTexts.confirmWithYourPassword}
      confirms="always"
      onConfirm={() => answerConfirmation(true)}
      onClose={() => answerConfirmation(false)}
    >
      {shellTexts.thisChangeNeedsYour}
    </ConfirmDialog>
  );
}
