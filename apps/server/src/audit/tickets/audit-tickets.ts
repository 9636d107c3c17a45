import { type Check, checkWith, Findings, loggedId, problemsOf } from '../audit-check.ts';
import { WALLETS } from '../audited-kinds.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { type AuditedGame, auditedRules } from '../audited-rows.ts';
import { inKinds, kindName, sql } from '../../platform/db/sql/sql.ts';
import { TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { examineTickets } from './audit-each-ticket.ts';
import { problemsOfExposures, problemsOfRoots, readDrawChunks } from '../draws/audit-draw-sums.ts';

export async function auditTickets(db: Queryable): Promise<Check[]> {
  const check = checkWith(db);
  return [
    await check(
      'every game of a network has its table and its escrow',
      'games_played',
      sql`games_played as (
         select network_id, game_id as owner_id, unnest(array[${WALLETS.table}, ${WALLETS.escrow}]) as kind from network_games
       ), wrong as (
         select case
           when w.id is null then
             format('the %s wallet of game %s in network %s is missing', ${kindName(WALLET_KINDS, 'p.kind')}, p.owner_id, p.network_id)
           else format('wallet %s of network %s is the %s of game %s, which does not exist', w.id, w.network_id,
                       ${kindName(WALLET_KINDS, 'w.kind')}, w.owner_id)
         end as problem
         from games_played p full join (select * from wallets where kind in ${inKinds(WALLET_KINDS, 'table', 'escrow')}) as w
           on w.network_id = p.network_id and w.owner_id = p.owner_id and w.kind = p.kind
         -- Wallets of a removed game stay. A staged network's are opened when it goes live.
         where (w.id is null and p.network_id is distinct
           from (select audited.trial(1))) or (p.kind is null and not exists (select from games g where g.id = w.owner_id))
       )`,
    ),
    await check(
      'every escrow holds the stakes of its undrawn tickets',
      'escrows',
      sql`undrawn as (
         select t.network_id, d.game_id, sum(t.stake) as stake
         from tickets t join draws d on d.network_id = t.network_id and d.id = t.draw_id
         where d.status in ('open', 'closed', 'drawn') group by t.network_id, d.game_id
       ), escrows as (
         select w.network_id, w.owner_id as game_id, w.balance, coalesce(u.stake, 0) as stake
         from wallets w left join undrawn u on u.network_id = w.network_id and u.game_id = w.owner_id where w.kind = ${WALLETS.escrow}
       ), wrong as (
         select format('the escrow of game %s in network %s has %s hundredths, its undrawn tickets come to %s',
                       game_id, network_id, balance, stake) as problem
         from escrows where balance <> stake
       )`,
    ),
    await check(
      'every draw that anything refers to exists',
      'draws',
      sql`told as (
         select draw_id, 'tickets' as what from tickets
         union all select draw_id, 'settlements' from player_settlements
         union all select draw_id, 'exposures' from exposures
         union all select reference, 'transfers' from transfers where kind in ${inKinds(TRANSFER_KINDS, 'collect', 'commission')}
         union all select ${loggedId('drawId')}, 'rows of the log' from audited.standing_activity
           where detail ? 'drawId' and not exists (
             select from clearings c where c.model = 'draw' and at >= c.starts_at - interval '62 days' and at < c.ends_at)
       ), counted_of as (
         select draw_id, what, count(*) as count from told group by draw_id, what
       ), wrong as (
         select format('draw %s is gone; %s are about it', coalesce(c.draw_id::text, 'without an id'),
                       string_agg(c.count || ' ' || c.what, ', ' order by c.what)) as problem
         from counted_of c left join draws d on d.id = c.draw_id
         where d.id is null and not exists (select from cleared_draws k where k.draw_id = c.draw_id) group by c.draw_id
       )`,
    ),
    await check(
      'every win has a ticket of its draw',
      'ticket_wins',
      sql`wrong as (
         select format('ticket %s of network %s has the win %s in draw %s and does not exist', w.ticket_id,
           w.network_id, w.win, w.draw_id) as problem
         from ticket_wins w
         where not exists (select from tickets t where t.network_id = w.network_id and t.id = w.ticket_id and t.draw_id = w.draw_id)
       )`,
    ),
    await auditRequests(db),
    await auditBetKeys(db),
  ];
}

async function auditRequests(db: Queryable): Promise<Check> {
  const found = new Findings();
  const keys = await db.query(
    sql`select from pg_index i where i.indrelid = 'public.tickets'::regclass and i.indisunique and i.indisvalid and i.indpred is null
       and array(select a.attname::text from unnest(i.indkey) with ordinality as k (number, place)
                 join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number order by k.place) = array['network_id', 'request']`,
  );
  if (keys.length === 0) {
    found.add(
      'nothing keeps a request from making two tickets: the unique key of tickets, network_id and request, is gone',
    );
    found.addAll(
      await problemsOf(
        db,
        sql`select format('request %s of network %s made %s tickets', request, network_id, count(*)) as problem
         from tickets group by network_id, request having count(*) > 1 order by network_id, request`,
      ),
    );
  }
  return { name: 'every request made one ticket', rows: keys.length, problems: found.problems };
}

/** Exposures match ticket lines, so their keys are all keys in use. */
async function auditBetKeys(db: Queryable): Promise<Check> {
  const found = new Findings();
  const rows = await db.query<Omit<AuditedGame, 'pays'> & { key: string; draw_id: string }>(
    sql`select g.game_key, g.family, g.digits, bets.key, bets.draw_id from (
       select d.game_id, e.bet_key as key, (array_agg(e.draw_id))[1] as draw_id
       from exposures e join draws d on d.network_id = e.network_id and d.id = e.draw_id group by d.game_id, e.bet_key
     ) as bets join games g on g.id = bets.game_id order by g.game_key, bets.key`,
  );
  for (const { key, draw_id, ...game } of rows) {
    const rules = auditedRules({ ...game, pays: null });
    if (rules && !rules.betOf(key))
      found.add(`draw ${draw_id} shows stakes on ${key}, which is not a bet of ${game.game_key}`);
  }
  return { name: 'every bet is a bet of its game', rows: rows.length, problems: found.problems };
}

export async function auditDrawTickets(db: Queryable): Promise<Check[]> {
  const [tickets, settlements, exposures, roots] = [new Findings(), new Findings(), new Findings(), new Findings()];
  const [counted] = await db.query<{ tickets: bigint; settlements: bigint; exposures: bigint }>(
    sql`select (select count(*) from tickets) as tickets, (select count(*) from player_settlements) as settlements,
            (select count(*) from exposures) as exposures`,
  );
  let draws = 0;
  for await (const chunk of readDrawChunks(db)) {
    draws += chunk.draws.length;
    const [examined, shown, closed] = await Promise.all([
      examineTickets(db, chunk),
      problemsOfExposures(db, chunk),
      problemsOfRoots(db, chunk.networkId, chunk.draws),
    ]);
    tickets.addAll(examined.tickets);
    settlements.addAll(examined.settlements);
    exposures.addAll(shown);
    roots.addAll(closed);
  }
  const checkOf = (name: string, rows: number | bigint, { problems }: Findings): Check => ({
    name,
    rows: Number(rows),
    problems,
  });
  return [
    checkOf('every ticket is unchanged and won the right amount', counted!.tickets, tickets),
    checkOf("every player's settlement of a draw equals the tickets", counted!.settlements, settlements),
    checkOf("every draw's exposures equal its tickets", counted!.exposures, exposures),
    checkOf("every draw's root matches its tickets", draws, roots),
  ];
}

/** Prints belong to tickets, have no gaps in numbers, and cover the log's. */
export async function auditPrints(db: Queryable): Promise<Check[]> {
  return [
    await checkWith(db)(
      'every print has a ticket, and each after the first is a copy',
      'ticket_prints',
      sql`numbered as (
         select p.*, t.placed_at, row_number() over (partition by p.network_id, p.ticket_id order by p.nth) as place
         from ticket_prints p left join tickets t on t.network_id = p.network_id and t.id = p.ticket_id
       ), logged as (
         select network_id, seq, ${loggedId('ticketId')} as ticket_id, (detail ->> 'print')::int as nth
           from audited.standing_activity where detail ? 'print'
       ), wrong as (
         select format('print %s of ticket %s of network %s has no ticket, or is out of order', nth, ticket_id, network_id) as problem
         from numbered where placed_at is null or nth <> place
         union all
         select format('print %s of ticket %s of network %s, named in row %s of the log, is gone', l.nth, l.ticket_id, l.network_id, l.seq)
         from logged l join tickets t on t.network_id = l.network_id and t.id = l.ticket_id
         left join ticket_prints p on p.network_id = l.network_id and p.ticket_id = l.ticket_id and p.nth = l.nth where p.nth is null
       )`,
    ),
  ];
}
