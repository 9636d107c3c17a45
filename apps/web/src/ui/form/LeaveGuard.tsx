import { useBlocker } from '@tanstack/react-router';
import { getSession } from '../../lib/session/session.ts';
import { useUnsavedInput } from '../../lib/navigation.ts';
import { ConfirmDialog } from '../page/Dialog.tsx';

/**
 * Asks before leaving a page with unsaved changes, by link, Back or reload. Skips the question after the session has
 * ended.
 */
export function LeaveGuard({ when }: { when: boolean }) {
  useUnsavedInput(when);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => getSession() !== null && current.pathname !== next.pathname,
    enableBeforeUnload: () => getSession() !== null,
    disabled: !when,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      opened={blocker.status === 'blocked'}
      title="Leave without saving?"
      confirmLabel="Leave without saving"
      cancelLabel="Stay"
      danger
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      Your changes will be lost.
    </ConfirmDialog>
  );
}
