import type { Panel, PanelRow } from '@drawhouse/contract/live';
import { percentOf, pointsOf } from '@drawhouse/contract/primitives';
import type { GameRules, Outcome } from '@drawhouse/rules/rules';
import { winHundredths } from '@drawhouse/rules/wins';
import type { Queryable } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import { lastResults, runningDraw, toDrawView } from '../draws/draws.sql.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { outcomeImages } from '../games/game-images.ts';
import { rulesOf } from '../games/games.sql.ts';
import type { PairRow } from '../games/games.sql.ts';
import { balanceOf } from '../ledger/wallets.ts';
import { stakesOf } from '../tickets/tickets.sql.ts';

/** Reads all that the panel of one game of one admin shows, now. `seq` numbers the frames of a room. */
export async function readPanel(services: Services, pair: PairRow, seq: number): Promise<Panel> {
  const { db, clock } = services;
  const now = clock.now();
  const draw = await runningDraw(db, pair, now);
  const rules = rulesOf(draw ?? pair);
  const [stakes, gameBalance, today, results, saved, images] = await Promise.all([
    draw ? stakesOf(db, draw) : new Map<string, bigint>(),
    balanceOf(db, pair.network_id, `table:${pair.game_id}`),
    collectionsToday(db, pair, now, services.timeZone),
    lastResults(db, pair),
    savedOf(db, draw),
    outcomeImages(db, pair.game_id),
  ]);
  const rows = (outcomes: readonly Outcome[] | undefined): PanelRow[] =>
    (outcomes ?? []).map((outcome) => toRow(rules, outcome, stakes));
  return {
    gameId: pair.game_key,
    gameName: pair.name,
    family: pair.family,
    adminId: pair.admin_id,
    username: pair.admin_username,
    seq,
    serverTime: now.toISOString(),
    draw: draw ? toDrawView(draw) : null,
    maxBooster: rules.maxBooster,
    data: rows(rules.outcomes).map((row, place) => ({ ...row, image: images[place] ?? null })),
    dataColors: rows(rules.colors),
    dataCardTypes: rows(rules.cardTypes),
    percentageData: [
      {
        gameBalance: pointsOf(gameBalance),
        winpercentage: pair.win_percentage === null ? null : percentOf(pair.win_percentage),
      },
    ],
    collections: {
      totalPlaypoints: pointsOf(today.stake),
      totalWinpoints: pointsOf(today.win),
      balance: pointsOf(today.stake - today.win),
    },
    lastData: { data: results },
    totalsumdata: pointsOf([...stakes.values()].reduce((sum, stake) => sum + stake, 0n)),
    saved,
  };
}

/** One outcome with the stakes on its bets, and what declaring it with booster 1 would pay. */
function toRow(rules: GameRules, outcome: Outcome, stakes: ReadonlyMap<string, bigint>): PanelRow {
  let sum = 0n;
  let pays = 0n;
  for (const { key, payHundredths } of rules.outcomeBets(outcome)) {
    const stake = stakes.get(key) ?? 0n;
    sum += stake;
    pays += winHundredths({ unitPrice: stake, qty: 1, payHundredths, booster: 1 });
  }
  return {
    drawno: outcome.drawno,
    label: outcome.label,
    color: outcome.color ?? null,
    image: null,
    sum: pointsOf(sum),
    pays: pointsOf(pays),
  };
}

/** Stakes and wins of this game that were settled today, in the day of the time zone. */
async function collectionsToday(
  on: Queryable,
  pair: PairRow,
  now: Date,
  timeZone: string,
): Promise<{ stake: bigint; win: bigint }> {
  const [row] = await on.query<{ stake: bigint; win: bigint }>(
    `select stake, win from rollups where network_id = $1 and account_id = $5 and grain = 'day' and game_id = $2
       and starts_at = date_trunc('day', $3::timestamptz, $4)`,
    [pair.network_id, pair.game_id, now, timeZone, pair.admin_id],
    'panel-today',
  );
  return row ?? { stake: 0n, win: 0n };
}

/** The saved result while it may still stand, or did: not that of a void draw, nor one that a generated result has replaced. */
async function savedOf(on: Queryable, draw: DrawRow | undefined): Promise<Panel['saved']> {
  if (!draw?.saved_result || draw.draw_status === 'void' || draw.source === 'generated') return null;
  const [by] = await on.query<{ username: string }>('select username from accounts where id = $1', [draw.saved_by]);
  return {
    result: rulesOf(draw).resultLabel(draw.saved_result),
    booster: draw.saved_booster!,
    by: by!.username,
    at: draw.saved_at!.toISOString(),
  };
}
