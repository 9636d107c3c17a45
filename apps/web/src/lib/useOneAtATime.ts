import type { UseMutationResult } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

/**
 * Sends a mutation unless it is being sent already. `isPending` comes a moment after the click: the second click of a double
 * click would not see it.
 */
export function useOneAtATime<Answer, Failure, Input>(
  mutation: Pick<UseMutationResult<Answer, Failure, Input>, 'mutateAsync'>,
): (input: Input) => void {
  const running = useRef(false);
  const { mutateAsync } = mutation;
  return useCallback(
    (input) => {
      if (running.current) return;
      running.current = true;
      const done = () => {
        running.current = false;
      };
      // What went wrong is in the mutation's own state.
      mutateAsync(input).then(done, done);
    },
    [mutateAsync],
  );
}
