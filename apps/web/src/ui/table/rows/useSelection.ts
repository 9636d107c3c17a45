import { useCallback, useMemo, useState } from 'react';

export interface RowSelection<Row> {
  rows: readonly Row[];
  keys: ReadonlySet<string>;
  isSelectable: (row: Row) => boolean;
  select: (rows: readonly Row[], on: boolean) => void;
  /** Selects these rows only; ignored if the list has changed since `of`. */
  replace: (rows: readonly Row[], of: string) => void;
  clear: () => void;
}

const always = (): boolean => true;

/** Survives paging; resets when `of`, the list's identity, changes. */
export function useSelection<Row>(
  rowKey: (row: Row) => string,
  of: string,
  isSelectable: (row: Row) => boolean = always,
): RowSelection<Row> {
  const [state, setState] = useState<{ of: string; byKey: ReadonlyMap<string, Row> }>({ of, byKey: new Map() });
  if (state.of !== of) setState({ of, byKey: new Map() });

  const select = useCallback(
    (rows: readonly Row[], on: boolean) =>
      setState((now) => {
        const byKey = new Map(now.byKey);
        for (const row of rows) {
          if (on && isSelectable(row)) byKey.set(rowKey(row), row);
          else byKey.delete(rowKey(row));
        }
        return { ...now, byKey };
      }),
    [rowKey, isSelectable],
  );
  const replace = useCallback(
    (rows: readonly Row[], from: string) =>
      setState((now) =>
        now.of === from
          ? { of: from, byKey: new Map(rows.filter(isSelectable).map((row) => [rowKey(row), row])) }
          : now,
      ),
    [rowKey, isSelectable],
  );
  const clear = useCallback(() => setState((now) => ({ ...now, byKey: new Map() })), []);
  return useMemo(
    () => ({
      rows: [...state.byKey.values()],
      keys: new Set(state.byKey.keys()),
      isSelectable,
      select,
      replace,
      clear,
    }),
    [state.byKey, isSelectable, select, replace, clear],
  );
}

export function rowsBetween<Row>(
  rows: readonly Row[],
  rowKey: (row: Row) => string,
  from: string | null,
  to: Row,
): readonly Row[] {
  const start = rows.findIndex((row) => rowKey(row) === from);
  const end = rows.indexOf(to);
  return start === -1 ? [to] : rows.slice(Math.min(start, end), Math.max(start, end) + 1);
}
