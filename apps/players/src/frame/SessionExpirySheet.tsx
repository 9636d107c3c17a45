import { useState } from 'react';
import { spanText } from '../lib/amounts.ts';
import { refreshSession } from '../lib/refreshSession.ts';
import { Button } from '../ui/Button.tsx';
import { Sheet } from '../ui/Sheet.tsx';

export function SessionExpirySheet({ leftMs }: { leftMs: number }) {
  const [isAsking, setAsking] = useState(false);
  const stay = async () => {
    setAsking(true);
    await refreshSession().catch(() => undefined);
    setAsking(false);
  };
  return (
    <Sheet
      title="Still there?"
      isFirm
      onClose={() => undefined}
      actions={
        <Button kind="main" isBusy={isAsking} onClick={() => void stay()}>
          Stay signed in
        </Button>
      }
    >
      <p>
        You’ll be signed out in <strong role="timer">{spanText(leftMs)}</strong>, because there was no activity. Bets
        you have placed are safe.
      </p>
    </Sheet>
  );
}
