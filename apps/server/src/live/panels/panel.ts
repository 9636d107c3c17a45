import { isDeepStrictEqual } from 'node:util';
import { percentOf, pointsOf } from '@drawhouse/contract/core/primitives';
import type { Panel, PanelChange } from '@drawhouse/contract/live/live';
import { paysOf } from '@drawhouse/rules/games/pays';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { paidBy } from '@drawhouse/rules/games/wins';
import { panelCells, rowMaker } from '@drawhouse/rules/panel/panel-rows';
import type { Queryable } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import {
  awaitedDraws,
  currentDraw,
  lastResults,
  toAwaitedDraw,
  toDrawView,
  type DrawRow,
  awaitsSecond,
  hasSavedResult,
} from '../../draws/draws.sql.ts';
import { correctableDraws } from '../../draws/results/corrected-draws.sql.ts';
import { outcomeImages } from '../../games/catalogue/game-images.ts';
import { rulesOf, type PairRow } from '../../games/games.sql.ts';
import { balanceOf } from '../../ledger/wallets.ts';
import { readTableFigures } from '../../tickets/table/table-bound.ts';
import { allStakes } from '../../tickets/tickets.sql.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { isSameAddress, readSavers } from '../../draws/results/second-person.ts';

export interface PanelState {
  readonly shown: Omit<Panel, 'seq' | 'stakes' | 'data' | 'dataColors' | 'dataCardTypes'>;
  /** By bet key. */
  readonly stakes: ReadonlyMap<string, bigint>;
  readonly rules: GameRules;
  readonly images: readonly string[];
}

export async function readState(services: Services, pair: PairRow): Promise<PanelState> {
  const { db, clock } = services;
  const now = clock.now();
  const { draw, next } = await currentDraw(db, pair, now);
  const opened = draw ?? pair;
  const rules = rulesOf(opened);
  const stakes = draw ? await allStakes(db, draw) : new Map<string, bigint>();
  const [table, gameBalance, today, results, saved, images, awaited, correctable] = await Promise.all([
    readTableFigures(db, pair, { draw, rules, stakes }),
    balanceOf(db, pair.network_id, `table:${pair.game_id}`),
    collectionsToday(db, pair, now, services.timeZone),
    lastResults(db, pair),
    shownSaved(db, draw),
    outcomeImages(db, pair.game_id),
    shownAwaited(db, pair, now),
    shownCorrectable(db, pair, now),
  ]);
  const shown: PanelState['shown'] = {
    gameId: pair.game_key,
    gameName: pair.name,
    family: pair.family,
    digits: opened.digits,
    unitPrice: pointsOf(opened.unit_price),
    pays: paysOf(rules),
    adminId: pair.admin_id,
    username: pair.admin_username,
    testNetwork: pair.test_network,
    serverTime: now.toISOString(),
    draw: draw ? toDrawView(draw) : null,
    nextOpensAt: next?.opensAt.toISOString() ?? null,
    resultMode: opened.result_mode,
    usesBeacon: (opened.beacons ?? []).length > 0,
    maxBooster: rules.maxBooster,
    percentageData: [
      {
        gameBalance: pointsOf(gameBalance),
        winpercentage: pair.win_percentage === null ? null : percentOf(pair.win_percentage),
      },
    ],
    table,
    collections: {
      totalPlaypoints: pointsOf(today.stake),
      totalWinpoints: pointsOf(today.win),
      balance: pointsOf(today.stake - today.win),
    },
    lastData: { data: results },
    totalsumdata: pointsOf([...stakes.values()].reduce((sum, stake) => sum + stake, 0n)),
    awaited,
    correctable,
    saved,
  };
  return { shown, stakes, rules, images };
}

/** `seq`: message number within the room. */
export function fullPanel({ shown, stakes, rules, images }: PanelState, seq: number): Panel {
  const rowOf = rowMaker(rules, (key) => stakes.get(key), pointsOf);
  const { data, dataColors, dataCardTypes } = panelCells(rules).lists;
  return {
    ...shown,
    seq,
    stakes: inPoints(stakes),
    data: data.map((cell, index) => rowOf(cell, images[index] ?? null)),
    dataColors: dataColors.map((cell) => rowOf(cell, null)),
    dataCardTypes: dataCardTypes.map((cell) => rowOf(cell, null)),
  };
}

export type Difference = Omit<PanelChange, 'gameId' | 'adminId' | 'seq' | 'serverTime'>;

