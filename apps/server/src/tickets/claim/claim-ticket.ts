import { pointsOf, pointsText } from '@drawhouse/contract/core/primitives';
import type { Ticket } from '@drawhouse/contract/tickets/tickets';
import { effectivelyActive, type Actor } from '../../accounts/authority.ts';
import { balanceChange } from '../../activity/append-activity.ts';
import { runCommand } from '../../activity/run-command.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Call } from '../../platform/http/handler.ts';
import { lockWallets, move } from '../../ledger/post.ts';
import type { WalletName } from '../../ledger/wallets.ts';
import { readTicketName, ticketNumber } from '../ticket-number.ts';
import { TICKET, ticketFrom, toTicket, type TicketRow } from '../tickets.sql.ts';
import { undoneTicketMessage } from '../place/ticket-not-found.ts';
import { sql, arrayOf } from '../../platform/db/sql/sql.ts';
import type { Tx, Queryable } from '../../platform/db/database.ts';
import type { DrawRow } from '../../draws/draws.sql.ts';
import { TICKET_TEXTS, TICKET_SUBJECTS } from '../tickets-texts.ts';

/** Moves a win from winnings to credit, once. Accepts ticket id or number. */
export async function claimTicket(
  services: Services,
  call: Call<Actor>,
  name: string,
): Promise<{ ticket: Ticket; walletBalance: number }> {
  const { id: accountId, networkId } = call.actor;
  return runCommand(services, call, async (tx) => {
    const [winnings, credit]: [WalletName, WalletName] = [`winnings:${accountId}`, `credit:${accountId}`];
    const wallets = await lockWallets(tx, networkId, [winnings, credit]);
    const { clock, newId, events } = services;
    const at = clock.now();
    if (!(await effectivelyActive(tx, [accountId])).has(accountId)) throw new CallError('ACCOUNT_INACTIVE');
    const named = readTicketName(name, at);
    const { from, to, end } = named;
    const [row] = await tx.query<TicketRow & { manual_claims: boolean | null }>(
      sql`select ${sql.raw(TICKET)}, s.manual_claims from ${ticketFrom(networkId)} where t.network_id = ${networkId} and t.id = (
         select k.id from unnest(${from}::uuid[], ${to}::uuid[]) as named (first, last)
         join tickets k on k.network_id = ${networkId} and k.account_id = ${accountId} and k.id between named.first
           and named.last and right(k.id::text, 8) = ${end}
         order by k.id desc limit 1)`,
    );
    if (!row) {
      const undone = await undoneTicketMessage(tx, { networkId, accountId, name: named }, services.timeZone);
      if (undone !== undefined) throw new CallError('RULE_REFUSED', { message: undone });
      throw new CallError('NOT_FOUND', { fields: { ticketId: TICKET_TEXTS.notYoursField } });
    }
    const win = claimable(row);
    await tx.query(
      sql`insert into ticket_claims (network_id, ticket_id, claimed_at) values (${networkId}, ${row.id}, ${at})`,
    );
    await addClaimed(tx, { at, timeZone: services.timeZone }, call.actor, win);
    const claim = {
      from: winnings,
      to: credit,
      amount: win,
      kind: 'claim',
      actorId: accountId,
      reference: row.id,
    } as const;
    const [transferId] = await move(tx, networkId, { at, newId, events }, wallets, [claim]);
    return {
      result: {
        ticket: toTicket({ ...row, claimed_at: at }),
        walletBalance: pointsOf(wallets.get(credit)!.balance),
      },
      subject: TICKET_SUBJECTS.claimed(ticketNumber(row.id), pointsText(win)),
      detail: { ticketId: row.id, transferId, targetId: accountId },
      changes: [
        ...balanceChange('Winnings', wallets.get(winnings)!.balance, -win),
        ...balanceChange('Credit', wallets.get(credit)!.balance, win),
      ],
    };
  });
}

