import { startTransition, useEffect, useState } from 'react';

/** What is out of sight follows within two seconds: a part of it with each beat, so that no frame waits for all. */
const BEATS = 5;
const BEAT_MS = 2_000 / BEATS;

/** A number for each section, by its index, that changes every two seconds, not for all of them at once. */
export function useBeats(): (index: number) => number {
  const [beat, setBeat] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => startTransition(() => setBeat((before) => before + 1)), BEAT_MS);
    return () => clearInterval(timer);
  }, []);
  return (index) => Math.floor((beat + index) / BEATS);
}
