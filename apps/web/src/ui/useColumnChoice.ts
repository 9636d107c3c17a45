import { useMemo, useSyncExternalStore } from 'react';
import { columnsKey, keepHidden, parseHidden } from '../lib/columnChoice.ts';
import { readStored, subscribeStored } from '../lib/deviceStorage.ts';
import type { DataColumn } from './dataColumn.ts';

export interface ColumnChoice<Row> {
  shown: readonly DataColumn<Row>[];
  choosable: readonly { id: string; header: string; shown: boolean }[];
  toggle: (id: string) => void;
  showAll: () => void;
}

/** Stored on this device. The first column always shows. `columns` must be stable. */
export function useColumnChoice<Row>(list: string, columns: readonly DataColumn<Row>[]): ColumnChoice<Row> {
  const text = useSyncExternalStore(subscribeStored, () => readStored(columnsKey(list)));
  return useMemo(() => {
    const hidden = parseHidden(text);
    const mayHide = columns.filter((_, index) => index > 0);
    return {
      shown: columns.filter((column) => !mayHide.includes(column) || !hidden.has(column.id)),
      choosable: mayHide.map(({ id, header }) => ({ id, header, shown: !hidden.has(id) })),
      toggle: (id) => {
        const next = new Set(hidden);
        if (!next.delete(id)) next.add(id);
        keepHidden(list, next);
      },
      showAll: () => keepHidden(list, new Set()),
    };
  }, [text, columns, list]);
}
