import { createElement, useEffect, useState } from 'react';
import { useLate } from '../lib/useLate.ts';

/** The watch over the seals begins so long after a page was opened: nothing of the page waits for it. */
const AFTER_MS = 8_000;

const load = async () => (await import('./SealNotice.tsx')).SealNotice;

/** What watches the seals, some time after the page. */
export function LateSealNotice() {
  const [isTime, setTime] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setTime(true), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const notice = useLate(isTime, load);
  return notice && createElement(notice);
}
