import type { ListFileRoute } from '@drawhouse/contract/core/list';
import type { Statement, StatementSummary } from '@drawhouse/contract/credit/statement';
import { useState } from 'react';
import { call, callFile, saveFile } from '../../lib/server/playerApi.ts';
import { daysUpTo } from '../DayZone.tsx';
import { get } from '../../lib/server/playerRoutes.ts';
import { accountRoutes } from '../accountRoutes.ts';
import { serverNow } from '../../lib/server/serverTime.ts';
import { updateCached, cachedData, useQuery } from '../../lib/server/useQuery.ts';
import type { PlayerWallet } from './statementTexts.ts';

const PAGE_ROWS = 30;
const MOST_ROWS = 500;

export interface StatementShown {
  readonly rows: Statement['data'];
  readonly opening: number;
  readonly closing: number;
  readonly total: number;
  readonly older: string | null;
  /** Null if the period has too many rows to sum. */
  readonly sums: Pick<StatementSummary, 'credit' | 'debit'>;
}

export function useStatement(wallet: PlayerWallet, days: number) {
  // Ends today, so the list includes later movements.
  const { first, startDate, endDate } = daysUpTo(days, serverNow());
  const query = { wallet, startDate, endDate };
  const name = `statement/${wallet}/${startDate}`;
  const read = useQuery(name, async (signal): Promise<StatementShown> => {
    const shown = (cachedData(name) as StatementShown | undefined)?.rows.length ?? 0;
    const pageSize = String(Math.min(MOST_ROWS, Math.max(PAGE_ROWS, shown)));
    const options = { signal, background: true };
    const [page, { credit, debit }] = await Promise.all([
      call(accountRoutes.statement, { query: { ...query, pageSize } }, options),
      call(accountRoutes.statementSummary, { query }, options),
    ]);
    const { data: rows, opening, closing, total, older } = page;
    return { rows, opening, closing, total, older, sums: { credit, debit } };
  });
  const [older, setOlder] = useState<{ isComing: boolean; error: unknown }>({ isComing: false, error: undefined });
  const readOlder = async () => {
    const before = read.data?.older;
    if (before == null || older.isComing) return;
    setOlder({ isComing: true, error: undefined });
    try {
      const page = await call(accountRoutes.statement, { query: { ...query, before, pageSize: String(PAGE_ROWS) } });
      updateCached<StatementShown>(name, (known) =>
        known.older === before ? { ...known, rows: [...known.rows, ...page.data], older: page.older } : known,
      );
      setOlder({ isComing: false, error: undefined });
    } catch (error) {
      setOlder({ isComing: false, error });
    }
  };
  const save = async (format: 'xlsx' | 'csv') => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const response = await callFile(get<ListFileRoute['route']>(`credit/statement/${format}`), {
      query: { ...query, timeZone },
    });
    saveFile(await response.blob(), `Statement-${first}.${format}`);
  };
  return { ...read, older: { ...older, read: () => void readOlder() }, save };
}
