import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../apps/server/src/platform/db/database.ts';
import { createHttpWire } from '../../simulate/http-wire.ts';
import { milliseconds } from '../../simulate/simulate-report.ts';
import { Tally } from '../../simulate/tally.ts';
import { withBenchDatabase } from '../fixtures/bench-database.ts';
import type { BenchNetwork } from '../fixtures/bench-network.ts';
import { judge, shown, byTurns, cells, ratioOf } from '../measure/contest.ts';
import { storeTickets, storeEnded } from '../fixtures/filled-network.ts';
import { setDrawInterval } from '../../../tools/demo/plan.ts';
import { GAME, makeField, openSessions, OTHER_GAME, engineRate, type Scale } from './ticket-field.ts';
import { load, type Loaded } from './ticket-load.ts';
import { startServed } from '../fixtures/bench-server.ts';
import { selectDraws } from '../../../apps/server/src/draws/draws.sql.ts';
import { beginSettling, settlePiece } from '../../../apps/server/src/settlement/pay/settle-in-pieces.ts';
import { sql } from '../../../apps/server/src/platform/db/sql/sql.ts';

const RATE = 100;
const PLAYERS = 200;
const CONNECTIONS = 50;
/** Bets of the next draw, even after a fast settlement. */
const BETS_MIN = 100;
const IDLE_SECONDS = 10;
/** Longer than inserting tickets and measuring the baseline. */
const INTERVAL_SECONDS = 120;
const WAIT_MS = 5 * 60_000;
const POLL_EVERY_MS = 50;
const MEBIBYTE = 1024 * 1024;
/**
 * `other`, `next`: p99 during settlement ÷ p99 before, for another game and for the next draw. `mebibytes`: memory
 * growth.
 */
const LIMITS = { other: 3, next: 3, seconds: 12, mebibytes: 100 };

interface Running {
  id: string;
  closes_at: Date;
  draws_at: Date;
  status: string;
}

export async function benchBetsDuringSettlement({ players, tickets }: Scale): Promise<void> {
  await withBenchDatabase(4, async (db, url) => {
    const network = await makeField(db, players);
    const entrants = await openSessions(db, network.players.slice(0, PLAYERS));
    await shortDraws(db, network);
    const server = await startServed(url);
    const bets = (
      game: string,
      until: { seconds: number } | { signal: AbortSignal; tally: Tally; begins: Promise<void> },
    ): Promise<Loaded> =>
      load(server.url, createHttpWire(server.url, CONNECTIONS), entrants, { rate: RATE, games: [game], ...until });
    try {
      const draw = await freshDraw(db, network);
      await storeTickets(network, { game: GAME, tickets, lines: 1 });
      await db.query('vacuum analyze');
      await Promise.all([GAME, OTHER_GAME].map((game) => bets(game, { seconds: 3 })));
      const [idleSame, idleOther] = await Promise.all(
        [GAME, OTHER_GAME].map((game) => bets(game, { seconds: IDLE_SECONDS })),
      );
      if (Date.now() > draw.closes_at.getTime())
        throw new Error('The draw closed before its tickets were there: this machine is too busy.');
      const before = await server.memory();

      const settled = new AbortController();
      const tallies = { other: new Tally(), next: new Tally() };
      // Connection cost is not measured.
      const from = (time: Date, afterMs: number): Promise<void> => pause(time.getTime() + afterMs - Date.now());
      const { signal } = settled;
      const other = bets(OTHER_GAME, { signal, tally: tallies.other, begins: from(draw.closes_at, -100) });
      const next = bets(GAME, { signal, tally: tallies.next, begins: from(draw.draws_at, 0) });
      const seconds = await untilSettled(db, draw);
      while (tallies.next.accepted < BETS_MIN) await pause(POLL_EVERY_MS);
      settled.abort();
      const [otherRate, nextRate] = await Promise.all([other, next]);
      const after = await server.memory();

      const p99 = ({ tally }: Loaded): number => tally.latencies.percentile(0.99);
      const above = (after.peak - before.now) / MEBIBYTE;
      console.log(`\n${shown(tickets)} tickets of one draw: settled ${seconds.toFixed(1)} s after its end\n`);
      console.log(
        `| ${RATE} bets per second of each | bets | p50 ms | p99 ms | most ms | refused |\n|---|--:|--:|--:|--:|--:|`,
      );
      const rows: [string, Loaded][] = [
        ['the same game, nothing settled', idleSame!],
        ['another game, nothing settled', idleOther!],
        ['the next draw of the same game, during the settlement', nextRate],
        ['another game, during closing and settlement', otherRate],
      ];
      for (const [label, loaded] of rows) {
        const { accepted, latencies, refusals } = loaded.tally;
        const times = [latencies.percentile(0.5), p99(loaded), latencies.mostMs].map(milliseconds).join(' | ');
        console.log(`| ${label} | ${accepted} | ${times} | ${refusals} |`);
      }
      console.log(
        `\nThe longest bet of each second, in ms: another game, from just before betting closes on: ${worst(otherRate)};`,
      );
      console.log(`the next draw, from the draw's end on: ${worst(nextRate)}.`);
      console.log(
        `\nThe server had ${(before.now / MEBIBYTE).toFixed(0)} MiB before, and ${(after.peak / MEBIBYTE).toFixed(0)} at most.`,
      );
      judge([
        { label: 'p99 of another game ÷ idle', value: p99(otherRate) / p99(idleOther!), atMost: LIMITS.other },
        {
          label: 'p99 of the next draw of the same game ÷ idle',
          value: p99(nextRate) / p99(idleSame!),
          atMost: LIMITS.next,
        },
        { label: 'all of it paid after its end', value: seconds, atMost: LIMITS.seconds, unit: ' s' },
        { label: "the server's memory above before", value: above, atMost: LIMITS.mebibytes, unit: ' MiB' },
      ]);
    } finally {
      await server.stop();
    }
  });
}

