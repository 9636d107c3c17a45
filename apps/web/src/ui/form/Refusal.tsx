import { Alert } from '@mantine/core';
import { useEffect, useState } from 'react';
import { readingMs } from '../../lib/form/timedMessage.ts';
import { RequestId } from '../../lib/RequestId.tsx';
import { MESSAGE_MS } from '../../firstTexts.ts';

interface RefusalProps {
  message: string | null;
  /** Stands on its own line, until the next attempt. */
  beyond?: string | null;
  /** A new number repeats the same message. */
  attempt: number;
  /** Longer if reading takes longer. */
  clearAfterMs?: number;
}

/**
 * Stands above the buttons. The message clears after the time in the spec, but not while hovered or while the page is
 * hidden. The extra warning stays.
 */
export function Refusal({ message, beyond = null, attempt, clearAfterMs = MESSAGE_MS.usual }: RefusalProps) {
  if (message === null && beyond === null) return null;
  return <TimedAlert key={attempt} message={message} beyond={beyond} clearAfterMs={clearAfterMs} />;
}

function TimedAlert({ message, beyond, clearAfterMs }: Required<Omit<RefusalProps, 'attempt'>>) {
  const [cleared, setCleared] = useState(false);
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    if (message === null || isHeld) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const start = () => {
      clearTimeout(timer);
      if (!document.hidden) timer = setTimeout(() => setCleared(true), readingMs(message, clearAfterMs));
    };
    start();
    document.addEventListener('visibilitychange', start);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', start);
    };
  }, [message, clearAfterMs, isHeld]);
  const shown = cleared ? null : message;
  if (shown === null && beyond === null) return null;
  return (
    <div>
      {shown !== null && (
        <Alert
          color="red"
          variant="light"
          role="alert"
          // The box may appear under a pointer at rest, which is no hover.
          onPointerMove={({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && setIsHeld(true)}
          onPointerLeave={() => setIsHeld(false)}
        >
          {shown}
        </Alert>
      )}
      {beyond !== null && (
        <Alert color="yellow" variant="light" role="alert" mt={shown === null ? 0 : 'xs'}>
          {beyond}
        </Alert>
      )}
      <RequestId message={shown ?? beyond} />
    </div>
  );
}
