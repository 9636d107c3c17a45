import { playerTickets, type Ticket } from '@drawhouse/contract/tickets/tickets';
import { hundredthsOf } from '@drawhouse/contract/core/primitives';
import { earnCommission } from '@drawhouse/rules/games/wins';
import type { Queryable } from '../../apps/server/src/platform/db/database.ts';
import { TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { pause } from '../../tools/demo/client.ts';
import type { BetLog } from './load/bettor.ts';
import { answered } from './load/stand-client.ts';
import { ADMIN_POINTS, type Player } from './load/torture-network.ts';
import type { OperatorLog } from './load/torture-operator.ts';
import { judgeSeals, type SealsSeen } from './torture-seals.ts';
import { asOwner, type Stand } from './stand.ts';

const PAGE_ROWS = 500;
/** Longest interval plus slack. */
const CONCLUDED_MS = 60_000;
const MOST_NAMED = 10;

interface Draw {
  readonly id: string;
  readonly status: string;
  readonly result: { readonly drawno: string } | null;
  readonly booster: number | null;
}

/**
 * Compares stored data with acknowledged bets once every draw has concluded:
 * - each acknowledged bet exists once, and no other;
 * - each draw ended once, as reported to its operator;
 * - every wallet equals an independent computation from bets and results;
 * - the seals extend those seen and cover everything.
 *
 * Then runs the audit. Returns problems.
 */
export async function judge(
  stand: Stand,
  bets: readonly BetLog[],
  operators: readonly OperatorLog[],
  seals: SealsSeen,
): Promise<string[]> {
  const problems = [...bets, ...operators, seals].flatMap((log) => log.problems);
  await asOwner(stand, async (on) => {
    await concluded(on);
    const draws = await readDraws(on);
    for (const log of bets)
      problems.push(
        ...(await judgePlayer(log, draws).catch(({ message }: Error) => [
          `The tickets of ${log.player.username} could not be read: ${message}`,
        ])),
      );
    const acknowledged = bets.reduce((sum, log) => sum + log.acknowledged.length, 0);
    const rows = await on.query<{ count: bigint }>('select count(*) from tickets');
    if (Number(rows[0]!.count) !== acknowledged)
      problems.push(`${rows[0]!.count} tickets are stored, and ${acknowledged} bets were acknowledged.`);
    for (const { drawId, status } of operators.flatMap(({ ended }) => ended))
      if (draws.get(drawId)?.status !== status)
        problems.push(`Draw ${drawId} is ${draws.get(drawId)?.status}, and its operator was told ${status}.`);
    problems.push(...(await judgeWallets(on, bets, draws)));
    problems.push(...(await judgeSeals(on, stand.sealDir)));
  });
  const { code, output } = await stand.audit();
  if (code !== 0) problems.push(`The audit exits ${code}:\n${output}`);
  // A repeated problem must not hide others.
  return [...new Set(problems)].slice(0, 5 * MOST_NAMED);
}

async function concluded(on: Queryable): Promise<void> {
  const until = performance.now() + CONCLUDED_MS;
  for (;;) {
    const rows = await on.query(
      `select d.id from draws d where d.status not in ('settled', 'void')
         and exists (select from tickets t where t.network_id = d.network_id and t.draw_id = d.id) limit 1`,
    );
    if (rows.length === 0) return;
    if (performance.now() > until) throw new Error(`Not every draw was concluded in ${CONCLUDED_MS / 1000} s.`);
    await pause(50);
  }
}

async function readDraws(on: Queryable): Promise<ReadonlyMap<string, Draw>> {
  const rows = await on.query<Draw>('select id, status, result, booster from draws');
  return new Map(rows.map((draw) => [draw.id, draw]));
}

/** All these games pay one factor for the drawn number. */
function winOf({ game, lines }: BetLog['acknowledged'][number], { result, booster }: Draw): bigint {
  const units = lines.filter(({ drawno }) => drawno === result!.drawno).reduce((sum, { qty }) => sum + qty, 0);
  return BigInt(units) * 100n * game.pay * BigInt(booster!);
}

async function judgePlayer(log: BetLog, draws: ReadonlyMap<string, Draw>): Promise<string[]> {
  const { player, acknowledged } = log;
  const tickets = new Map<string, Ticket>();
  const problems: string[] = [];
  const shown: Ticket[] = [];
  for (let page = 1; ; page++) {
    const query = { page: String(page), pageSize: String(PAGE_ROWS) };
    const { data } = await answered(() => player.call(playerTickets, { query }));
    shown.push(...data);
    if (data.length < PAGE_ROWS) break;
  }
  for (const ticket of shown) tickets.set(ticket._id, ticket);
  if (shown.length !== acknowledged.length)
    problems.push(
      `${player.username} has ${shown.length} tickets, and ${acknowledged.length} of its bets were acknowledged.`,
    );
  const reported = new Set<string>();
  for (const bet of acknowledged) {
    if (reported.has(bet.ticketId))
      problems.push(`Two bets of ${player.username} were told the ticket ${bet.ticketId}.`);
    reported.add(bet.ticketId);
    const ticket = tickets.get(bet.ticketId);
    const draw = draws.get(bet.drawId);
    if (!ticket) problems.push(`Ticket ${bet.ticketId} of ${player.username} was acknowledged and is lost.`);
    else if (!draw || ticket.status !== draw.status)
      problems.push(`Ticket ${bet.ticketId} is ${ticket.status}, its draw ${draw?.status}.`);
    else if (draw.status === 'settled' && hundredthsOf(ticket.winpoints!) !== winOf(bet, draw))
      problems.push(`Ticket ${bet.ticketId} shows ${ticket.winpoints} won, not ${winOf(bet, draw)} hundredths.`);
  }
  return problems.slice(0, MOST_NAMED);
}

/** Expected balances follow from bets and results alone. */
async function judgeWallets(
  on: Queryable,
  bets: readonly BetLog[],
  draws: ReadonlyMap<string, Draw>,
): Promise<string[]> {
  const rows = await on.query<{
    kind: number;
    owner: string;
    admin: string;
    game: string | null;
    balance: bigint;
  }>(
    `select w.kind, w.owner_id as owner, n.admin_id as admin, g.game_key as game, w.balance
     from wallets w join networks n on n.id = w.network_id left join games g on g.id = w.owner_id`,
  );
  const stored = new Map<string, bigint>();
  // Settlement order decides which game's table pays a shared hundredth, so tables are summed per admin.
  for (const { kind, owner, admin, game, balance } of rows) {
    const name = kind === WALLET_KINDS.table ? `${kind} ${admin}` : `${kind} ${game ? `${game} ${admin}` : owner}`;
    stored.set(name, (stored.get(name) ?? 0n) + balance);
  }
  const expected = new Map<string, bigint>();
  const add = (name: string, amount: bigint): void => void expected.set(name, (expected.get(name) ?? 0n) + amount);
  const covers = await coversOf(on);
  for (const admin of new Set(bets.map(({ player }) => adminOf(player)))) {
    const cover = covers.get(admin) ?? 0n;
    add(`${WALLET_KINDS.credit} ${admin}`, BigInt(ADMIN_POINTS) * 100n - cover);
    add(`${WALLET_KINDS.table} ${admin}`, cover);
  }
  const remainders = new Map<string, bigint>();
  for (const log of bets) {
    const { player } = log;
    add(`${WALLET_KINDS.credit} ${player.id}`, player.began);
    const staked = new Map<string, bigint>();
    for (const bet of log.acknowledged) {
      const draw = draws.get(bet.drawId);
      const table = `${WALLET_KINDS.table} ${adminOf(player)}`;
      add(`${WALLET_KINDS.escrow} ${bet.game.gameId} ${adminOf(player)}`, 0n);
      if (draw?.status !== 'settled') continue;
      const win = winOf(bet, draw);
      add(`${WALLET_KINDS.credit} ${player.id}`, win - bet.stake);
      add(table, bet.stake - win);
      staked.set(`${table}|${bet.drawId}`, (staked.get(`${table}|${bet.drawId}`) ?? 0n) + bet.stake);
    }
    for (const [name, stake] of staked)
      for (const earner of [...player.above.slice(2), player]) {
        const { paid, remainder } = earnCommission(remainders.get(earner.id) ?? 0n, stake, earner.commission);
        remainders.set(earner.id, remainder);
        add(`${WALLET_KINDS.commission} ${earner.id}`, paid);
        add(name.split('|')[0]!, -paid);
      }
  }
  return [...expected].flatMap(([name, balance]) =>
    (stored.get(name) ?? 0n) === balance
      ? []
      : [`Wallet ${name} has ${stored.get(name)}, but bets and results add up to ${balance}.`],
  );
}

/** Returns cover transfers per admin, in hundredths. The audit checks them per draw. */
async function coversOf(on: Queryable): Promise<ReadonlyMap<string, bigint>> {
  const rows = await on.query<{ admin: string; cover: bigint }>(
    `select n.admin_id as admin, sum(case w.kind when ${WALLET_KINDS.table} then x.amount else -x.amount end)::bigint as cover
     from transfers x join networks n on n.id = x.network_id join wallets w on w.network_id = x.network_id and w.id = x.to_wallet
     where x.kind = ${TRANSFER_KINDS.cover} group by n.admin_id`,
  );
  return new Map(rows.map(({ admin, cover }) => [admin, cover]));
}

function adminOf(player: Player): string {
  return player.above[1]!.id;
}
