import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isUnconfirmed } from '@drawhouse/session/api-client';
import { errorMessage } from '../server/api.ts';
import { useOneAtATime } from './useFormCall.ts';

interface ConfirmCallOptions<Asked, Answer> {
  send: (asked: Asked) => Promise<Answer>;
  /** Not awaited: the next question can be confirmed meanwhile. */
  onDone: (answer: Answer, asked: Asked) => void;
  onClose: () => void;
}

/**
 * Shared logic of confirmation dialogs: sends once per question, closes on success, stays open with the reason on
 * failure.
 *
 * @param asked the subject, or null while closed
 * @returns `shown` keeps the last subject while the dialog fades out; `dialog` holds the props of `ConfirmDialog`
 */
export function useConfirmCall<Asked extends object, Answer>(
  asked: Asked | null,
  { send, onDone, onClose }: ConfirmCallOptions<Asked, Answer>,
) {
  const [shown, setShown] = useState<Asked | null>(null);
  if (asked && asked !== shown) setShown(asked);
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
      opened: asked !== null,
      busy: act.isPending,
      error: isUnconfirmed(act.error) ? null : act.error && errorMessage(act.error),
      onConfirm: () => asked && once(asked),
      onClose: () => {
        // The answer would close the next question.
        if (!act.isPending) close();
      },
    },
  };
}