/** Null if equal. `all` if rows derive from other rules or images, so a change cannot express it. */
export function differenceOf(before: PanelState, after: PanelState): Difference | 'all' | null {
  const drawId = after.shown.draw?._id ?? null;
  const isOtherDraw = drawId !== (before.shown.draw?._id ?? null);
  const { gameId, adminId, family, digits, serverTime: _time, ...shown } = after.shown;
  const isOtherGame =
    family !== before.shown.family || digits !== before.shown.digits || gameId !== before.shown.gameId;
  if (isOtherGame || adminId !== before.shown.adminId || !isDeepStrictEqual(before.images, after.images)) return 'all';
  const fields = Object.entries(shown).filter(
    ([field, value]) => !isDeepStrictEqual(before.shown[field as keyof typeof shown], value),
  );
  const stakes = isOtherDraw ? after.stakes : changedStakes(before.stakes, after.stakes);
  if (fields.length === 0 && stakes.size === 0 && !isOtherDraw) return null;
  return { ...Object.fromEntries(fields), drawId, stakes: inPoints(stakes) };
}

function changedStakes(
  before: ReadonlyMap<string, bigint>,
  after: ReadonlyMap<string, bigint>,
): ReadonlyMap<string, bigint> {
  const changed = new Map<string, bigint>();
  for (const [key, stake] of after) if (before.get(key) !== stake) changed.set(key, stake);
  for (const key of before.keys()) if (!after.has(key)) changed.set(key, 0n);
  return changed;
}

function inPoints(stakes: ReadonlyMap<string, bigint>): Panel['stakes'] {
  return Object.fromEntries(Array.from(stakes, ([key, stake]) => [key, pointsOf(stake)]));
}

/** Settled today (server time zone). */
async function collectionsToday(
  on: Queryable,
  pair: PairRow,
  now: Date,
  timeZone: string,
): Promise<{ stake: bigint; win: bigint }> {
  const [row] = await on.query<{ stake: bigint; win: bigint }>(
    sql`select stake, win from rollups where network_id = ${pair.network_id} and account_id = ${pair.admin_id} and grain = 'day'
      and game_id = ${pair.game_id}
       and starts_at = day_start(${now}::timestamptz, ${timeZone})`.named('panel-today'),
  );
  return row ?? { stake: 0n, win: 0n };
}

async function shownAwaited(on: Queryable, pair: PairRow, now: Date): Promise<Panel['awaited']> {
  const draws = await awaitedDraws(on, pair, now);
  return Promise.all(
    draws.map(async (draw) => {
      const saved = savedOf(draw);
      const stakes = await allStakes(on, draw);
      const stakeOn = (key: string): bigint => stakes.get(key) ?? 0n;
      const { by, at } = saved ? await saversOf(on, draw) : { by: '', at: '' };
      return {
        ...toAwaitedDraw(draw),
        voidAt: draw.awaits_until!.toISOString(),
        ...stakedOn(stakes),
        saved: saved && {
          result: saved.result,
          outcome: draw.saved_result!,
          pays: pointsOf(paidBy(rulesOf(draw), stakeOn, draw.saved_result!, 1)),
          byId: saved.byId,
          by,
          at,
        },
      };
    }),
  );
}

async function shownCorrectable(on: Queryable, pair: PairRow, now: Date): Promise<Panel['correctable']> {
  const draws = await correctableDraws(on, pair, now);
  return Promise.all(
    draws.map(async (draw) => {
      const stakes = await allStakes(on, { network_id: pair.network_id, id: draw.drawId });
      return { ...draw, ...stakedOn(stakes) };
    }),
  );
}

function stakedOn(stakes: ReadonlyMap<string, bigint>): Pick<Panel['correctable'][number], 'stakes' | 'staked'> {
  return { stakes: inPoints(stakes), staked: pointsOf([...stakes.values()].reduce((sum, stake) => sum + stake, 0n)) };
}

async function shownSaved(on: Queryable, draw: DrawRow | undefined): Promise<Panel['saved']> {
  const saved = draw && savedOf(draw);
  return saved ? { ...saved, outcome: draw.saved_result!, ...(await saversOf(on, draw)) } : null;
}

type Saved = NonNullable<Panel['saved']>;

type SavedDraw = Parameters<typeof rulesOf>[0] &
  Pick<
    DrawRow,
    'saved_result' | 'saved_booster' | 'saved_by' | 'confirmed_by' | 'draw_status' | 'source' | 'result_mode'
  >;

/** Null if there is no saved result, and none can be saved. */
export function savedOf(draw: SavedDraw): Pick<Saved, 'result' | 'booster' | 'byId' | 'waits'> | null {
  if (!hasSavedResult(draw)) return null;
  return {
    result: rulesOf(draw).resultLabel(draw.saved_result),
    booster: draw.saved_booster!,
    byId: draw.saved_by!,
    waits: draw.source === null && awaitsSecond(draw),
  };
}

export async function saversOf(
  on: Queryable,
  draw: DrawRow,
): Promise<Pick<Saved, 'by' | 'at' | 'confirmedBy' | 'sameAddress'>> {
  const names = await readSavers(on, draw);
  return {
    by: names.by,
    at: draw.saved_at!.toISOString(),
    confirmedBy: names.confirmed_by,
    sameAddress: isSameAddress(draw),
  };
}
