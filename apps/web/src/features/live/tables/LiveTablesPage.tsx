import { Button, Group, NativeSelect } from '@mantine/core';
import { IconDeviceTv } from '@tabler/icons-react';
import {
  useDeferredValue,
  useMemo,
  useCallback,
  useEffect,
  useRef,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react';
import { withSearch, panelPath } from '../../../lib/paths.ts';
import { go, usePathname, useSearch } from '../../../lib/navigation.ts';
import { may } from '../../../lib/session/rights.ts';
import { useUser } from '../../../lib/session/session.ts';
import { RequestId } from '../../../lib/RequestId.tsx';
import { EmptyState, ErrorState } from '../../../ui/page/PageStates.tsx';
import { HeadButton, PageHeader } from '../../../ui/page/PageHeader.tsx';
import { SearchField } from '../../../ui/filter/SearchField.tsx';
import { useWidth } from '../../../ui/useWidth.ts';
import { prefetched } from '../../../lib/lazyParts.ts';
import { formatClock } from '../liveFormat.ts';
import { LiveTableList, TableListSkeleton } from './LiveTableList.tsx';
import {
  filtered,
  inFrozenOrder,
  inOrder,
  liveTableKey,
  optionsOf,
  sumLiveTables,
  TABLE_ORDERS,
  type Option,
  type LiveTableFilter,
  type TableOrder,
} from './liveTables.ts';
import { publicWallTexts } from '../liveTexts.ts';
import { liveTablesTexts } from './liveTablesTexts.ts';
import { useLiveTables } from './useLiveTables.ts';
import classes from './LiveTablesPage.module.css';
import type { LiveTable } from '@drawhouse/contract/live/live-tables';
import type { Role } from '@drawhouse/contract/core/primitives';
import { formatCount } from '../../../lib/format/format.ts';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { Points } from '../../../ui/mark/Points.tsx';

/** Pixels. Narrower pages show cards. */
const CARDS_BELOW = 950;
const TIGHT_BELOW = 1_060;
const ROWS_PER_STEP = 40;

const usePublicWall = prefetched(() => import('../wall/PublicWallDialog.tsx'));
const useTableSheet = prefetched(() => import('./TableSheet.tsx'));

interface LiveTablesPageProps {
  /** Games on the tables, without test networks. */
  actionFor?: (used: ReadonlySet<string>) => ReactNode;
  Limits: ComponentType<{ adminId: string; gameId: string }>;
}

export function LiveTablesPage({ actionFor, Limits }: LiveTablesPageProps) {
  const { role } = useUser();
  const { tables, offset, at, error, retry } = useLiveTables();
  const view = useLiveTableFilter();
  const { filter, order, narrow, sort } = view;
  const [acted, setActed] = useState<LiveTable | null>(null);
  const [isActing, setActing] = useState(false);
  const TableSheet = useTableSheet(acted !== null)?.TableSheet;
  const act = useCallback((table: LiveTable) => {
    setActed(table);
    setActing(true);
  }, []);
  const { frozen, freeze } = useFrozenOrder();
  const { ref, width } = useWidth();
  // Sorts by the answer's time, so rows move only with a new answer.
  const sorted = useMemo(() => tables && at && inOrder(tables, order, Date.parse(at)), [tables, order, at]);
  const shown = useMemo(
    () => (sorted ? inFrozenOrder(filtered(sorted, filter), frozen) : undefined),
    [sorted, filter, frozen],
  );
  const rows = useRowsInSteps(useDeferredValue(shown));
  const options = useMemo(() => optionsOf(tables ?? []), [tables]);
  const used = useMemo(
    () => new Set((tables ?? []).filter(({ testNetwork }) => !testNetwork).map(({ gameId }) => gameId)),
    [tables],
  );
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);

  return (
    <div
      ref={ref}
      className={classes.page}
      data-wide
      data-cards={width < CARDS_BELOW || undefined}
      data-tight={(width >= CARDS_BELOW && width < TIGHT_BELOW) || undefined}
    >
      <PageHeader
        title={liveTablesTexts.title}
        action={
          <Group gap="xs" wrap="nowrap">
            {role === 'admin' && may('settings') && tables && <PublicWallButton tables={tables} />}
            {actionFor?.(used)}
          </Group>
        }
      >
        <TablesToolbar view={view} options={options} />
      </PageHeader>
      {error !== null && at !== undefined && <HaltedNote at={at} error={error} />}
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
              order={order}
              onOrder={sort}
              onAct={act}
              onPoint={() => freeze(shown.map(liveTableKey))}
            />
          )}
        </>
      )}
      {TableSheet && acted && (
        <TableSheet key={liveTableKey(acted)} table={acted} opened={isActing} onClose={() => setActing(false)}>
          {may('settings') && <Limits adminId={acted.adminId} gameId={acted.gameId} />}
        </TableSheet>
      )}
    </div>
  );
}

