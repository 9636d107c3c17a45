import type { ResultData } from '@drawhouse/contract/draws';
import type { Panel, PanelRow } from '@drawhouse/contract/live';
import { hundredthsOf, pointsOf } from '@drawhouse/contract/primitives';

/** What declaring an outcome would do to the draw, in points. */
export interface Consequence {
  /** What players would be paid. */
  pays: number;
  /** What would be left of the draw's collection; negative where the house pays on top. */
  leaves: number;
}

/** What declaring an outcome with this booster pays and leaves. Computed in hundredths, so that it is exact. */
export function consequence(row: Pick<PanelRow, 'pays'>, booster: number, collection: number): Consequence {
  const pays = (hundredthsOf(row.pays) ?? 0n) * BigInt(booster);
  const total = hundredthsOf(collection) ?? 0n;
  return { pays: pointsOf(pays), leaves: pointsOf(total - pays) };
}

/** The share of the draw's collection that lies on an outcome, from 0 to 1. */
export function share(sum: number, collection: number): number {
  if (!(collection > 0) || !(sum > 0)) return 0;
  return Math.min(1, sum / collection);
}

/** A share as people read it: `12 %`, and never `0 %` where something is staked. */
export function shareText(part: number): string {
  if (part > 0 && part < 0.01) return '< 1 %';
  return `${Math.round(part * 100)} %`;
}

/** The card panels whose third and fourth row of four change places. */
const CARD_ORDER = ['luckycard16', 'wbzegyzA'];

/** The outcomes in the order in which a panel shows them: the Lucky 16 cards have their rows as 0-3, 4-7, 12-15, 8-11. */
export function panelOrder(gameId: string, rows: readonly PanelRow[]): readonly PanelRow[] {
  if (!CARD_ORDER.includes(gameId) || rows.length !== 16) return rows;
  return [...rows.slice(0, 8), ...rows.slice(12), ...rows.slice(8, 12)];
}

/** How many columns the grid of outcomes has; `null` lets the width decide. */
export function gridColumns(outcomes: number): { wide: number; middle: number; narrow: number } | null {
  if (outcomes === 10) return { wide: 5, middle: 5, narrow: 2 };
  if (outcomes === 12) return { wide: 6, middle: 4, narrow: 3 };
  if (outcomes === 16) return { wide: 4, middle: 4, narrow: 4 };
  return null;
}

/** A result as the strip shows it: `7 2 X`. */
export function resultText(result: { drawno: string; booster: number }): string {
  return `${result.drawno} ${result.booster} X`;
}

/** Whether the text typed into the balance field is an amount above zero, and which. */
export function readBalance(text: string | number): number | null {
  const trimmed = String(text).trim();
  if (trimmed === '') return null;
  const amount = hundredthsOf(Number(trimmed));
  return amount === null || amount <= 0n ? null : pointsOf(amount);
}

/** The result that the running draw has, saved or drawn, with its booster; `null` while it has none. */
export function resultOf(
  panel: Pick<Panel, 'draw' | 'saved' | 'lastData'>,
): { result: ResultData; booster: number } | null {
  if (!panel.draw) return null;
  const { _id: drawId } = panel.draw;
  const drawn = panel.lastData.data.find((each) => each.drawId === drawId);
  if (drawn) return { result: drawn.result, booster: drawn.booster };
  return panel.saved && { result: panel.saved.outcome, booster: panel.saved.booster };
}

/** Whether a person may save a result of the game at all. */
export function isDeclared({ resultMode }: Pick<Panel, 'resultMode'>): boolean {
  return resultMode !== 'generated';
}