function claimable({
  draw_status: status,
  win,
  claimed_at: claimedAt,
  manual_claims: manual,
}: TicketRow & { manual_claims: boolean | null }): bigint {
  if (status === 'void') throw new CallError('RULE_REFUSED', { message: TICKET_TEXTS.drawVoid });
  if (win === null || status === 'settling') throw new CallError('DRAW_STATE', { message: TICKET_TEXTS.notSettled });
  if (win === 0n) throw new CallError('RULE_REFUSED', { message: TICKET_TEXTS.noWin });
  if (!manual)
    throw new CallError('ALREADY_CLAIMED', {
      message: TICKET_TEXTS.paidAtSettlement,
    });
  if (claimedAt) throw new CallError('ALREADY_CLAIMED');
  return win;
}

/**
 * Adds per day and time zone, for a settled draw. Call with the players' wallets locked; every writer locks wallets
 * first.
 */
export async function addUnclaimed(
  tx: Tx,
  { at, timeZone }: { at: Date; timeZone: string },
  draw: Pick<DrawRow, 'network_id' | 'id'>,
): Promise<void> {
  await tx.query(
    sql`insert into claim_sums (network_id, account_id, starts_at, held)
     select network_id, account_id, day_start(${at}::timestamptz, ${timeZone}), win
     from player_settlements where network_id = ${draw.network_id} and draw_id = ${draw.id} and win > 0 order by account_id
     on conflict (network_id, account_id, starts_at) do update set held = claim_sums.held + excluded.held`.named(
      'claims-held',
    ),
  );
}

/** Call with the wallets locked. */
export async function addClaimed(
  tx: Tx,
  { at, timeZone }: { at: Date; timeZone: string },
  player: { id: string; networkId: number },
  amount: bigint,
): Promise<void> {
  await tx.query(
    sql`insert into claim_sums (network_id, account_id, starts_at, claimed)
      values (${player.networkId}, ${player.id}, day_start(${at}::timestamptz, ${timeZone}), ${amount})
     on conflict (network_id, account_id, starts_at) do update set claimed = claim_sums.claimed + excluded.claimed`.named(
      'claims-claimed',
    ),
  );
}

export interface PaidPlayer {
  readonly draw_id: string;
  readonly account_id: string;
  readonly stake: bigint;
  /** Null for void draws: stakes went back. */
  readonly win: bigint | null;
}

export async function findEndedDraws(
  on: Queryable,
  networkId: number,
  drawIds: readonly string[],
): Promise<Set<string>> {
  const rows = await on.query<{ id: string }>(
    sql`select id from draws where network_id = ${networkId} and id = any(${arrayOf(drawIds)}::uuid[])
      and status in ('settled', 'void')`.named('draws-ended-among'),
  );
  return new Set(rows.map(({ id }) => id));
}

export async function paidPlayers(
  on: Queryable,
  networkId: number,
  drawIds: readonly string[],
  accountIds: readonly string[],
): Promise<PaidPlayer[]> {
  const [draws, accounts] = [arrayOf(drawIds), arrayOf(accountIds)];
  return on.query<PaidPlayer>(
    sql`select draw_id, account_id, stake, (win + (select coalesce(sum(c.moved), 0) from ticket_corrections c
       where c.network_id = ${networkId} and c.draw_id = p.draw_id and c.account_id = p.account_id))::bigint as win
     from player_settlements p where network_id = ${networkId} and draw_id = any(${draws}::uuid[]) and account_id = any(${accounts}::uuid[])
     union all
     select t.draw_id, t.account_id, sum(t.stake)::bigint, null
     from draws d join tickets t on t.network_id = d.network_id and t.draw_id = d.id
     where d.network_id = ${networkId} and d.id = any(${draws}::uuid[]) and d.status = 'void' and t.account_id = any(${accounts}::uuid[])
     group by t.draw_id, t.account_id`.named('players-paid'),
  );
}
