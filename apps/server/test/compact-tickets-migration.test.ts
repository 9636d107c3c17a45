import { createHash, randomUUID } from 'node:crypto';
import { rulesFor } from '@drawhouse/rules/rules';
import { expect, it } from 'vitest';
import type { Database } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { uuid7From } from '../src/db/uuid7.ts';
import { ticketNumber } from '../src/tickets/ticket-number.ts';
import { listTickets, requestOf } from '../src/tickets/tickets.sql.ts';
import { onDatabaseBefore } from './released-database.ts';

let db: Database;
let ownerUrl: string;
onDatabaseBefore('0010', (...given) => ([db, ownerUrl] = given));

const NETWORK = 2;
const AT = new Date('2026-03-10T10:00:20.000Z');
const newId = uuid7From({ now: () => AT });
const player = randomUUID();
const GAMES = {
  funtargetbingo: { family: 'numbers', digits: 10 },
  acqOpdpL: { family: 'jodi', digits: 300 },
  lottery4d: { family: 'lottery4d', digits: 3000 },
  lottery3d: { family: 'lottery3d', digits: 1000 },
} as const;
type GameKey = keyof typeof GAMES;

/** A draw of a game as the release before kept it. */
async function oldDraw(gameKey: GameKey, status: 'open' | 'settled' | 'void'): Promise<{ id: string; gameId: string }> {
  const ids = { id: randomUUID(), gameId: randomUUID() };
  const { family, digits } = GAMES[gameKey];
  await db.query(
    `insert into games (unit_price, id, digits, release_date, labelled, game_key, name, family, status, result_mode, description, publisher)
     values (100, $1, $2, now(), false, $3, $3, $4, 'active', 'open', '', '')`,
    [ids.gameId, digits, gameKey, family],
  );
  await db.query(
    `with terms as (insert into draw_terms (unit_price, id, rules_version, pays, weights) values (100, gen_random_uuid(), 1, '{}', '[]') returning id)
     insert into draws (number, opens_at, closes_at, draws_at, id, game_id, network_id, terms_id, status, commitment, sealed_seed, closed_at,
                        finished_at, seed, ticket_digest, result, result_label, booster, source)
     select extract(epoch from $1::timestamptz) / 20, $1, $1, $1::timestamptz + interval '20 s', $2, $3, ${NETWORK}, terms.id, $4, '', '', c.at, c.at, c.none, c.none, r.result, r.label, r.booster, r.source
     from terms, (select case when $4 <> 'open' then $1::timestamptz end as at, case when $4 <> 'open' then ''::bytea end as none) as c,
          (select case $4 when 'settled' then '{}'::jsonb end as result, case $4 when 'settled' then '' end as label,
                  case $4 when 'settled' then 1 end as booster, case $4 when 'settled' then 'generated' end as source) as r`,
    [AT, ids.id, ids.gameId, status],
  );
  return ids;
}

interface Laid {
  gameKey: GameKey;
  status: 'open' | 'settled' | 'void';
  keys: Record<string, number>;
  win: number | null;
  ip: string | null;
  requestId: string;
}

const LAID: Laid[] = [
  {
    gameKey: 'funtargetbingo',
    status: 'settled',
    keys: { 7: 1_000_000, 3: 2 },
    win: 1800,
    ip: '203.0.113.7',
    requestId: 'one',
  },
  {
    gameKey: 'acqOpdpL',
    status: 'settled',
    keys: { 'K60GOLD|jodi:07': 3 },
    win: 0,
    ip: '2001:db8::1',
    requestId: 'two',
  },
  { gameKey: 'lottery4d', status: 'void', keys: { 1042: 1 }, win: null, ip: 'nowhere', requestId: 'ü:three' },
  {
    gameKey: 'lottery3d',
    status: 'open',
    keys: { 'spbox:123': 4, 'ap:07': 1 },
    win: null,
    ip: null,
    requestId: 'four',
  },
];