const worst = ({ tally }: Loaded): string =>
  tally.buckets.map(({ latencies }) => latencies.mostMs.toFixed(0)).join(', ');

/** Voids the day-long draw, so short ones start at the next interval. Its seed is bound to its scheduled close. */
async function shortDraws(db: Database, network: BenchNetwork): Promise<void> {
  await setDrawInterval(db, GAME, INTERVAL_SECONDS);
  const intervalMs = INTERVAL_SECONDS * 1000;
  const boundary = new Date((Math.floor(Date.now() / intervalMs) + 1) * intervalMs);
  await db.query(
    `update draws set draws_at = $2, closes_at = $2::timestamptz - interval '5 seconds'
     where network_id = $1 and status = 'open' and game_id = (select id from games where game_key = $3)`,
    [network.networkId, boundary, GAME],
  );
}

async function freshDraw(db: Database, network: BenchNetwork): Promise<Running> {
  for (;;) {
    const draw = await runningDraw(db, network);
    const leftMs = draw ? draw.closes_at.getTime() - Date.now() : 0;
    if (draw && draw.draws_at.getTime() - Date.now() > (INTERVAL_SECONDS - 10) * 1000) return draw;
    if (leftMs > 0) console.log(`Waiting ${Math.ceil(leftMs / 1000)} s for the next draw.`);
    await pause(Math.max(POLL_EVERY_MS * 10, leftMs));
  }
}

async function runningDraw(db: Database, { networkId }: BenchNetwork): Promise<Running | undefined> {
  const [draw] = await db.query<Running>(
    `select d.id, d.closes_at, d.draws_at, d.status from draws d join games g on g.id = d.game_id
     where d.network_id = $1 and g.game_key = $2 and d.status = 'open' and d.opens_at <= now() order by d.opens_at desc limit 1`,
    [networkId, GAME],
  );
  return draw;
}

async function untilSettled(db: Database, { id, draws_at }: Running): Promise<number> {
  const endMs = draws_at.getTime();
  while (Date.now() < endMs + WAIT_MS) {
    const [draw] = await db.query<{ finished: boolean }>(
      `select status = 'settled' as finished from draws where id = $1`,
      [id],
    );
    if (draw?.finished) return (Date.now() - endMs) / 1000;
    await pause(POLL_EVERY_MS);
  }
  throw new Error(`The draw was not settled within ${WAIT_MS / 60_000} minutes of its end.`);
}

const UNSETTLED_LEAST = 0.8;
const BENCH_CONNECTIONS = 8;
const PAID_PIECES = 2;

/** Measures while an earlier draw is settled, awaits its result, or is half paid. */
export async function benchBetsWithUnsettledDraw({ seconds, rounds, players, unsettled }: Scale): Promise<void> {
  await withBenchDatabase(BENCH_CONNECTIONS, async (db) => {
    const network = await makeField(db, players);
    await storeEnded(network, { game: GAME, tickets: unsettled, lines: 1 });
    await payHalf(db, network, unsettled);
    await db.query('vacuum analyze');
    const in_ = (status: string) => async () => {
      await setStatus(db, network, status);
      return engineRate(network.services, network.players, seconds);
    };
    await in_('settled')();
    const rates = await byTurns(rounds, {
      settled: in_('settled'),
      closed: in_('closed'),
      settling: in_('settling'),
    });
    console.log(
      `${rounds} alternating rounds of ${seconds} s; an earlier draw of the game has ${shown(unsettled)} ` +
        `tickets of ${shown(players)} players\n`,
    );
    console.log('| bets per second | median | least to most |\n|---|--:|--:|');
    console.log(`| the earlier draw is settled | ${cells(rates.settled)} |`);
    console.log(`| it waits for its result | ${cells(rates.closed)} |`);
    console.log(`| it is half paid | ${cells(rates.settling)} |`);
    judge([
      {
        label: 'bets while a draw waits ÷ none',
        value: ratioOf(rates.closed, rates.settled),
        atLeast: UNSETTLED_LEAST,
      },
      {
        label: 'bets while a draw is half paid ÷ none',
        value: ratioOf(rates.settling, rates.settled),
        atLeast: UNSETTLED_LEAST,
      },
    ]);
  });
}

async function payHalf(db: Database, network: BenchNetwork, tickets: number): Promise<void> {
  await setStatus(db, network, 'drawn');
  const [draw] = await selectDraws(db, sql`where d.network_id = ${network.networkId} and d.status = 'drawn'`);
  const { services } = network;
  await db.transaction((tx) => beginSettling(tx, services, draw!));
  const piece = Math.ceil(tickets / 2 / PAID_PIECES);
  for (let nth = 0; nth < PAID_PIECES; nth++)
    await db.transaction((tx) => settlePiece(tx, services, draw!, { wholeUpTo: 0, players: piece, tickets: piece }));
}

async function setStatus(db: Database, { networkId }: BenchNetwork, status: string): Promise<void> {
  const isDrawn = status !== 'closed';
  await db.query(
    `update draws set status = $2::draw_status,
       (result, result_label, booster, source) = (select $3::json, $4, $5::smallint, $6::result_source),
       finished_at = case when $2 = 'settled' then closed_at end,
       seed = case when $2 in ('settled', 'settling') then sha256('bench') end,
       sealed_seed = case when $2 not in ('settled', 'settling') then sha256('bench') end
     where network_id = $1 and status <> 'open' and ticket_count > 0`,
    [networkId, status, ...(isDrawn ? ['{"drawno":"7"}', '7', 1, 'generated'] : [null, null, null, null])],
  );
}
