import { withBenchDatabase } from '../fixtures/bench-database.ts';
import { makeNetwork, type BenchNetwork } from '../fixtures/bench-network.ts';
import { byTurns, cells, judge, shown } from '../measure/contest.ts';
import { storeTickets } from '../fixtures/filled-network.ts';
import { GAME, type Scale } from './ticket-field.ts';
import { bestConnections, makeRivals, onePayment, RIVAL_POOL, rivalRate } from './rivals.ts';
import { benchBetsDuringSettlement } from './bets-during-settlement.ts';

/** `toPayments`: ratio of medians. `seconds`: settling {@link Scale.winners} tickets. */
const LIMITS = { toPayments: 8, seconds: 2 };
const CREDIT = 1_000_000_000n;
/** They cover every number, so each ticket wins. */
const LINES = 10;
/** Betting closes 5 seconds before the end. */
const DRAW_MS = { open: 56_000, rest: 4_000 };
const TO_PAY = 500_000;

/** Compares with one transaction per winner, then measures bets during a large settlement. */
export async function benchSettlement(scale: Scale): Promise<void> {
  await paymentsBySettlement(scale);
  await benchBetsDuringSettlement(scale);
}

async function paymentsBySettlement({ seconds, rounds, players, winners }: Scale): Promise<void> {
  await withBenchDatabase(RIVAL_POOL, async (db) => {
    const network = await makeNetwork(db, { games: [GAME], players, credit: CREDIT });
    await makeRivals(db, players);
    await db.query(
      `insert into rival.tickets (draw_id, player, stake, placed_at, request, lines)
       select 1, 1 + n % $2, 100, now(), gen_random_uuid(), '7*1' from generate_series(1, $1::int) as n`,
      [TO_PAY, players],
    );
    await db.query('vacuum analyze');
    let paid = 0n;
    const payment = onePayment(() => {
      paid++;
      return { id: paid, player: 1 + Number(paid % BigInt(players)) };
    });
    const connections = await bestConnections(db, payment);
    const durations: { closing: number[]; settling: number[] } = { closing: [], settling: [] };
    // The first draw warms up.
    await settleOne(network, Math.ceil(winners / 10));
    const rates = await byTurns(rounds, {
      async product() {
        const { closing, settling } = await settleOne(network, winners);
        durations.closing.push(closing);
        durations.settling.push(settling);
        return winners / settling;
      },
      rival: () => rivalRate(db, payment, connections, seconds),
    });
    console.log(
      `${rounds} alternating rounds, ${shown(winners)} winning tickets of ${LINES} lines, ${shown(players)} players, four ancestors each\n`,
    );
    console.log('| winning tickets per second | median | least to most |\n|---|--:|--:|');
    console.log(`| settlement of a draw | ${cells(rates.product)} |`);
    console.log(`| one transaction per winning ticket, ${connections} connections | ${cells(rates.rival)} |`);
    console.log(`\nClosing took ${list(durations.closing)} s, result and settlement ${list(durations.settling)} s.`);
    judge([
      {
        label: 'settlement ÷ one transaction a ticket',
        value: rates.product.median / rates.rival.median,
        atLeast: LIMITS.toPayments,
      },
      {
        label: `settling ${shown(winners)} winning tickets`,
        value: winners / rates.product.median,
        atMost: LIMITS.seconds,
        unit: ' s',
      },
    ]);
  });
}

const list = (values: readonly number[]): string => values.map((value) => value.toFixed(2)).join(', ');

async function settleOne(network: BenchNetwork, tickets: number): Promise<{ closing: number; settling: number }> {
  await network.machine.tick();
  await storeTickets(network, { game: GAME, tickets, lines: LINES });
  const tick = async (afterMs: number): Promise<number> => {
    network.advance(afterMs);
    const from = performance.now();
    await network.machine.tick();
    return (performance.now() - from) / 1000;
  };
  return { closing: await tick(DRAW_MS.open), settling: await tick(DRAW_MS.rest) };
}
