import type { PanelRow } from '@drawhouse/contract/live/live';

export function inRanking(rows: readonly PanelRow[], ranking: readonly string[]): readonly PanelRow[] {
  const byDrawno = new Map(rows.map((row) => [row.drawno, row]));
  return ranking.flatMap((drawno) => byDrawno.get(drawno) ?? []);
}
