import type { Database } from '../../../apps/server/src/platform/db/database.ts';
import { selectDraws } from '../../../apps/server/src/draws/draws.sql.ts';
import { beginSettling, settlePiece } from '../../../apps/server/src/settlement/settle-in-pieces.ts';
import { withBenchDatabase } from '../bench-database.ts';
import type { BenchNetwork } from '../bench-network.ts';
import { byTurns, cells, judge, ratioOf, shown } from '../contest.ts';
import { storeEnded } from '../filled-network.ts';
import { engineRate, GAME, makeField } from './ticket-field.ts';
import type { Scale } from './ticket-scale.ts';

const LIMIT = 0.8;
const CONNECTIONS = 8;
const PAID_PIECES = 2;

/** Measures bets while an earlier draw is settled, awaits its result, or is half paid. */
export async function betBesideUnsettled({ seconds, rounds, players, unsettled }: Scale): Promise<void> {
  await withBenchDatabase(CONNECTIONS, async (db) => {
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
      `${rounds} alternating rounds of ${seconds} s; an earlier draw of the game has ${shown(unsettled)} tickets of ${shown(players)} players\n`,
    );
    console.log('| bets per second | median | least to most |\n|---|--:|--:|');
    console.log(`| the earlier draw is settled | ${cells(rates.settled)} |`);
    console.log(`| it waits for its result | ${cells(rates.closed)} |`);
    console.log(`| it is half paid | ${cells(rates.settling)} |`);
    judge([
      { says: 'bets while a draw waits ÷ none', value: ratioOf(rates.closed, rates.settled), atLeast: LIMIT },
      {
        says: 'bets while a draw is half paid ÷ none',
        value: ratioOf(rates.settling, rates.settled),
        atLeast: LIMIT,
      },
    ]);
  });
}

async function payHalf(db: Database, network: BenchNetwork, tickets: number): Promise<void> {
  await setStatus(db, network, 'drawn');
  const [draw] = await selectDraws(db, "where d.network_id = $1 and d.status = 'drawn'", [network.networkId]);
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
