import { useEffect, useState } from 'react';

/**
 * A part of the app that most visits to a page do not need, such as a dialog: fetched with the first use of the page, so that it is
 * there when it is asked for, and at the latest then.
 * @returns a hook that gives the part once it is `wanted` and there; what can't be fetched then is thrown to the page
 */
export function partOf<Part>(load: () => Promise<Part>): (wanted: boolean) => Part | undefined {
  let here: Part | undefined;
  const fetchPart = async () => (here ??= await load());
  fetchWithFirstUse(fetchPart);
  return function usePart(wanted) {
    const [, setPart] = useState(here !== undefined);
    const [failure, setFailure] = useState<{ error: unknown } | null>(null);
    const missing = wanted && here === undefined;
    useEffect(() => {
      if (!missing) return;
      fetchPart().then(
        () => setPart(true),
        (error: unknown) => setFailure({ error }),
      );
    }, [missing]);
    if (failure) throw failure.error;
    return here;
  };
}

/** Fetches with the first use of the page what may be wanted next. What fails here is fetched again when it is asked for. */
export function fetchWithFirstUse(load: () => Promise<unknown>): void {
  const stop = new AbortController();
  const ahead = () => {
    stop.abort();
    void load().catch(() => undefined);
  };
  for (const use of ['pointermove', 'keydown', 'touchstart'])
    window.addEventListener(use, ahead, { passive: true, signal: stop.signal });
}
