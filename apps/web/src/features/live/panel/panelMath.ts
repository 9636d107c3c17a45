import type { ResultData } from '@drawhouse/contract/draws/draws';
import type { Panel, PanelRow } from '@drawhouse/contract/live/live';
import { hundredthsIn, percentHundredthsOf, pointsOf } from '@drawhouse/contract/frame/primitives';
import type { FamilyName } from '@drawhouse/rules/catalogue';
import type { GameIdentity, GameRules, Result } from '@drawhouse/rules/rules';
import { paidBy } from '@drawhouse/rules/wins';
import { parsePoints } from '../../../lib/pointsMath.ts';

/** What declaring an outcome would do to the draw, in points. */
export interface Consequence {
  /** What players would be paid. */
  pays: number;
  /** What would be left of the draw's collection; negative where the house pays on top. */
  leaves: number;
}

/** What declaring an outcome with this booster pays and leaves. Computed in hundredths, so that it is exact. */
export function consequence(row: Pick<PanelRow, 'pays'>, booster: number, collection: number): Consequence {
  const pays = hundredthsIn(row.pays) * BigInt(booster);
  const total = hundredthsIn(collection);
  return { pays: pointsOf(pays), leaves: pointsOf(total - pays) };
}

/** What declaring a result with this booster pays and leaves, from the stakes of the draw. */
export function resultConsequence(
  { stakes, totalsumdata }: Pick<Panel, 'stakes' | 'totalsumdata'>,
  rules: GameRules,
  result: Result,
  booster: number,
): Consequence {
  const pays = paidBy(rules, (key) => hundredthsIn(stakes[key] ?? 0), result, booster);
  return { pays: pointsOf(pays), leaves: pointsOf(hundredthsIn(totalsumdata) - pays) };
}

/** The most that a declared result can pay: the stakes less commissions at their highest, what the table has beyond its other draws, and the admin's credit. */
export function payableOf({ totalsumdata, table }: Pick<Panel, 'totalsumdata' | 'table'>): number {
  const stakes = hundredthsIn(totalsumdata);
  const kept = (stakes * (10_000n - BigInt(percentHundredthsOf(table.commissionCeiling)))) / 10_000n;
  return pointsOf(kept + hundredthsIn(table.backing));
}

/** True if declaring an outcome with this booster may cost more than can be paid. */
export function isUncovered(row: Pick<PanelRow, 'pays'>, booster: number, payable: number): boolean {
  return row.pays * booster > payable;
}

/** What decides the rules by which a panel's draw goes, for `rulesFor` and `layoutOf`. */
export function gameOf({ gameId, family, digits, pays }: Panel): GameIdentity {
  return { gameId, family: family as FamilyName, digits, pays };
}

/** The share of a whole that something has, such as an outcome of the draw's collection, from 0 to 1; of nothing it is 0. */
export function share(part: number, whole: number): number {
  if (!(whole > 0) || !(part > 0)) return 0;
  return Math.min(1, part / whole);
}

/** A share as people read it: `12 %`, and never `0 %` where something is staked. */
export function shareText(part: number): string {
  if (part > 0 && part < 0.01) return '< 1 %';
  return `${Math.round(part * 100)} %`;
}

/** A result as the strip shows it: `7 2 X`. */
export function resultText(result: { drawno: string; booster: number }): string {
  return `${result.drawno} ${result.booster} X`;
}

/** The least that the balance field takes (section 5 of the games specification); a call may name any amount above 0. */
export const LEAST_BALANCE = 1;

/** Whether the text typed into the balance field is an amount that it takes, and which. */
export function readBalance(text: string): number | null {
  const amount = parsePoints(text);
  return amount === null || amount < LEAST_BALANCE ? null : amount;
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

/** Whether nobody may save, replace or confirm a result of the draw any more, or void it: its beacon decides from betting's scheduled close on. */
export function isLeftToBeacon({ usesBeacon, draw }: Pick<Panel, 'usesBeacon' | 'draw'>, serverNow: number): boolean {
  return usesBeacon && draw !== null && serverNow >= Date.parse(draw.closesAt);
}

/** Whether a saved result waits for this person to confirm it: not for who saved it. */
export function waitsFor({ saved }: Pick<Panel, 'saved'>, { _id }: { _id: string }): boolean {
  return saved !== null && saved.waits && saved.byId !== _id;
}
