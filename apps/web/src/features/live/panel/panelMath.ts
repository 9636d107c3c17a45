import type { ResultData } from '@drawhouse/contract/draws/draws';
import type { Panel, PanelRow } from '@drawhouse/contract/live/live';
import { hundredthsIn, percentHundredthsOf, pointsOf } from '@drawhouse/contract/core/primitives';
import type { FamilyName } from '@drawhouse/rules/games/catalogue';
import type { GameIdentity, GameRules, Result } from '@drawhouse/rules/games/rules';
import { paidBy } from '@drawhouse/rules/games/wins';
import { parsePoints } from '../../../lib/format/format.ts';

/** In points. */
export interface Consequence {
  pays: number;
  /** Negative if the house pays on top. */
  leaves: number;
}

/** Computes exactly, in hundredths. */
export function consequence(row: Pick<PanelRow, 'pays'>, booster: number, collection: number): Consequence {
  const pays = hundredthsIn(row.pays) * BigInt(booster);
  const total = hundredthsIn(collection);
  return { pays: pointsOf(pays), leaves: pointsOf(total - pays) };
}

export function resultConsequence(
  { stakes, totalsumdata }: Pick<Panel, 'stakes' | 'totalsumdata'>,
  rules: GameRules,
  result: Result,
  booster: number,
): Consequence {
  const pays = paidBy(rules, (key) => hundredthsIn(stakes[key] ?? 0), result, booster);
  return { pays: pointsOf(pays), leaves: pointsOf(hundredthsIn(totalsumdata) - pays) };
}

/** Stakes minus maximum commissions, plus the table's uncommitted balance and the admin's credit. */
export function payableOf({ totalsumdata, table }: Pick<Panel, 'totalsumdata' | 'table'>): number {
  const stakes = hundredthsIn(totalsumdata);
  const stakesLeft = (stakes * (10_000n - BigInt(percentHundredthsOf(table.commissionCeiling)))) / 10_000n;
  return pointsOf(stakesLeft + hundredthsIn(table.backing));
}

export function isUncovered(row: Pick<PanelRow, 'pays'>, booster: number, payable: number): boolean {
  return row.pays * booster > payable;
}

export function gameOf({ gameId, family, digits, pays }: Panel): GameIdentity {
  return { gameId, family: family as FamilyName, digits, pays };
}

/** 0 for an empty whole. */
export function share(part: number, whole: number): number {
  if (!(whole > 0) || !(part > 0)) return 0;
  return Math.min(1, part / whole);
}

/** Never `0 %` for a positive stake. */
export function shareText(part: number): string {
  if (part > 0 && part < 0.01) return '< 1 %';
  return `${Math.round(part * 100)} %`;
}

export function resultText(result: { drawno: string; booster: number }): string {
  return `${result.drawno} ${result.booster} X`;
}

/** Minimum of the form (docs/spec/game-operations.md §5); calls accept any amount above 0. */
export const LEAST_BALANCE = 1;

export function readBalance(text: string): number | null {
  const amount = parsePoints(text);
  return amount === null || amount < LEAST_BALANCE ? null : amount;
}

export interface SavedOrDrawn {
  readonly result: ResultData;
  readonly booster: number;
}

export function resultOf({ draw, saved, lastData }: Pick<Panel, 'draw' | 'saved' | 'lastData'>): SavedOrDrawn | null {
  if (!draw) return null;
  return drawnResult(lastData, draw._id) ?? (saved && { result: saved.outcome, booster: saved.booster });
}

export type PastDraw = Panel['awaited'][number] | Panel['correctable'][number];

export function resultOfPast({ lastData }: Pick<Panel, 'lastData'>, draw: PastDraw): SavedOrDrawn | null {
  const saved = 'saved' in draw ? draw.saved : null;
  return saved ? { result: saved.outcome, booster: 1 } : drawnResult(lastData, draw.drawId);
}

function drawnResult({ data }: Panel['lastData'], drawId: string): SavedOrDrawn | null {
  const drawn = data.find((each) => each.drawId === drawId);
  return drawn ? { result: drawn.result, booster: drawn.booster } : null;
}

export function isDeclared({ resultMode }: Pick<Panel, 'resultMode'>): boolean {
  return resultMode !== 'generated' && resultMode !== 'outside';
}

/** True from betting's scheduled close on: the result can then be neither saved, replaced, confirmed nor voided. */
export function isDecidedByBeacon(
  { usesBeacon, draw }: Pick<Panel, 'usesBeacon' | 'draw'>,
  serverNow: number,
): boolean {
  return usesBeacon && draw !== null && serverNow >= Date.parse(draw.closesAt);
}

/** The person who saved a result cannot confirm it. */
export function canConfirm({ saved }: Pick<Panel, 'saved'>, { _id }: { _id: string }): boolean {
  return saved !== null && saved.waits && saved.byId !== _id;
}
