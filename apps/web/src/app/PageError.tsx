import type { ErrorComponentProps } from '@tanstack/react-router';
import { errorMessage } from '../lib/api.ts';
import { ErrorState } from '../ui/ErrorState.tsx';

/** Stands where a page failed; trying again loads the app anew, as a part of it may be missing after a release. */
export function PageError({ error }: ErrorComponentProps) {
  return <ErrorState message={errorMessage(error)} onRetry={() => window.location.reload()} />;
}
