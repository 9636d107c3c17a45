import { builtInGame } from '@drawhouse/rules/games/catalogue';
import { rulesFor } from '@drawhouse/rules/games/rules';
import type { GameRules } from '@drawhouse/rules/games/rules';
import type { Database, Queryable } from '../../apps/server/src/platform/db/database.ts';
import { TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import type { BenchNetwork } from './bench-network.ts';

const BETS = 2_000;
/** Hundredths per unit of a built-in game. */
const PRICE = 100;
/** UUIDv7 counts to 4,096 per millisecond; transfers use the upper half. */
const TICKETS_A_MS = 500;
const PIECE = 250_000;
/** Longest draw of a built-in game. */
const ROUND_MS = 300_000;

export interface TicketPlan {
  readonly game: string;
  readonly tickets: number;
  readonly lines: number;
}

/**
 * Draws pass through the product's state machine; one statement inserts each draw's tickets. Players need enough
 * credit.
 */
export async function fillNetwork(
  network: BenchNetwork,
  plans: readonly TicketPlan[],
  rounds: number,
  onRound: (done: number) => void = () => {},
): Promise<void> {
  const { services, machine, networkId } = network;
  const { db } = services;
  await layOut(db, networkId, plans);
  try {
    for (let round = 1; round <= rounds; round++) {
      await machine.tick();
      await layTickets(network, plans);
      network.advance(ROUND_MS);
      await machine.tick();
      onRound(round);
    }
  } finally {
    await db.query('drop schema bench cascade');
  }
}

/** Players need enough credit; concurrent bets would conflict. */
export async function storeTickets({ services, networkId }: BenchNetwork, plan: TicketPlan): Promise<void> {
  const { db, clock } = services;
  await layOut(db, networkId, [plan]);
  try {
    const [draw] = await db.query<{ opens_at: Date }>(
      `select d.opens_at from draws d join games g on g.id = d.game_id
       where d.network_id = $1 and g.game_key = $2 and d.status = 'open' order by d.opens_at desc limit 1`,
      [networkId, plan.game],
    );
    if (!draw) throw new Error(`No draw of ${plan.game} is open.`);
    let atMs = Math.max(draw.opens_at.getTime(), clock.now().getTime() - Math.ceil(plan.tickets / TICKETS_A_MS));
    for (let left = plan.tickets; left > 0; left -= PIECE) {
      const tickets = Math.min(PIECE, left);
      await layOn(db, { ...plan, tickets, networkId, atMs });
      atMs += Math.ceil(tickets / TICKETS_A_MS);
    }
  } finally {
    await db.query('drop schema bench cascade');
  }
}

const ENDED_TICKETS = 50_000;
const ENDED_MS = 60_000;

/**
 * Inserts tickets on past draws, one per minute, in time order like years of play. Skips what settlement writes, so
 * lists and audits are wrong afterwards.
 */
export async function storeEnded({ services, networkId }: BenchNetwork, plan: TicketPlan): Promise<void> {
  const { db, clock, newId } = services;
  await layOut(db, networkId, [plan]);
  try {
    const count = Math.ceil(plan.tickets / ENDED_TICKETS);
    const [running] = await db.query<{ opens_at: Date }>(
      `select min(d.opens_at) as opens_at from draws d join games g on g.id = d.game_id where d.network_id = $1 and g.game_key = $2`,
      [networkId, plan.game],
    );
    const endMs = Math.min(running!.opens_at.getTime(), clock.now().getTime());
    for (let nth = 0; nth < count; nth++) {
      const tickets = Math.min(ENDED_TICKETS, plan.tickets - nth * ENDED_TICKETS);
      const atMs = endMs - (count - nth) * ENDED_MS;
      const drawId = newId();
      await db.query(
        `insert into draws (network_id, id, game_id, terms_id, opens_at, closes_at, draws_at, closed_at, finished_at, status, ticket_count, source, booster,
                            commitment, seed, ticket_root, result, result_label)
         select network_id, $3, game_id, terms_id, $4, $5, $5, $5, $5, 'settled', $6, 'generated', 1, commitment, sha256('bench'), sha256('bench'),
                '{"drawno":"7"}', '7'
         from draws where network_id = $1 and game_id = (select id from games where game_key = $2) and status = 'open' limit 1`,
        [networkId, plan.game, drawId, new Date(atMs), new Date(atMs + ENDED_MS), tickets],
      );
      await layOn(db, { ...plan, tickets, networkId, atMs, drawId });
    }
  } finally {
    await db.query('drop schema bench cascade');
  }
}

async function layOut(db: Database, networkId: number, plans: readonly TicketPlan[]): Promise<void> {
  await db.query('create schema bench');
  await db.query(
    `create table bench.players as
     select row_number() over (order by w.id) - 1 as place, w.id as wallet, w.owner_id as account_id
     from wallets w join accounts a on a.id = w.owner_id
     where w.network_id = ${networkId} and w.kind = ${WALLET_KINDS.credit} and a.role = 'user'`,
  );
  await db.query('alter table bench.players add primary key (place)');
  await db.query(
    'create table bench.bets (game text, place bigint, lines text, digested text, units bigint, primary key (game, place))',
  );
  await db.query('create table bench.lines (game text, place bigint, key text, qty bigint)');
  for (const { game, lines } of plans) {
    const bets = betsOf(game, lines);
    await db.query(
      `insert into bench.bets select $1, place - 1, lines, digested, units
       from unnest($2::text[], $3::text[], $4::bigint[]) with ordinality as b (lines, digested, units, place)`,
      [
        game,
        bets.map((bet) => bet.map(([key, qty]) => `${key}*${qty}`).join(' ')),
        bets.map((bet) => JSON.stringify(bet)),
        bets.map((bet) => bet.reduce((sum, [, qty]) => sum + qty, 0)),
      ],
    );
    const each = bets.flatMap((bet, place) => bet.map(([key, qty]) => ({ place, key, qty })));
    await db.query('insert into bench.lines select $1, * from unnest($2::bigint[], $3::text[], $4::bigint[])', [
      game,
      each.map((line) => line.place),
      each.map((line) => line.key),
      each.map((line) => line.qty),
    ]);
  }
  await db.query('analyze');
}

type Bet = readonly (readonly [key: string, qty: number])[];

/** Spreads bets over all keys, sorted by key as the digest requires. */
function betsOf(game: string, lines: number): Bet[] {
  const keys = keysOf(rulesFor(builtInGame(game)!));
  return Array.from({ length: BETS }, (_bet, bet) => {
    const [first, step] = [bet * 7919, 1 + (bet % Math.max(1, Math.floor(keys.length / lines) - 1))];
    return Array.from({ length: lines }, (_line, line): [string, number] => [
      keys[(first + line * step) % keys.length]!,
      1 + ((bet + line) % 5),
    ]).toSorted(([a], [b]) => (a < b ? -1 : 1));
  });
}

function keysOf(rules: GameRules): string[] {
  const cells = [...rules.outcomes, ...(rules.cardTypes ?? []), ...(rules.colors ?? [])];
  return [...new Set(cells.flatMap((cell) => rules.outcomeBets(cell).map((bet) => bet.key)))];
}

/** SQL for a UUIDv7 from a millisecond and a counter below 4,096. */
const id7 = (ms: string, count: string): string =>
  `(lpad(to_hex(${ms}), 12, '0') || '7' || lpad(to_hex(${count}), 3, '0') || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid`;

/** Writes the same rows as `takeBatch`, except random request ids and hashes. Concurrent bets would conflict. */
async function layTickets({ services, networkId }: BenchNetwork, plans: readonly TicketPlan[]): Promise<void> {
  let atMs = services.clock.now().getTime();
  for (const plan of plans) {
    await layOn(services.db, { ...plan, networkId, atMs });
    atMs += Math.ceil(plan.tickets / TICKETS_A_MS);
  }
}

async function layOn(
  db: Queryable,
  {
    networkId,
    atMs,
    game,
    tickets,
    drawId = null,
  }: TicketPlan & { networkId: number; atMs: number; drawId?: string | null },
): Promise<void> {
  const ms = `$3::bigint + n / ${TICKETS_A_MS}`;
  const count = `(n % ${TICKETS_A_MS})::integer`;
  await db.query(
    `with draw as (
       select d.id, w.id as escrow, w.balance, w.version
       from draws d join games g on g.id = d.game_id
       join wallets w on w.network_id = d.network_id and w.owner_id = d.game_id and w.kind = ${WALLET_KINDS.escrow}
       where d.network_id = $1 and g.game_key = $2 and case when $6::uuid is null then d.status = 'open' else d.id = $6 end
       order by d.opens_at desc limit 1
     ), laid as materialized (
       select n, p.account_id, p.wallet, b.place as bet, b.lines, b.digested, b.units * ${PRICE} as stake, ${id7(ms, count)} as id,
              $4::timestamptz + n / ${TICKETS_A_MS} * interval '1 millisecond' as at
       from generate_series(0, $5::bigint - 1) as n
       join bench.players p on p.place = (hashint8extended(n, $3::bigint) & 4294967295) % (select count(*) from bench.players)
       join bench.bets b on b.game = $2 and b.place = (hashint8extended(n, $3::bigint) >> 32 & 2147483647) % ${BETS}
     ), moved as materialized (
       select laid.*, d.id as draw_id, d.escrow, d.balance + sum(stake) over so_far as escrow_balance, d.version + 1 + n as escrow_version,
              w.balance - sum(stake) over of_player as balance, w.version + row_number() over of_player as version
       from laid cross join draw d join wallets w on w.network_id = $1 and w.id = laid.wallet
       window so_far as (order by n), of_player as (partition by laid.wallet order by n)
     ), placed as (
       insert into tickets (network_id, id, draw_id, account_id, request, request_hash, lines, stake, digest, placed_at, ip)
       select $1, id, draw_id, account_id, ${id7(ms, count)}, gen_random_uuid(), lines, stake,
              sha256(convert_to(format('["%s","%s","%s",%s]', id, draw_id, stake, digested), 'UTF8')), at, '127.0.0.1'
       from moved order by n
     ), transferred as (
       insert into transfers (network_id, at, id, from_wallet, to_wallet, from_balance, to_balance, from_version, to_version, amount,
                              kind, actor_id, reference, note)
       select $1, at, ${id7(ms, `${count} + 2048`)}, wallet, escrow, balance, escrow_balance, version, escrow_version, stake,
              ${TRANSFER_KINDS.stake}, account_id, id, ''
       from moved order by n
     ), exposed as (
       insert into exposures (network_id, draw_id, bet_key, stake)
       select $1, draw_id, key, sum(times * qty * ${PRICE})
       from (select draw_id, bet, count(*) as times from moved group by draw_id, bet) as laid
       join bench.lines l on l.game = $2 and l.place = laid.bet group by draw_id, key order by key
       on conflict (network_id, draw_id, bet_key) do update set stake = exposures.stake + excluded.stake
     ), changed as (
       select wallet, min(balance) as balance, max(version) as version from moved group by wallet
       union all select escrow, max(escrow_balance), max(escrow_version) from moved group by escrow
     )
     update wallets w set balance = c.balance, version = c.version from changed c where w.network_id = $1 and w.id = c.wallet`,
    [networkId, game, atMs, new Date(atMs), tickets, drawId],
  );
}
