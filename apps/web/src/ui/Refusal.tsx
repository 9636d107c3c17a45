import { Alert } from '@mantine/core';
import { useEffect, useState } from 'react';
import { readingMs } from '../lib/readingTime.ts';
import { MESSAGE_MS } from '../firstMessages.ts';

interface RefusalProps {
  /** Why the last attempt failed, or null. */
  message: string | null;
  /** Names the attempt, so that the same sentence comes again with the next. */
  attempt: number;
  /** When it clears, in ms; a longer sentence stays until it can have been read. Null: it stays until the next attempt. */
  clearAfterMs?: number | null;
}

/**
 * Why a form was refused, above its buttons. It clears by itself as the spec times it, but not while it is pointed at or the page is
 * not looked at. What a field is told stays beneath the field.
 */
export function Refusal({ message, attempt, clearAfterMs = MESSAGE_MS.usual }: RefusalProps) {
  if (message === null) return null;
  return <TimedAlert key={`${attempt} ${message}`} message={message} clearAfterMs={clearAfterMs} />;
}

function TimedAlert({ message, clearAfterMs }: { message: string; clearAfterMs: number | null }) {
  const [cleared, setCleared] = useState(false);
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (clearAfterMs === null || held) return;
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
  if (cleared) return null;
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      {message}
    </Alert>
  );
}