/** Each new answer interrupts a long render, so hundreds of rows at once might never show. */
function useRowsInSteps(all: readonly LiveTable[] | undefined): readonly LiveTable[] | undefined {
  const [most, setMost] = useState(ROWS_PER_STEP);
  const isWhole = most >= (all?.length ?? 0);
  useEffect(() => {
    if (isWhole) return undefined;
    const timer = setTimeout(() => setMost(most + ROWS_PER_STEP));
    return () => clearTimeout(timer);
  }, [most, isWhole]);
  return useMemo(() => all?.slice(0, most), [all, most]);
}

function HaltedNote({ at, error }: { at: string; error: string }) {
  return (
    <p className={classes.halted} role="alert">
      <strong>{liveTablesTexts.halted}</strong> {liveTablesTexts.figuresAreFrom(formatClock(at))} {error}
      <RequestId message={error} />
    </p>
  );
}

interface TablesToolbarProps {
  view: TablesView;
  options: ReturnType<typeof optionsOf>;
}

function TablesToolbar({ view: { filter, order, narrow, sort }, options }: TablesToolbarProps) {
  return (
    <>
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
      <Choice
        label={liveTablesTexts.sort}
        options={TABLE_ORDERS.map((value) => ({ value, label: liveTablesTexts.orders[value] }))}
        value={order}
        onChange={(value) => sort((value as TableOrder | undefined) ?? 'due')}
      />
    </>
  );
}

function PublicWallButton({ tables }: { tables: readonly LiveTable[] }) {
  const [wanted, setWanted] = useState(false);
  const [opened, setOpened] = useState(false);
  const Part = usePublicWall(wanted)?.PublicWallDialog;
  const open = () => {
    setWanted(true);
    setOpened(true);
  };
  return (
    <>
      <HeadButton variant="default" name={publicWallTexts.title} icon={IconDeviceTv} onClick={open} />
      {Part && <Part tables={tables} opened={opened} onClose={() => setOpened(false)} />}
    </>
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

interface TablesView {
  filter: LiveTableFilter;
  order: TableOrder;
  narrow: (change: LiveTableFilter) => void;
  sort: (order: TableOrder) => void;
}

/** Kept in the URL. */
function useLiveTableFilter(): TablesView {
  const path = usePathname();
  const params = useSearch();
  const { search, admin, game } = params;
  const order = TABLE_ORDERS.find((each) => each === params['sort']) ?? 'due';
  const filter = useMemo(
    () => ({ search: search || undefined, admin: admin || undefined, game: game || undefined }),
    [search, admin, game],
  );
  const show = (change: LiveTableFilter, by: TableOrder) =>
    go.replace(withSearch(path, { ...filter, ...change, sort: by === 'due' ? undefined : by }));
  return { filter, order, narrow: (change) => show(change, order), sort: (by) => show({}, by) };
}

interface ChoiceProps {
  label: string;
  any?: string;
  options: readonly Option[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function Choice({ label, any, options, value, onChange }: ChoiceProps) {
  return (
    <NativeSelect
      aria-label={label}
      className={classes.choice}
      data={[...(any === undefined ? [] : [{ value: '', label: any }]), ...options]}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}

/** Time for which the order stays frozen after pointer activity. */
const HELD_MS = 1_500;

interface FrozenOrder {
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
