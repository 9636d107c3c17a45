import { answerConfirmation } from '../../lib/session/confirmation.ts';
import { useUser } from '../../lib/session/session.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { shellTexts } from './shellTexts.ts';

/** Asks for calls that no dialog made. Give each question its own `key`. */
export function PasswordDialog({ opened }: { opened: boolean }) {
  const { secondFactor } = useUser();
  return (
    <ConfirmDialog
      opened={opened}
      title={secondFactor ? shellTexts.confirmWithYourFactor : shellTexts.confirmWithYourPassword}
      confirms="always"
      onConfirm={() => answerConfirmation(true)}
      onClose={() => answerConfirmation(false)}
    >
      {secondFactor ? shellTexts.thisChangeNeedsFactor : shellTexts.thisChangeNeedsYour}
    </ConfirmDialog>
  );
}
