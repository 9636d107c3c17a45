import type { PanelRow } from '@drawhouse/contract/live/live';

/** Rows as they are now, in the order that their numbers had when they were ranked. */
export function inRanking(rows: readonly PanelRow[], ranking: readonly string[]): readonly PanelRow[] {
  const byDrawno = new Map(rows.map((row) => [row.drawno, row]));
  return ranking.flatMap((drawno) => byDrawno.get(drawno) ?? []);
}
