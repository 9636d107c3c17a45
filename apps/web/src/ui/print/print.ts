import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { prefetchOnFirstUse } from '../../lib/lazyParts.ts';
import type * as Printed from './PrintedPage.tsx';

export type Parts = typeof Printed;
type Preparation = (parts: Parts) => Promise<void>;

let parts: Parts | undefined;
const preparations = new Set<Preparation>();

const loadParts = async (): Promise<Parts> => (parts ??= await import('./PrintedPage.tsx'));
prefetchOnFirstUse(loadParts);

/** Returns the parts while the browser prints the page. */
export function usePrint(): Parts | undefined {
  const [printing, setPrinting] = useState<Parts>();
  useEffect(() => {
    // The browser takes the page as it is when the handler returns.
    const begin = () => flushSync(() => setPrinting(parts));
    const end = () => setPrinting(undefined);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return printing;
}

/** Runs before the print dialog opens, which a failure prevents. `prepare` reports it. */
export function usePrintPreparation(prepare: Preparation): void {
  useEffect(() => {
    preparations.add(prepare);
    return () => void preparations.delete(prepare);
  }, [prepare]);
}

export async function printPage(): Promise<void> {
  const loaded = await loadParts().catch(() => undefined);
  // Without its parts, the page prints as it stands.
  const prepared = loaded ? await Promise.allSettled([...preparations].map(async (prepare) => prepare(loaded))) : [];
  if (prepared.every(({ status }) => status === 'fulfilled')) window.print();
}
