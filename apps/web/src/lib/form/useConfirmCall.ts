import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isUnconfirmed } from '@drawhouse/session/api-client';
import { errorMessage } from '../server/api.ts';
import { useOneAtATime } from './useFormCall.ts';

interface ConfirmCallOptions<Target, Answer> {
  send: (target: Target) => Promise<Answer>;
  /** Not awaited: the next question can be confirmed meanwhile. */
  onDone: (answer: Answer, target: Target) => void;
  onClose: () => void;
}

/**
 * Shared logic of confirmation dialogs: sends once per question, closes on success, stays open with the reason on
 * failure.
 *
 * @param target the subject, or null while closed
 * @returns `shown` keeps the last subject while the dialog fades out; `dialog` holds the props of `ConfirmDialog`
 */
export function useConfirmCall<Target extends object, Answer>(
  target: Target | null,
  { send, onDone, onClose }: ConfirmCallOptions<Target, Answer>,
) {
  const [shown, setShown] = useState<Target | null>(null);
  if (target && target !== shown) setShown(target);
  const act = useMutation({
    mutationFn: send,
    onSuccess: (answer, what) => {
      close();
      onDone(answer, what);
    },
  });
  const once = useOneAtATime(act);

  function close() {
    act.reset();
    onClose();
  }

  return {
    shown,
    dialog: {
      opened: target !== null,
      busy: act.isPending,
      error: isUnconfirmed(act.error) ? null : act.error && errorMessage(act.error),
      onConfirm: () => target && once(target),
      onClose: () => {
        // The answer would close the next question.
        if (!act.isPending) close();
      },
    },
  };
}
