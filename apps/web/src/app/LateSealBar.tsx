import { Suspense } from 'react';
import { lazyExtra } from '../lib/lazyExtra.ts';
import { useLater } from '../lib/useLater.ts';

/** The watch over the seals begins so long after a page was opened: nothing of the page waits for it. */
const AFTER_MS = 8_000;

const SealBar = lazyExtra(async () => (await import('./SealBar.tsx')).SealBar);

/** What watches the seals, some time after the page. */
export function LateSealBar() {
  const isTime = useLater(AFTER_MS);
  return <Suspense>{isTime && <SealBar />}</Suspense>;
}
