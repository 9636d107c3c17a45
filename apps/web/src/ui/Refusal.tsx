import { Alert } from '@mantine/core';
import { useEffect, useState } from 'react';
import { readingMs } from '../lib/readingTime.ts';
import { RequestId } from '../lib/RequestId.tsx';
import { MESSAGE_MS } from '../firstTexts.ts';

interface RefusalProps {
  /** Why the last attempt failed, or null. */
  message: string | null;
  /** What is told beyond that, in a line of its own, until the next attempt. */
  beyond?: string | null;
  /** Names the attempt, so that the same sentence comes again with the next. */
  attempt: number;
  /** When the message clears, in ms; a longer sentence stays until it can have been read. */
  clearAfterMs?: number;
}

/**
 * Why a form was refused, above its buttons, in a box of its own. It clears by itself as the spec times it, but not while it is pointed at
 * or the page is not looked at; what is told beyond it stands in a second box and stays. What a field is told stays beneath the field.
 */
export function Refusal({ message, beyond = null, attempt, clearAfterMs = MESSAGE_MS.usual }: RefusalProps) {
  if (message === null && beyond === null) return null;
  return <TimedAlert key={attempt} message={message} beyond={beyond} clearAfterMs={clearAfterMs} />;
}

function TimedAlert({ message, beyond, clearAfterMs }: Required<Omit<RefusalProps, 'attempt'>>) {
  const [cleared, setCleared] = useState(false);
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (message === null || held) return;
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
  }, [message, clearAfterMs, held]);
  const shown = cleared ? null : message;
  if (shown === null && beyond === null) return null;
  return (
    <div>
      {shown !== null && (
        <Alert
          color="red"
          variant="light"
          role="alert"
          // Moved there: it comes where the pointer rests after the press of a button, which is no pointing at it.
          onPointerMove={({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && setHeld(true)}
          onPointerLeave={() => setHeld(false)}
        >
          {shown}
        </Alert>
      )}
      {beyond !== null && (
        <Alert color="yellow" variant="light" role="alert" mt={shown === null ? 0 : 'xs'}>
          {beyond}
        </Alert>
      )}
      <RequestId said={shown ?? beyond} />
    </div>
  );
}
