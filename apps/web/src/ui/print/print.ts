import { notifications } from '@mantine/notifications';
import { useEffect, useState, useCallback, useRef } from 'react';
import { flushSync } from 'react-dom';
import { prefetchOnFirstUse } from '../../lib/lazyParts.ts';
import type * as Printed from './PrintedPage.tsx';
import type { ListView } from '../../lib/list/useList.ts';
import { errorMessage } from '../../lib/server/api.ts';
import { queryClient } from '../../lib/server/queryClient.ts';
import { exportTexts, printTexts } from '../listTexts.ts';
import type { Export, ExportState } from '../../lib/server/useExport.ts';

export type Parts = typeof Printed;
type Preparation = (parts: Parts) => Promise<void>;

let parts: Parts | undefined;
const preparations = new Set<Preparation>();

async function loadParts(): Promise<Parts> {
  // A list then shows at once that it reads rows.
  void import('../export/ExportProgress.tsx').catch(() => undefined);
  return (parts ??= await import('./PrintedPage.tsx'));
}
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
function usePrintPreparation(prepare: Preparation): void {
  useEffect(() => {
    preparations.add(prepare);
    return () => void preparations.delete(prepare);
  }, [prepare]);
}

const LOADING = `main :is(.mantine-Skeleton-root, [aria-busy='true']:not([aria-label='${exportTexts.export}']))`;
const POLL_MS = 50;
const LONGEST_WAIT_MS = 20_000;

function isLoading(): boolean {
  if (document.querySelector('main h1') === null || document.querySelector(LOADING) !== null) return true;
  return queryClient.isFetching({ type: 'active', predicate: ({ state }) => state.status === 'pending' }) > 0;
}

/** A page printed while it loads would claim to have no rows. */
async function untilLoaded(): Promise<void> {
  for (const end = performance.now() + LONGEST_WAIT_MS; isLoading() && performance.now() < end;)
    await new Promise<void>((resolve) => setTimeout(resolve, POLL_MS));
}

const PATIENCE_MS = 300;
const PREPARING = { id: 'print', message: printTexts.preparing, loading: true, autoClose: false } as const;

export async function printPage(): Promise<void> {
  const patience = setTimeout(() => notifications.show(PREPARING), PATIENCE_MS);
  const [loaded] = await Promise.all([loadParts().catch(() => undefined), untilLoaded()]);
  clearTimeout(patience);
  notifications.hide(PREPARING.id);
  const prepared = loaded ? await Promise.allSettled([...preparations].map(async (prepare) => prepare(loaded))) : [];
  if (prepared.every(({ status }) => status === 'fulfilled')) window.print();
}

/** 250 to 460 sheets, which browsers lay out for a minute or two. */
const MOST_ROWS = 10_000;

type RowsToPrint<Row> = Export & { rows: readonly Row[] | undefined; isAll: boolean };

/** Reads all pages. Undefined rows: the page shows all of them. */
export function useRowsToPrint<Row>(view: ListView<Row>, title: string): RowsToPrint<Row> {
  const [rows, setRows] = useState<readonly Row[]>();
  const [state, setState] = useState<ExportState | null>(null);
  const running = useRef<AbortController | null>(null);
  const latest = useRef(view);
  useEffect(() => {
    latest.current = view;
  });
  useEffect(() => {
    const end = () => setRows(undefined);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('afterprint', end);
      running.current?.abort();
    };
  }, []);

  const prepare = useCallback(
    async ({ readAllPages }: Parts) => {
      const { list, state: shownState, rows: shown, total, totalIsMore, readPage } = latest.current;
      if (shown?.length === total && !totalIsMore) return;
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      const waiting = { fileName: title, bytes: 0, total: null, rows: totalIsMore ? null : total, error: null };
      setState(null);
      const patience = setTimeout(() => setState(waiting), PATIENCE_MS);
      try {
        const all = await readAllPages<Row>(list, shownState, { most: MOST_ROWS, signal: controller.signal }, readPage);
        flushSync(() => setRows(all));
        setState(null);
      } catch (error) {
        if (!controller.signal.aborted) setState({ ...waiting, error: errorMessage(error) });
        throw error;
      } finally {
        clearTimeout(patience);
      }
    },
    [title],
  );
  usePrintPreparation(prepare);

  // The total may be a lower bound, or older than the rows.
  const isAll =
    (rows !== undefined && rows.length < MOST_ROWS) ||
    ((rows ?? view.rows)?.length === view.total && !view.totalIsMore);
  return {
    rows,
    isAll,
    state,
    start: () => void printPage(),
    cancel: () => {
      running.current?.abort();
      setState(null);
    },
  };
}