it('tickets of the release before keep what they are, what they won and what asked for them', async () => {
  const before = new Map<string, Laid & { hash: Buffer; lines: object[]; drawId: string }>();
  for (const laid of LAID) {
    const id = newId();
    const draw = await oldDraw(laid.gameKey, laid.status);
    const rules = rulesFor({ gameId: laid.gameKey, ...GAMES[laid.gameKey] });
    const lines = Object.entries(laid.keys).map(([key, qty]) => {
      const { drawno, head, series, subseries } = rules.betOf(key)!;
      return {
        drawno,
        ...(rules.heads.length > 1 && { head }),
        ...(series && { series }),
        ...(subseries && { subseries }),
        qty,
        key,
      };
    });
    const hash = createHash('sha256').update(laid.requestId).digest();
    before.set(id, { ...laid, hash, lines: lines.map(({ key: _, ...line }) => line), drawId: draw.id });
    await db.query(
      `insert into tickets (network_id, id, ticket_no, draw_id, game_id, account_id, request_id, request_hash, lines, unit_price, stake,
                            win, digest, placed_at)
       values (${NETWORK}, $1, $2, $3, $4, $5, $6, $7, $8, 100, 500, $9, sha256($7), $10)`,
      [id, ticketNumber(id), draw.id, draw.gameId, player, laid.requestId, hash, JSON.stringify(lines), laid.win, AT],
    );
    if (laid.status === 'settled')
      await db.query(
        `insert into player_settlements (network_id, draw_id, game_id, account_id, settled_at, stake, win, super_commission, dist_commission,
                                         retail_commission, user_commission, log_seq, root_log_seq)
         select ${NETWORK}, $1, $2, account_id, $4, 500, $5, 1, 2, 3, 4, 7, 9 from unnest(array[$3, gen_random_uuid()]::uuid[]) as account_id`,
        [draw.id, draw.gameId, player, AT, laid.win],
      );
    if (laid.ip !== null)
      await db.query(
        `insert into activity (network_id, seq, at, id, account_id, hash, username, subject, url, method, ip)
         values (${NETWORK}, (select 1 + count(*) from activity), $1, $2, $3, '', 'player', $4, '', 'POST', $5)`,
        [AT, newId(), player, `Bet 5 points on ${laid.gameKey}, ticket ${ticketNumber(id)}`, laid.ip],
      );
  }

  await migrate(ownerUrl);

  const { tickets, total } = await listTickets(
    db,
    { networkId: NETWORK, accountId: player },
    { gameKey: undefined, waiting: false, limit: 10, offset: 0 },
  );
  expect(total).toBe(LAID.length);
  const rows = await db.query<{ id: string; request: string; hash: string; ip: string | null; digest: Buffer }>(
    "select id, request, replace(request_hash::text, '-', '') as hash, host(ip) as ip, digest from tickets",
  );
  for (const ticket of tickets) {
    const { lines, status, drawId, win, hash, ip, requestId } = before.get(ticket._id)!;
    expect(ticket).toMatchObject({ lines, status, drawId, playpoints: 5, placedAt: AT.toISOString() });
    expect(ticket.winpoints).toBe(win === null ? null : win / 100);
    expect(rows.find((row) => row.id === ticket._id)).toEqual({
      id: ticket._id,
      request: requestOf(player, requestId),
      hash: hash.toString('hex').slice(0, 32),
      ip: ip === 'nowhere' ? null : ip,
      digest: createHash('sha256').update(hash).digest(),
    });
  }
  const settled = [...before.values()].filter(({ status }) => status === 'settled');
  expect(await db.query('select draw_id, win from ticket_wins')).toEqual([{ draw_id: settled[0]!.drawId, win: 1800n }]);
  const drawIds = settled.map(({ drawId }) => drawId).toSorted();
  const perDraw = { settled_at: AT, log_seq: 7n, root_log_seq: 9n, manual_claims: false, network_id: NETWORK };
  expect(await db.query('select * from draw_settlements order by draw_id')).toEqual(
    drawIds.map((draw_id) => ({ ...perDraw, draw_id })),
  );
  expect(await db.query('select * from player_settlements where account_id = $1 order by draw_id', [player])).toEqual(
    drawIds.map((draw_id) => ({
      draw_id,
      account_id: player,
      network_id: NETWORK,
      stake: 500n,
      win: BigInt(settled.find(({ drawId }) => drawId === draw_id)!.win!),
      super_commission: 1n,
      dist_commission: 2n,
      retail_commission: 3n,
      user_commission: 4n,
    })),
  );
  expect(await db.query('select from player_settlements')).toHaveLength(2 * settled.length);
});
