import type { UseMutationResult } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

/** Ignores calls while one is pending. `isPending` updates too late to block a double click. */
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
      // The error is in the mutation's state.
      mutateAsync(input).then(done, done);
    },
    [mutateAsync],
  );
}
