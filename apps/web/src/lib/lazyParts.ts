import {
  createElement,
  useEffect,
  useState,
  lazy,
  type FunctionComponent,
  type LazyExoticComponent,
  type ReactNode,
} from 'react';

/** Set by the messages, which signed-out pages lack. */
let showMissing: () => void = () => undefined;

export function onPartMissing(show: () => void): void {
  showMissing = show;
}

/**
 * Splits off code that most visits do not need, and prefetches it on the first use of the page. A failed load shows a
 * message and is repeated on the next click.
 * @returns a hook that returns the code once wanted and loaded
 */
export function prefetched<Part>(load: () => Promise<Part>): (isWanted: boolean) => Part | undefined {
  const { fetchPart, usePart } = onDemand(load);
  prefetchOnFirstUse(fetchPart);
  return usePart;
}

/** Splits off a part of a page, with its placeholder. Fails as {@link prefetched} does. */
export function lazyPart<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
  placeholder: ReactNode = null,
): FunctionComponent<Props> {
  const { usePart } = onDemand(async () => ({ Part: await load() }));
  return function LazyPart(props) {
    const loaded = usePart(true);
    return loaded ? createElement(loaded.Part, props) : placeholder;
  };
}

function onDemand<Part>(load: () => Promise<Part>) {
  let loaded: Part | undefined;
  const fetchPart = async () => (loaded ??= await load());
  function usePart(isWanted: boolean): Part | undefined {
    const [, setPart] = useState(loaded !== undefined);
    const missing = isWanted && loaded === undefined;
    useEffect(() => {
      if (!missing) return;
      const stop = new AbortController();
      const fetchNow = (): void =>
        void fetchPart().then(
          () => setPart(true),
          () => {
            if (stop.signal.aborted) return;
            showMissing();
            window.addEventListener('click', fetchNow, { once: true, capture: true, signal: stop.signal });
          },
        );
      fetchNow();
      return () => stop.abort();
    }, [missing]);
    return loaded;
  }
  return { fetchPart, usePart };
}

/** For a main thread that is never idle. */
const PATIENCE_MS = 500;

/** Safari lacks idle callbacks. */
export const whenIdle: (run: () => void) => void =
  'requestIdleCallback' in globalThis
    ? (run) => requestIdleCallback(run, { timeout: PATIENCE_MS })
    : (run) => setTimeout(run);

/** Waits until the first use is answered. Failed loads are retried on demand. */
export function prefetchOnFirstUse(load: () => Promise<unknown>): void {
  const stop = new AbortController();
  const ahead = () => {
    stop.abort();
    whenIdle(() => void load().catch(() => undefined));
  };
  for (const use of ['pointermove', 'keydown', 'touchstart'])
    window.addEventListener(use, ahead, { passive: true, signal: stop.signal });
}

const FIRST_PAGE_MS = 4_000;

/** Runs what no page waits for. Returns a cancel function. */
export function afterFirstPage(run: () => void): () => void {
  const timer = setTimeout(run, Math.max(0, FIRST_PAGE_MS - performance.now()));
  return () => clearTimeout(timer);
}

/** Renders nothing if loading fails. */
export function lazyExtra<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): LazyExoticComponent<FunctionComponent<Props>> {
  return lazy(() =>
    load().then(
      (Part) => ({ default: Part }),
      () => ({ default: () => null }),
    ),
  );
}

export type LazyPage<Props> = FunctionComponent<Props> & { readonly ahead: () => Promise<unknown> };

/** Shows `PageError` if loading fails. After `ahead`, it renders at once: React delays what suspends. */
export function lazyPage<Props extends object>(load: () => Promise<FunctionComponent<Props>>): LazyPage<Props> {
  let loaded: FunctionComponent<Props> | undefined;
  const ahead = async () => (loaded ??= await load());
  const Suspended = lazy(async () => ({ default: await ahead() }));
  const Page = (props: Props) => {
    // The same for its whole life: another type would lose its state.
    const [Loaded] = useState(() => loaded ?? Suspended);
    return createElement(Loaded, props);
  };
  return Object.assign(Page, { ahead });
}

/** Repeats a failed load until it succeeds. Returns a cancel function. */
export function retryLoad<Part>(load: () => Promise<Part>, everyMs: number, use: (part: Part) => void): () => void {
  let isCanceled = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const attempt = (): void =>
    void load().then(
      (part) => {
        if (!isCanceled) use(part);
      },
      () => {
        if (!isCanceled) timer = setTimeout(attempt, everyMs);
      },
    );
  attempt();
  return () => {
    isCanceled = true;
    clearTimeout(timer);
  };
}
