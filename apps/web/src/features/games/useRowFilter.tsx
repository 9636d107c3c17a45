import { NativeSelect } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { withSearch } from '../../lib/paths.ts';
import { useGo } from '../../lib/useGo.ts';
import { SearchField } from '../../ui/SearchField.tsx';
import classes from './EditableTable.module.css';

/** A row that is found by the name of its admin and its game. */
interface NamedRow {
  readonly username: string;
  readonly gameName: string;
}

/** The rows that are left of many, and what is chosen to leave them: by admin, by game and by a part of either's name. It stands in the URL. */
export function useRowFilter<Row extends NamedRow>(
  rows: readonly Row[],
): { rows: readonly Row[]; filtered: boolean; clear: () => void; filters: ReactNode } {
  const go = useGo();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const text = useLocation({ select: ({ searchStr }) => searchStr });
  const { search, admin, game } = useMemo(() => {
    const asked = new URLSearchParams(text);
    return { search: asked.get('search') ?? '', admin: asked.get('admin') ?? '', game: asked.get('game') ?? '' };
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
        <SearchField label="Search admin or game" value={search} onChange={(next) => change({ search: next })} />
        {choice('Admin', 'All admins', 'admin', admin, admins)}
        {choice('Game', 'All games', 'game', game, games)}
      </>
    ),
  };
}

function namesOf(rows: readonly NamedRow[], field: keyof NamedRow): string[] {
  return [...new Set(rows.map((row) => row[field]))].toSorted((a, b) => a.localeCompare(b));
}
