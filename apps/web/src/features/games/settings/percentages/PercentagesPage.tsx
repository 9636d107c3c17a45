import { drawName } from '@drawhouse/rules/time/draw-name';
import { NO_WIN_PERCENTAGE, percentages, setPercentages, type Percentage } from '@drawhouse/contract/games/percentages';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { Alert, Button, NativeSelect } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { call, callQuery, errorMessage } from '../../../../lib/server/api.ts';
import { formatCount, formatDateTime, compareNames } from '../../../../lib/format/format.ts';
import { useUser } from '../../../../lib/session/session.ts';
import { EmptyState, ErrorState } from '../../../../ui/page/PageStates.tsx';
import { PageHeader } from '../../../../ui/page/PageHeader.tsx';
import { PageSkeleton } from '../../../../ui/page/Loading.tsx';
import { EditableTable } from '../EditableTable.tsx';
import { percentageColumns } from './percentageColumns.tsx';
import { percentageProblem, readPercentage } from './percentageRows.ts';
import { cellName } from '../rowForm.ts';
import { useRowForm } from '../useRowForm.ts';
import { withSearch } from '../../../../lib/paths.ts';
import { go, useAddress, usePathname } from '../../../../lib/navigation.ts';
import { SearchField } from '../../../../ui/filter/SearchField.tsx';
import classes from '../EditableTable.module.css';
import { gameTexts } from '../../gameTexts.ts';

const TITLE = gameTexts.winPercentage;
const FIELDS = ['winpercentage'] as const;

type Answer = RouteAnswer<typeof percentages>;
type Saved = RouteAnswer<typeof setPercentages>;

const percentagesKey = (userId: string) => ['games', 'percentages', userId] as const;

export function PercentagesPage() {
  const user = useUser();
  const query = useQuery(callQuery(percentagesKey(user._id), percentages, { params: { id: user._id } }));
  if (query.data) return <Percentages answer={query.data} />;
  if (!query.error) return <PageSkeleton shape="table" />;
  return (
    <>
      <PageHeader title={TITLE} />
      <ErrorState message={errorMessage(query.error)} onRetry={() => void query.refetch()} />
    </>
  );
}

function Percentages({ answer }: { answer: Answer }) {
  const user = useUser();
  const queryKey = percentagesKey(user._id);
  const [saved, setSaved] = useState<Saved['data']>([]);
  const all = useMemo(
    () => answer.data.toSorted((a, b) => compareNames(a.username, b.username) || compareNames(a.gameName, b.gameName)),
    [answer],
  );
  const { rows, filtered, clear, filters } = useRowFilter(all);
  const rowForm = useRowForm<'winpercentage', Percentage, Saved>({
    rows: all,
    fields: FIELDS,
    queryKey,
    check: percentageProblem,
    send: (changed, typed) =>
      call(setPercentages, {
        params: { id: user._id },
        body: {
          updates: changed.map(({ id }) => ({
            id,
            winpercentage: readPercentage(typed[cellName(id, 'winpercentage')] ?? '') ?? NO_WIN_PERCENTAGE,
          })),
        },
      }),
    onDone: ({ data }) => setSaved(data),
    onUnchanged: () => notifications.show({ message: gameTexts.nothingSaveNoPercentage }),
  });
  const columns = useMemo(() => percentageColumns(new Map(saved.map((row) => [row.id, row.holdsFrom]))), [saved]);
  return (
    <EditableTable
      title={TITLE}
      rows={rows}
      columns={columns}
      numberName={gameTexts.numberHeading}
      rowForm={rowForm}
      rowLabel={(row) => `${row.gameName} of ${row.username}`}
      save={gameTexts.setPercentage}
      filters={all.length > 1 && filters}
      notice={
        saved.length > 0 && (
          <output>
            <Alert color="green" role="note" withCloseButton closeButtonLabel="Close" onClose={() => setSaved([])}>
              {savedText(saved)}
            </Alert>
          </output>
        )
      }
      empty={
        filtered ? (
          <EmptyState
            title={gameTexts.noMatches}
            text={gameTexts.noGamesMatchThis}
            action={
              <Button variant="default" onClick={clear}>
                {gameTexts.showAll}
              </Button>
            }
          />
        ) : (
          <EmptyState title={gameTexts.noGamesAvailable} text={gameTexts.gamesAppearHereWhen} />
        )
      }
    />
  );
}

function savedText(saved: Saved['data']): string {
  const [first] = saved;
  if (!first || saved.length > 1) return gameTexts.winPercentagesSetEach(formatCount(saved.length));
  const { gameName, username, winpercentage, holdsFrom } = first;
  const setting = winpercentage === null ? gameTexts.noPercentageIsSet : `${winpercentage} % holds`;
  if (!holdsFrom) return gameTexts.fromNextDraw(gameName, username, setting);
  const { number, opensAt } = holdsFrom;
  return gameTexts.fromDrawWhichOpens(gameName, username, setting, drawName(number), formatDateTime(opensAt));
}

interface NamedRow {
  readonly username: string;
  readonly gameName: string;
}

function useRowFilter<Row extends NamedRow>(
  rows: readonly Row[],
): { rows: readonly Row[]; filtered: boolean; clear: () => void; filters: ReactNode } {
  const path = usePathname();
  const text = useAddress((address) => address.search);
  const { search, admin, game } = useMemo(() => {
    const params = new URLSearchParams(text);
    return { search: params.get('search') ?? '', admin: params.get('admin') ?? '', game: params.get('game') ?? '' };
  }, [text]);
  const change = (next: Record<string, string>) => go.replace(withSearch(path, { search, admin, game, ...next }));
  const found = useMemo(() => {
    const part = search.trim().toLowerCase();
    return rows.filter(
      ({ username, gameName }) =>
        (admin === '' || username === admin) &&
        (game === '' || gameName === game) &&
        (part === '' || username.toLowerCase().includes(part) || gameName.toLowerCase().includes(part)),
    );
  }, [rows, search, admin, game]);
  const admins = useMemo(() => namesOf(rows, 'username'), [rows]);
  const games = useMemo(() => namesOf(rows, 'gameName'), [rows]);
  const choice = (label: string, all: string, name: string, value: string, names: readonly string[]) =>
    names.length > 1 && (
      <NativeSelect
        className={classes.filter}
        aria-label={label}
        value={value}
        data={[{ value: '', label: all }, ...names]}
        onChange={(event) => change({ [name]: event.currentTarget.value })}
      />
    );
  return {
    rows: found,
    filtered: search !== '' || admin !== '' || game !== '',
    clear: () => go.replace(path),
    filters: (
      <>
        <SearchField label={gameTexts.searchAdminOrGame} value={search} onChange={(next) => change({ search: next })} />
        {choice('Admin', gameTexts.allAdmins, 'admin', admin, admins)}
        {choice('Game', gameTexts.allGames, 'game', game, games)}
      </>
    ),
  };
}

function namesOf(rows: readonly NamedRow[], field: keyof NamedRow): string[] {
  return [...new Set(rows.map((row) => row[field]))].toSorted(compareNames);
}
