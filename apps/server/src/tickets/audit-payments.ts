import { checkWith } from '../activity/audit-check.ts';
import type { Check } from '../activity/audit-check.ts';
import type { Queryable } from '../db/database.ts';
import { inKinds, kindName, TRANSFER_KINDS, WALLET_KINDS } from '../ledger/kinds.ts';

const { stake, win, refund, collect } = TRANSFER_KINDS;
const { credit, commission, table, escrow } = WALLET_KINDS;
/** Of a transfer `m` about a ticket: which of them it is, as a word. */
const KIND = kindName(TRANSFER_KINDS, 'kind');

/** Checks the transfers that tickets and draws explain: that each is right, and that each ticket and draw has its own once. */
export async function auditPayments(db: Queryable): Promise<Check[]> {
  const check = checkWith(db);
  return [
    await check(
      'every stake, win and refund is between its player and the game',
      'moved',
      `moved as (select * from transfers where kind in ${inKinds(TRANSFER_KINDS, 'stake', 'win', 'refund')}),
       compared as (
         select m.*, k.id as ticket_id, k.account_id, d.game_id, k.placed_at,
                m.kind <> ${stake} or m.at = k.placed_at as right_time,
                coalesce(player.kind = ${credit} and player.owner_id = k.account_id
                  and m.actor_id is not distinct from case m.kind when ${stake} then k.account_id end, false) as right_player,
                coalesce(house.kind = case m.kind when ${win} then ${table} else ${escrow} end and house.owner_id = d.game_id, false) as right_house,
                player.owner_id as moved_player, ${kindName(WALLET_KINDS, 'house.kind')} as moved_house, house.owner_id as moved_game
         from moved m left join tickets k on k.network_id = m.network_id and k.id = m.reference
         left join draws d on d.network_id = k.network_id and d.id = k.draw_id
         left join wallets player on player.network_id = m.network_id
           and player.id = case m.kind when ${stake} then m.from_wallet else m.to_wallet end
         left join wallets house on house.network_id = m.network_id
           and house.id = case m.kind when ${stake} then m.to_wallet else m.from_wallet end
       ), wrong as (
         select case
           when ticket_id is null then
             format('transfer %s of network %s (%s of %s hundredths) is about ticket %s, which does not exist', id, network_id, ${KIND}, amount, reference)
           when not right_player then
             format('transfer %s of network %s is the %s of ticket %s for player %s, by %s; the ticket is of player %s', id, network_id,
                    ${KIND}, ticket_id, moved_player, coalesce(actor_id::text, 'the draw'), account_id)
           when not right_time then
             format('transfer %s of network %s is the stake of ticket %s and was made at %s; the ticket was placed at %s', id, network_id,
                    ticket_id, at, placed_at)
           else
             format('transfer %s of network %s is the %s of ticket %s with the %s of game %s; the ticket is of game %s', id, network_id,
                    ${KIND}, ticket_id, moved_house, moved_game, game_id)
         end as problem
         from compared where ticket_id is null or not right_player or not right_house or not right_time
       )`,
    ),
    await check(
      'every ticket was paid for, won and was given back once',
      'tickets',
      `moved as (
         select network_id, reference, count(*) filter (where kind = ${stake}) as stakes, sum(amount) filter (where kind = ${stake}) as staked,
                count(*) filter (where kind = ${win}) as wins, sum(amount) filter (where kind = ${win}) as won,
                count(*) filter (where kind = ${refund}) as refunds, sum(amount) filter (where kind = ${refund}) as refunded
         from transfers where kind in ${inKinds(TRANSFER_KINDS, 'stake', 'win', 'refund')} group by network_id, reference
       ), judged as (
         select case
           when m.stakes is distinct from 1 or m.staked <> t.stake then
             format('ticket %s of network %s has a stake of %s hundredths; %s were taken for it in %s transfers', t.id, t.network_id,
                    t.stake, coalesce(m.staked, 0), coalesce(m.stakes, 0))
           when coalesce(w.win, 0) <> coalesce(m.won, 0) or coalesce(m.wins, 0) > 1 then
             format('ticket %s of network %s won %s hundredths and was paid %s in %s transfers', t.id, t.network_id, coalesce(w.win, 0),
                    coalesce(m.won, 0), coalesce(m.wins, 0))
           when coalesce(m.refunded, 0) <> case when d.status = 'void' then t.stake else 0 end or coalesce(m.refunds, 0) > 1 then
             format('ticket %s of network %s has a stake of %s hundredths and its draw is %s; %s were given back in %s transfers', t.id,
                    t.network_id, t.stake, d.status, coalesce(m.refunded, 0), coalesce(m.refunds, 0))
         end as problem
         from tickets t left join draws d on d.network_id = t.network_id and d.id = t.draw_id
         left join ticket_wins w on w.network_id = t.network_id and w.draw_id = t.draw_id and w.ticket_id = t.id
         left join moved m on m.network_id = t.network_id and m.reference = t.id
       ), wrong as (select problem from judged where problem is not null)`,
    ),
    await check(
      'every settled draw collected its stakes once',
      'draws',
      `staked as (
         select t.network_id, t.draw_id, sum(t.stake) as stake from tickets t join draws d on d.network_id = t.network_id and d.id = t.draw_id
         where d.status = 'settled' group by t.network_id, t.draw_id
       ), collected as (
         select t.network_id, t.reference as draw_id, count(*) as count, sum(t.amount) as amount,
                bool_and(d.kind = ${escrow} and c.kind = ${table} and d.owner_id = c.owner_id and d.owner_id = draw.game_id
                         and t.actor_id is null and t.at = draw.finished_at) as is_right
         from transfers t join wallets d on d.network_id = t.network_id and d.id = t.from_wallet
         join wallets c on c.network_id = t.network_id and c.id = t.to_wallet
         left join draws draw on draw.network_id = t.network_id and draw.id = t.reference
         where t.kind = ${collect} group by t.network_id, t.reference
       ), wrong as (
         select format('draw %s of network %s was settled with stakes of %s hundredths; %s were collected in %s transfers%s', draw_id,
                       network_id, coalesce(stake, 0), coalesce(amount, 0), coalesce(count, 0),
                       case when is_right then '' else ', not from its escrow to its table at that time' end) as problem
         from staked full join collected using (network_id, draw_id)
         where stake is distinct from amount or count > 1 or is_right is not true
       )`,
    ),
    await check(
      'every commission was paid to who earned it',
      'paid',
      `earned as (
         select s.network_id, s.draw_id, a.chain[level.depth] as account_id, sum(level.amount) as amount
         from player_settlements s join accounts a on a.id = s.account_id
         cross join lateral (values (3, s.super_commission), (4, s.dist_commission), (5, s.retail_commission), (6, s.user_commission))
           as level (depth, amount)
         where level.amount <> 0 group by s.network_id, s.draw_id, a.chain[level.depth]
       ), paid as (
         select t.network_id, t.reference as draw_id, c.owner_id as account_id, count(*) as count, sum(t.amount) as amount,
                bool_and(d.kind = ${table} and d.owner_id = draw.game_id and c.kind = ${commission} and t.actor_id is null) as is_right
         from transfers t join wallets d on d.network_id = t.network_id and d.id = t.from_wallet
         join wallets c on c.network_id = t.network_id and c.id = t.to_wallet
         left join draws draw on draw.network_id = t.network_id and draw.id = t.reference
         where t.kind = ${TRANSFER_KINDS.commission} group by t.network_id, t.reference, c.owner_id
       ), wrong as (
         select format('account %s of network %s earned %s hundredths of commission in draw %s and was paid %s in %s transfers%s', account_id,
                       network_id, coalesce(e.amount, 0), draw_id, coalesce(p.amount, 0), coalesce(p.count, 0),
                       case when p.is_right is not false then '' else ', not from the table of the game to its commission' end) as problem
         from earned e full join paid p using (network_id, draw_id, account_id)
         where e.amount is distinct from p.amount or p.count > 1 or p.is_right is not true
       )`,
    ),
  ];
}
