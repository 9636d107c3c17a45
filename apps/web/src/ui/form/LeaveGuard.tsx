import { useEffect, useState } from 'react';
import { getSession } from '../../lib/session/session.ts';
import { blockNavigation, usePathname, useUnsavedInput } from '../../lib/navigation.ts';
import { ConfirmDialog } from '../dialog/ConfirmDialog.tsx';
import { formTexts } from '../formTexts.ts';

/** Asks before leaving by link, Back or reload, unless the session has ended. */
export function LeaveGuard({ when }: { when: boolean }) {
  useUnsavedInput(when);
  const path = usePathname();
  const [leave, setLeave] = useState<{ readonly now: () => void } | null>(null);
  useEffect(() => {
    if (!when) return undefined;
    const unblock = blockNavigation(({ pathname }, proceed) => {
      if (getSession() === null || pathname === path) return false;
      setLeave({ now: proceed });
      return true;
    });
    const onUnload = (event: BeforeUnloadEvent) => {
      if (getSession() !== null) event.preventDefault();
    };
    window.addEventListener('beforeunload', onUnload);
    return () => {
      unblock();
      window.removeEventListener('beforeunload', onUnload);
    };
  }, [when, path]);
  return (
    <ConfirmDialog
      opened={leave !== null}
      title={formTexts.leaveQuestion}
      confirmLabel={formTexts.leaveWithoutSaving}
      cancelLabel={formTexts.stay}
      danger
      onConfirm={() => {
        setLeave(null);
        leave?.now();
      }}
      onClose={() => setLeave(null)}
    >
      {formTexts.yourChangesWillBe}
    </ConfirmDialog>
  );
}
