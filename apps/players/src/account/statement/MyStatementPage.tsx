import { useEffect, useState } from 'react';
import { richText } from '@drawhouse/session/rich-text';
import type { ListFileRoute } from '@drawhouse/contract/core/list';
import type { Statement, StatementSummary } from '@drawhouse/contract/credit/statement';
import { momentText } from '../../lib/amounts.ts';
import { watchWallet } from '../../lib/server/liveConnection.ts';
import { go, Link } from '../../lib/navigation.ts';
import type { PageProps } from '../../lib/matchPath.ts';
import { failureText, call, callFile, saveFile } from '../../lib/server/playerApi.ts';
import { Button } from '../../ui/Button.tsx';
import { DayZoneNote, daysUpTo } from '../DayZone.tsx';
import { Money } from '../../ui/Figures.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Page, PageHeading, ReadFailure, Skeleton } from '../../ui/Page.tsx';
import { SelectField } from '../../ui/fields/Options.tsx';
import { BET_PERIODS, type BetPeriod } from '../bets/betStates.ts';
import { betTexts } from '../bets/betTexts.ts';
import { get } from '../../lib/server/playerRoutes.ts';
import { accountRoutes } from '../accountRoutes.ts';
import { serverNow } from '../../lib/server/serverTime.ts';
import { updateCached, cachedData, useQuery } from '../../lib/server/useQuery.ts';
import { movementDetail, movementText, statementTexts as texts, type PlayerWallet } from './statementTexts.ts';
import styles from './MyStatementPage.module.css';

const PAGE_ROWS = 30;
const MOST_ROWS = 500;

interface StatementShown {
  readonly rows: Statement['data'];
  readonly opening: number;
  readonly closing: number;
  readonly total: number;
  readonly older: string | null;
  /** Null if the period has too many rows to sum. */
  readonly sums: Pick<StatementSummary, 'credit' | 'debit'>;
}

function useStatement(wallet: PlayerWallet, days: number) {
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

export function MyStatementPage({ search }: PageProps) {
  const wallet: PlayerWallet = search.get('wallet') === 'winnings' ? 'winnings' : 'credit';
  const periodParam = search.get('period') ?? '';
  const period = periodParam in BET_PERIODS ? (periodParam as BetPeriod) : 'week';
  const { data, error, reload, older, save } = useStatement(wallet, BET_PERIODS[period]);
  useEffect(() => watchWallet(reload), [reload]);
  const show = (to: { wallet?: PlayerWallet; period?: BetPeriod }) =>
    go(`/mine/statement?${new URLSearchParams({ wallet, period, ...to }).toString()}`, { replace: true });
  return (
    <Page>
      <PageHeading title={texts.title} />
      <div className={styles.choices}>
        <SelectField
          label={texts.wallet}
          value={wallet}
          options={Object.entries(texts.wallets) as [PlayerWallet, string][]}
          onChoose={(value) => show({ wallet: value })}
        />
        <SelectField
          label={texts.period}
          value={period}
          options={Object.entries(betTexts.periods) as [BetPeriod, string][]}
          onChoose={(value) => show({ period: value })}
        />
      </div>
      <DayZoneNote />
      {error !== undefined && <ReadFailure error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Skeleton heights={[76, 64, 64, 64, 64]} label={texts.loading} />}
      {data && (
        <>
          <Balances shown={data} />
          {data.rows.length === 0 ? (
            <Notice title={texts.none[wallet]}>{texts.noneHelp[wallet]}</Notice>
          ) : (
            <Movements wallet={wallet} shown={data} />
          )}
          {older.error !== undefined && <ReadFailure error={older.error} onRetry={older.read} />}
          {data.older !== null && older.error === undefined && (
            <Button isWide isBusy={older.isComing} onClick={older.read}>
              {texts.older}
            </Button>
          )}
          <Files save={save} />
        </>
      )}
    </Page>
  );
}

function Balances({ shown: { opening, closing, sums } }: { shown: StatementShown }) {
  const { credit, debit } = sums;
  return (
    <dl className={styles.balances}>
      <div>
        <dt>{texts.opening}</dt>
        <dd>
          <Money points={opening} />
        </dd>
      </div>
      {credit !== null && debit !== null && (
        <>
          <div>
            <dt>{texts.credit}</dt>
            <dd>
              <Money points={credit} isChange />
            </dd>
          </div>
          <div>
            <dt>{texts.debit}</dt>
            <dd>
              <Money points={-debit} isChange />
            </dd>
          </div>
        </>
      )}
      <div>
        <dt>{texts.closing}</dt>
        <dd>
          <Money points={closing} />
        </dd>
      </div>
    </dl>
  );
}

function Movements({ wallet, shown }: { wallet: PlayerWallet; shown: StatementShown }) {
  return (
    <ul className={styles.rows} aria-label={texts.movements}>
      {shown.rows.map((row) => {
        const { _id, at, ticket, credit, debit, balance } = row;
        const counterpart = movementDetail(row);
        return (
          <li key={_id}>
            <div className={styles.what}>
              <strong>{movementText(wallet, row)}</strong>
              <span className={styles.more}>
                {momentText(at)}
                {counterpart !== '' && ` · ${counterpart}`}
              </span>
              {ticket !== null && (
                <Link href={`/mine/bets/${ticket}`} className={styles.ticket}>
                  {ticket}
                </Link>
              )}
            </div>
            <div className={styles.sums}>
              {/* Cleared history may have both. */}
              {credit > 0 && <Money points={credit} isChange className={styles.change} />}
              {debit > 0 && <Money points={-debit} isChange className={styles.change} />}
              <span className={styles.more}>{richText(texts.balance, { points: <Money points={balance} /> })}</span>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function Files({ save }: { save: (format: 'xlsx' | 'csv') => Promise<void> }) {
  const [busy, setBusy] = useState<'xlsx' | 'csv' | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const fetchFile = async (format: 'xlsx' | 'csv') => {
    setBusy(format);
    setFailure(null);
    await save(format).catch((error: unknown) => setFailure(failureText(error)));
    setBusy(null);
  };
  return (
    <section className={styles.files} aria-label={texts.downloads}>
      {(['xlsx', 'csv'] as const).map((format) => (
        <Button key={format} isBusy={busy === format} onClick={() => void fetchFile(format)}>
          {texts.save[format]}
        </Button>
      ))}
      {failure !== null && <Notice tone="bad" isSaid title={failure} />}
    </section>
  );
}
