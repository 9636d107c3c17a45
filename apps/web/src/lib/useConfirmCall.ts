import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isUnconfirmed } from '@drawhouse/session/api-client';
import { errorMessage } from './api.ts';
import { useOneAtATime } from './useOneAtATime.ts';

/** The call of a question, and what comes of it. */
interface ConfirmCallOptions<Asked, Answer> {
  /** Calls the server with what was confirmed. */
  send: (asked: Asked) => Promise<Answer>;
  /** Tells of it and loads again what shows it. It is not waited for: the next question can be confirmed meanwhile. */
  onDone: (answer: Answer, asked: Asked) => void;
  onClose: () => void;
}

/**
 * What every question does with the server: sends once however often it is confirmed, closes when it is done, and stays open with
 * the reason when it is refused.
 *
 * @param asked What is asked about, or null while nothing is.
 * @returns `shown`, the last that was asked, which stays on the dialog while it fades out; `dialog`, for a `ConfirmDialog`.
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
        // Its answer would close what is asked by then.
        if (!act.isPending) close();
      },
    },
  };
}
