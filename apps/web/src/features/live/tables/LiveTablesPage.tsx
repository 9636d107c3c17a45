import { Button, NativeSelect } from '@mantine/core';
import { useRouterState, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useCallback, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { withSearch, panelPath } from '../../../lib/paths.ts';
import { useNavigation } from '../../../lib/navigation.ts';
import { useUser } from '../../../lib/session/session.ts';
import { RequestId } from '../../../lib/RequestId.tsx';
import { EmptyState, ErrorState } from '../../../ui/page/PageStates.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { SearchField } from '../../../ui/filter/SearchField.tsx';
import { useWidth } from '../../../ui/useWidth.ts';
import { formatClock } from '../liveFormat.ts';
import { LiveTableList, TableListSkeleton } from './LiveTableList.tsx';
import { byDue, filtered, inFrozenOrder, optionsOf, liveTableKey, sumLiveTables } from './liveTables.ts';
import type { Option, LiveTableFilter } from './liveTables.ts';
import { liveTablesTexts } from './liveTablesTexts.ts';
import { useLiveTables } from './useLiveTables.ts';
import classes from './LiveTablesPage.module.css';
import type { LiveTable } from '@drawhouse/contract/live/live-tables';
import type { Role } from '@drawhouse/contract/core/primitives';
import { formatCount } from '../../../lib/format/format.ts';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { Points } from '../../../ui/mark/Points.tsx';

/** Pixels. Narrower pages show cards. */
const CARDS_BELOW = 985;
const FIRST = 40;

export function LiveTablesPage({ action }: { action?: ReactNode }) {
  const { role } = useUser();
  const { tables, offset, at, error, retry } = useLiveTables();
  const [filter, narrow] = useLiveTableFilter();
  const { frozen, freeze } = useFrozenOrder();
  const { ref, width } = useWidth();
  // Sorted by the answer's own time, so rows move only with a new answer.
  const sorted = useMemo(() => tables && at && byDue(tables, Date.parse(at)), [tables, at]);
  const shown = useMemo(
    () => (sorted ? inFrozenOrder(filtered(sorted, filter), frozen) : undefined),
    [sorted, filter, frozen],
  );
  const rows = useDeferredValue(shown, shown?.slice(0, FIRST));
  const options = useMemo(() => optionsOf(tables ?? []), [tables]);
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);

  return (
    <div ref={ref} className={classes.page} data-cards={width < CARDS_BELOW || undefined}>
      <PageHeader title={liveTablesTexts.title} action={action}>
        <SearchField
          label={liveTablesTexts.search}
          value={filter.search ?? ''}
          onChange={(search) => narrow({ search })}
          width={280}
        />
        {options.admins.length > 1 && (
          <Choice
            label={liveTablesTexts.admin}
            any={liveTablesTexts.anyAdmin}
            options={options.admins}
            value={filter.admin}
            onChange={(admin) => narrow({ admin })}
          />
        )}
        {options.games.length > 1 && (
          <Choice
            label={liveTablesTexts.game}
            any={liveTablesTexts.anyGame}
            options={options.games}
            value={filter.game}
            onChange={(game) => narrow({ game })}
          />
        )}
      </PageHeader>
      {error !== null && at !== undefined && (
        <p className={classes.halted} role="alert">
          <strong>{liveTablesTexts.halted}</strong> Figures are from {formatClock(at)}. {error}
          <RequestId said={error} />
        </p>
      )}
      {error !== null && !tables ? (
        <ErrorState message={error} onRetry={retry} />
      ) : !rows || !shown ? (
        <TableListSkeleton />
      ) : tables?.length === 0 ? (
        <EmptyState title={liveTablesTexts.none.title} text={liveTablesTexts.none.text} />
      ) : (
        <>
          <LiveTableSums tables={shown} role={role} />
          {shown.length === 0 ? (
            <NoMatch isNarrowed={isNarrowed} narrow={narrow} />
          ) : (
            <LiveTableList
              tables={rows}
              role={role}
              offset={offset}
              dimmed={error !== null}
              showsAdmin={options.admins.length > 1}
              onPoint={() => freeze(shown.map(liveTableKey))}
            />
          )}
        </>
      )}
    </div>
  );
}

function NoMatch({ isNarrowed, narrow }: { isNarrowed: boolean; narrow: (change: LiveTableFilter) => void }) {
  return (
    <EmptyState
      title={liveTablesTexts.noMatch.title}
      text={liveTablesTexts.noMatch.text}
      action={
        isNarrowed && (
          <Button variant="default" onClick={() => narrow({ search: undefined, admin: undefined, game: undefined })}>
            {liveTablesTexts.noMatch.clear}
          </Button>
        )
      }
    />
  );
}

function useLiveTableFilter(): [filter: LiveTableFilter, narrow: (change: LiveTableFilter) => void] {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const asked: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const { replace } = useNavigation();
  const { search, admin, game } = asked;
  const filter = useMemo(
    () => ({ search: textOf(search), admin: textOf(admin), game: textOf(game) }),
    [search, admin, game],
  );
  return [filter, (change) => replace(withSearch(path, { ...filter, ...change }))];
}

/** The router parses digits as numbers, so this converts them back. */
function textOf(value: unknown): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
}

interface ChoiceProps {
  label: string;
  any: string;
  options: readonly Option[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function Choice({ label, any, options, value, onChange }: ChoiceProps) {
  return (
    <NativeSelect
      aria-label={label}
      className={classes.choice}
      data={[{ value: '', label: any }, ...options]}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}

/** Milliseconds that the order stays frozen after pointer activity. */
const HELD_MS = 1_500;

/** Keeps rows from moving under the pointer. */
interface FrozenOrder {
  /** Row keys; null while not frozen. */
  frozen: readonly string[] | null;
  freeze: (order: readonly string[]) => void;
}

function useFrozenOrder(): FrozenOrder {
  const [frozen, setFrozen] = useState<readonly string[] | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const freeze = useCallback((order: readonly string[]) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setFrozen(null), HELD_MS);
    setFrozen((before) => before ?? order);
  }, []);
  return { frozen, freeze };
}

function LiveTableSums({ tables, role }: { tables: readonly LiveTable[]; role: Role }) {
  const { tables: count, awaited, collection, worst } = useMemo(() => sumLiveTables(tables), [tables]);
  return (
    <dl className={classes.sums}>
      <div>
        <dt>{liveTablesTexts.sums.tables}</dt>
        <dd>{formatCount(count)}</dd>
      </div>
      <div data-urgent={awaited > 0 || undefined}>
        <dt>{liveTablesTexts.sums.awaited}</dt>
        <dd>{formatCount(awaited)}</dd>
      </div>
      <div>
        <dt>{liveTablesTexts.sums.collection}</dt>
        <dd>
          <Points value={collection} inline />
        </dd>
      </div>
      <div>
        <dt>{liveTablesTexts.sums.worst}</dt>
        <dd>
          {worst === null ? (
            '–'
          ) : (
            <>
              <Points value={worst.leaves} inline />{' '}
              <PathLink href={panelPath(role, worst.table.gameId, worst.table.adminId, worst.table.username)}>
                {worst.table.gameName} <span className={classes.muted}>{worst.table.username}</span>
              </PathLink>
            </>
          )}
        </dd>
      </div>
    </dl>
  );
}
