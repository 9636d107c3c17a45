import { useEffect, useState } from 'react';
import { useLate } from '../lib/useLate.ts';

/** The watch over the seals begins so long after a page was opened: nothing of the page waits for it. */
const AFTER_MS = 8_000;

const load = async () => (await import('./SealBar.tsx')).SealBar;

/** What watches the seals, some time after the page. */
export function LateSealBar() {
  const [isTime, setTime] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setTime(true), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const SealBar = useLate(isTime, load);
  return SealBar && <SealBar />;
}
