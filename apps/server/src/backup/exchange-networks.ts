import type { Change } from '@drawhouse/contract/activity/activity';
import { UNFINISHED } from '../draw-states.ts';
import { ROOT_NETWORK } from '@drawhouse/rules/ledger-kinds';
import { effectivelyActive } from '../accounts/authority.ts';
import { keepAccounts } from '../accounts/keep-accounts.ts';
import { addStagedAccounts, exchangeAccounts } from '../accounts/staged-accounts.ts';
import { appendActivity, leaveUnnamed } from '../activity/append-activity.ts';
import type { Tx } from '../db/database.ts';
import { keepGames } from '../games/keep-games.ts';
import { panelChanged } from '../games/pairs.ts';
import { CallError } from '../http/http-errors.ts';
import { addWallets, nameNetwork, openUnnamed, openWallets } from '../ledger/wallets.ts';
import type { WalletName } from '../ledger/wallets.ts';
import { sumDaysBeside } from '../liability/sum-days.ts';
import { closeNetworks } from '../network-work/hold-network.ts';
import { keepApiKeys } from '../api-keys/api-keys.sql.ts';
import { keepProtection } from '../protection/protection.sql.ts';
import type { Services } from '../services.ts';
import { endSessionsBelow } from '../auth/sessions.ts';
import { hasOpenTickets } from '../tickets/tickets.sql.ts';
import { dropBeside } from './beside.ts';
import { reconcile, toldOfGames } from './catch-up.ts';
import type { Exchange } from './catch-up.ts';
import type { RestoringCall } from './restoring.ts';
import { issueMoved } from './moved-credit.ts';

/** What the log says of an exchange. */
export interface Told {
  readonly subject: string;
  readonly detail: Record<string, unknown>;
  readonly changes?: readonly Change[];
}

/**
 * Lets what stands beside take the place of a network: one transaction, in which the numbers of the admin's network are exchanged, its accounts
 * with them, and its sessions end. What the root has done since it was prepared is reconciled here once more, with the root's side of the
 * border locked. Throws USERNAME_TAKEN where another network has a name of it by now.
 */
export async function exchangeNetworks(
  services: Services,
  tx: Tx,
  exchange: Exchange,
  { call, told }: { readonly call: RestoringCall; readonly told: Told },
): Promise<void> {
  const { adminId, beside, live } = exchange;
  // No statistics tell of the rows that this writes: what PostgreSQL takes for one row and keeps to read it again may be all of a network.
  await tx.query('set local enable_material = off');
  await sumDaysBeside(services, tx, beside);
  // What a superadmin does in the network is logged at the root: it is reconciled with below, or comes to the network that is there then.
  await closeNetworks(tx, [ROOT_NETWORK, live]);
  await lockAccounts(tx, exchange, call);
  // A bet waits for its draw, and looks whether its session has ended once it has it; a draw that opens waits for its game.
  const games = await tx.query<{ game_key: string }>(
    'select g.game_key from network_games ng join games g on g.id = ng.game_id where ng.network_id = $1 order by ng.game_id for update of ng',
    [live],
  );
  await tx.query(`select from draws where network_id = $1 and status in ${UNFINISHED} order by id for update`, [live]);
  await keepAccounts(services, tx, exchange, hasOpenTickets);
  await keepProtection(tx, exchange);
  await keepApiKeys(tx, exchange, services.clock.now());
  await keepGames(tx, exchange, await toldOfGames(tx, exchange));
  await (exchange.moveId === undefined ? reconcile(services, tx, exchange) : issueMoved(services, tx, exchange));
  await openUnnamed(tx, beside);
  await exchangeAccounts(tx, exchange);
  await tx.query('select put_beside($1, $2)', [live, services.clock.now()]);
  // What was opened for a network from elsewhere has nothing that anybody could want back.
  if (exchange.moveId !== undefined) await dropBeside(tx, live);
  await addStagedAccounts(tx, beside);
  await nameNetwork(tx, beside, adminId);
  await tx.query('delete from networks_beside where id = $1', [beside]);
  await openWallets(tx, beside, await gameWallets(tx, beside));
  for (const { game_key } of games) panelChanged(services, tx, { network_id: live, game_key });
  await endSessionsBelow(services, tx, adminId, 'subtree');
  const { id: accountId, username } = call.actor;
  const entry = { accountId, username, origin: call.origin, ...told };
  // The network that comes explains its rows.
  await leaveUnnamed(tx);
  // The root first, as everywhere.
  await appendActivity(tx, ROOT_NETWORK, services, [entry]);
  await appendActivity(tx, beside, services, [entry]);
}

/** Locks the network with its accounts, which else could be changed after they were copied. Throws SESSION_ENDED where it or its admin is gone, or stopped; of one that moves RULE_REFUSED. */
async function lockAccounts(
  tx: Tx,
  { adminId, live, moveId }: Exchange,
  { isOperator = false }: Pick<RestoringCall, 'isOperator'>,
): Promise<void> {
  await tx.query('select from accounts where network_id = $1 order by id for no key update', [live]);
  const network = await tx.query(
    `select from networks n join accounts a on a.id = n.admin_id
     where n.id = $1 and n.admin_id = $2 and a.deleted_at is null for update of n`,
    [live, adminId],
  );
  if (network.length === 0 && moveId !== undefined)
    throw new CallError('RULE_REFUSED', { message: 'Its admin was deleted while it was moved here.' });
  if (network.length === 0 || !(isOperator || (await effectivelyActive(tx, [adminId])).has(adminId)))
    throw new CallError('SESSION_ENDED');
}

/** The tables and escrows of the games of a network: some may have been given to it since the backup. */
async function gameWallets(tx: Tx, networkId: number): Promise<WalletName[]> {
  const games = await tx.query<{ game_id: string }>(
    'select game_id from network_games where network_id = $1 order by game_id',
    [networkId],
  );
  return games.flatMap(({ game_id: id }): WalletName[] => [`table:${id}`, `escrow:${id}`]);
}

/** Opens what of these is missing in what stands beside, as the audit looks for them there. */
export async function openGamesBeside(tx: Tx, beside: number): Promise<void> {
  const [row] = await tx.query<{ wallets: number }>('select wallets from networks_beside where id = $1 for update', [
    beside,
  ]);
  const added = await addWallets(tx, { networkId: beside, last: row!.wallets }, await gameWallets(tx, beside));
  await tx.query('update networks_beside set wallets = wallets + $2 where id = $1', [beside, added]);
}
