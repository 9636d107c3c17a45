import { describe, expect, it } from 'vitest';
import { audit } from '../../apps/server/src/audit/audit.ts';
import type { Database } from '../../apps/server/src/platform/db/database.ts';
import { TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { takeBatch } from '../../apps/server/src/tickets/place/take-batch.ts';
import { linesOf } from '@drawhouse/rules/games/ticket-lines';
import { rulesFor } from '../../packages/rules/src/games/rules.ts';
import { builtInGame } from '../../packages/rules/src/games/catalogue.ts';
import { withBenchDatabase } from './bench-database.ts';
import { makeNetwork } from './bench-network.ts';
import { fillNetwork } from './filled-network.ts';

const PLANS = [
  { game: 'funtargetbingo', tickets: 700, lines: 1 },
  { game: 'lottery3d', tickets: 300, lines: 3 },
];
const NETWORK = { games: PLANS.map(({ game }) => game), players: 40, credit: 10_000_000n };

interface Laid {
  username: string;
  game_key: string;
  lines: string;
  placed_at: Date;
}

const laid = (db: Database): Promise<Laid[]> =>
  db.query<Laid>(
    `select a.username, g.game_key, t.lines, t.stake, t.placed_at, t.ip from tickets t join accounts a on a.id = t.account_id
     join draws d on d.id = t.draw_id join games g on g.id = d.game_id order by t.id`,
  );

async function written(db: Database): Promise<unknown> {
  return {
    tickets: await laid(db),
    transfers: await db.query(
      `select t.from_wallet, t.to_wallet, t.amount, t.from_balance, t.to_balance, t.from_version, t.to_version, t.at, t.note,
              t.actor_id = w.owner_id as own, k.stake = t.amount as paid
       from transfers t join wallets w on w.network_id = t.network_id and w.id = t.from_wallet
       join tickets k on k.network_id = t.network_id and k.id = t.reference
       where t.kind = ${TRANSFER_KINDS.stake} order by t.from_wallet, t.from_version`,
    ),
    exposures: await db.query(
      `select g.game_key, e.bet_key, e.stake from exposures e join draws d on d.id = e.draw_id join games g on g.id = d.game_id order by 1, 2`,
    ),
    escrows: await db.query(`select id, balance, version from wallets where kind = ${WALLET_KINDS.escrow} order by id`),
  };
}

describe('tickets inserted by one statement', () => {
  it('equal those the product writes for the same bets', { timeout: 120_000 }, async () => {
    await withBenchDatabase(2, async (db) => {
      await fillNetwork(await makeNetwork(db, NETWORK), PLANS, 1);
      const filled = await laid(db);
      expect(filled).toHaveLength(1000);

      await withBenchDatabase(2, async (other) => {
        const { services, machine, networkId, players, advance } = await makeNetwork(other, NETWORK);
        const byName = new Map(players.map((player) => [player.username, player]));
        await machine.tick();
        const startMs = services.clock.now().getTime();
        for (const bets of Map.groupBy(filled, (bet) => bet.placed_at.getTime()).values()) {
          const [{ game_key: gameKey, placed_at: at }] = bets as [Laid];
          advance(at.getTime() - services.clock.now().getTime());
          const rules = rulesFor(builtInGame(gameKey)!);
          const orders = bets.map(({ username, lines }, index) => ({
            actor: byName.get(username)!,
            sessionId: undefined,
            ip: '127.0.0.1',
            gameKey,
            drawId: undefined,
            requestId: `${at.getTime()} ${gameKey} ${index}`,
            lines: linesOf(lines).map(({ key, qty }) => {
              const { drawno, head } = rules.betOf(key)!;
              return { drawno, head, qty };
            }),
          }));
          const outcomes = await other.pipelined((tx) => takeBatch(services, tx, networkId, orders));
          expect(outcomes.filter((outcome) => outcome instanceof Error)).toEqual([]);
        }
        advance(startMs + 300_000 - services.clock.now().getTime());
        await machine.tick();
        expect(await written(db)).toEqual(await written(other));
        expect((await other.snapshot(audit)).flatMap(({ problems }) => problems)).toEqual([]);
      });
      expect((await db.snapshot(audit)).flatMap(({ problems }) => problems)).toEqual([]);
    });
  });
});
