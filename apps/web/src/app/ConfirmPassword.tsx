import { useEffect, useState } from 'react';
import { answerConfirmation } from '../lib/confirmation.ts';
import { partOf } from '../lib/part.ts';
import { useConfirmation } from '../lib/useConfirmation.ts';
import type { createPages } from './router.tsx';

const usePasswordDialog = partOf(() => import('./PasswordDialog.tsx'));

/**
 * Asks for the password where a call wants it anew; the call then goes on as it was sent. Whoever goes back, or is signed out, has not
 * given it: Back closes the question and leaves what was typed.
 */
export function ConfirmPassword({ router: { history } }: { router: ReturnType<typeof createPages> }) {
  const number = useConfirmation();
  const [shown, setShown] = useState<number | null>(null);
  if (number !== null && number !== shown) setShown(number);
  const Dialog = usePasswordDialog(shown !== null)?.PasswordDialog;
  const isAsked = number !== null;
  useEffect(() => {
    if (!isAsked) return;
    const cancel = () => {
      answerConfirmation(false);
      return true;
    };
    const unblock = history.block({ blockerFn: cancel });
    return () => {
      unblock();
      cancel();
    };
  }, [isAsked, history]);
  return Dialog && shown !== null && <Dialog key={shown} opened={number === shown} />;
}
