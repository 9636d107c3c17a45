import { pointsText } from '@drawhouse/contract/core/primitives';
import { appendActivity, SYSTEM, balanceChange, type ActivityEntry } from '../../activity/append-activity.ts';
import { arrayOf, sql } from '../../platform/db/sql/sql.ts';
import type { Tx } from '../../platform/db/database.ts';
import { NOWHERE } from '../../platform/http/handler.ts';
import { lockWallets, move } from '../../ledger/post.ts';
import { playerWallets, type WalletName } from '../../ledger/wallets.ts';
import { shareBooksLock } from '../../activity/network-work/closed-books.ts';
import { shareNetworkLock } from '../../activity/network-work/network-work.ts';
import { listExcluded, networksOfExcluded } from '../../protection/protection.sql.ts';
import type { Services } from '../../platform/services.ts';
import { addClaimed } from './claim-ticket.ts';
import { drawsPlayed, everUntil } from '../read/played-draws.sql.ts';
import { ticketNumber } from '../ticket-number.ts';
import { TICKET_SUBJECTS } from '../tickets-texts.ts';

interface Waiting {
  readonly networkId: number;
  readonly accountIds: readonly string[];
  readonly drawId?: string;
  readonly why?: keyof typeof CLAIM_SUBJECTS;
}

const CLAIM_SUBJECTS = {
  excluded: TICKET_SUBJECTS.claimedForExcluded,
  corrected: TICKET_SUBJECTS.claimedForCorrection,
} as const;

interface WaitingWin {
  readonly id: string;
  readonly account_id: string;
  readonly username: string;
  readonly win: bigint;
}

export type ClaimServices = Pick<Services, 'clock' | 'newId' | 'events' | 'timeZone'>;

/**
 * Claims all waiting wins of players who cannot claim them: excluded ones, or those of a draw that is corrected. Each claim is a transfer
 * without an actor plus a log row. Take `at` with the wallets locked.
 */
export async function claimWaiting(
  tx: Tx,
  services: ClaimServices,
  { networkId, accountIds, drawId, why = 'excluded' }: Waiting,
  at: Date,
): Promise<void> {
  // A restore blocks claims. A later run picks them up.
  if (!(await shareBooksLock(tx, networkId))) return;
  const wallets = await lockWallets(tx, networkId, walletsOf(accountIds));
  const holding = accountIds.filter((id) => wallets.get(`winnings:${id}`)!.balance > 0n);
  if (holding.length === 0) return;
  const draws = drawId === undefined ? await drawsWithUnclaimedWins(tx, services, networkId, holding) : [drawId];
  const wins = await tx.query<WaitingWin>(
    sql`select t.id, t.account_id, a.username, w.win from unnest(${arrayOf(draws)}::uuid[]) as d (id)
     cross join lateral (select * from tickets
       where network_id = ${networkId} and draw_id = d.id and account_id = any(${arrayOf(holding)}::uuid[]) offset 0) t
     join accounts a on a.id = t.account_id
     join draw_settlements s on s.network_id = ${networkId} and s.draw_id = t.draw_id and s.manual_claims
     join ticket_wins w on w.network_id = ${networkId} and w.draw_id = t.draw_id and w.ticket_id = t.id
     where not exists (select from ticket_claims c where c.network_id = ${networkId} and c.ticket_id = t.id) order by t.id`.named(
      'claims-waiting',
    ),
  );
  if (wins.length === 0) return;
  await tx.query(
    sql`insert into ticket_claims (network_id, ticket_id, claimed_at) select ${networkId}, id, ${at}
      from unnest(${arrayOf(wins.map(({ id }) => id))}::uuid[]) as claimed (id)`.named('claims-insert'),
  );
  const entries: ActivityEntry[] = [];
  const { newId, events, timeZone } = services;
  for (const { id, account_id: accountId, username, win } of wins) {
    await addClaimed(tx, { at, timeZone }, { id: accountId, networkId }, win);
    const [winnings, credit]: [WalletName, WalletName] = [`winnings:${accountId}`, `credit:${accountId}`];
    const claim = { from: winnings, to: credit, amount: win, kind: 'claim', actorId: null, reference: id } as const;
    const [transferId] = await move(tx, networkId, { at, newId, events }, wallets, [claim]);
    entries.push({
      accountId: null,
      username: SYSTEM,
      subject: CLAIM_SUBJECTS[why](ticketNumber(id), pointsText(win), username),
      origin: NOWHERE,
      detail: { ticketId: id, transferId, targetId: accountId },
      changes: [
        ...balanceChange('Winnings', wallets.get(winnings)!.balance, -win),
        ...balanceChange('Credit', wallets.get(credit)!.balance, win),
      ],
    });
  }
  await appendActivity(tx, networkId, services, entries);
}

async function drawsWithUnclaimedWins(
  tx: Tx,
  { clock, timeZone }: Pick<Services, 'clock' | 'timeZone'>,
  networkId: number,
  accountIds: readonly string[],
): Promise<string[]> {
  const found = new Set<string>();
  for (const accountId of accountIds) {
    const wish = { networkId, accountId, gameId: undefined, timeZone, ...everUntil(clock.now()) };
    const draws = await tx.query<{ id: string }>(sql`select d.id from (${drawsPlayed(wish, ['told', 'late'])}) d
          join draw_settlements s on s.network_id = ${networkId} and s.draw_id = d.id and s.manual_claims`);
    for (const { id } of draws) found.add(id);
  }
  return [...found];
}

/** The draw was settled at `at`. All winners' wallets are locked, so no exclusion can slip in. */
export async function claimForExcluded(
  tx: Tx,
  services: ClaimServices,
  draw: { readonly network_id: number; readonly id: string },
  at: Date,
): Promise<void> {
  const excluded = await listExcluded(tx, draw.network_id, at);
  if (excluded.length === 0) return;
  const winners = await tx.query<{ account_id: string }>(
    sql`select account_id from player_settlements where network_id = ${draw.network_id} and draw_id = ${draw.id} and win > 0
      and account_id = any(${arrayOf(excluded)}::uuid[])`.named('claims-of-excluded'),
  );
  const accountIds = winners.map((row) => row.account_id);
  if (accountIds.length > 0)
    await claimWaiting(tx, services, { networkId: draw.network_id, accountIds, drawId: draw.id }, at);
}

/** Needed only after a restore or move brings back claimed wins. Keeps the exclusion effective. */
export async function claimLeftovers(services: Services): Promise<void> {
  const { db, clock } = services;
  for (const networkId of await networksOfExcluded(db, clock.now())) {
    const wallets = await playerWallets(db, networkId, await listExcluded(db, networkId, clock.now()));
    const holding = [...wallets].filter(([, { winnings }]) => winnings > 0n).map(([accountId]) => accountId);
    if (holding.length === 0) continue;
    await db.transaction(async (tx) => {
      // Skips staged copies.
      if (!(await shareNetworkLock(tx, networkId))) return;
      await lockWallets(tx, networkId, walletsOf(holding));
      const at = clock.now();
      const excluded = new Set(await listExcluded(tx, networkId, at));
      await claimWaiting(tx, services, { networkId, accountIds: holding.filter((id) => excluded.has(id)) }, at);
    });
  }
}

const walletsOf = (accountIds: readonly string[]): WalletName[] =>
  accountIds.flatMap((id): WalletName[] => [`winnings:${id}`, `credit:${id}`]);
