import type { Change } from '@drawhouse/contract/activity/activity';
import { updateStagedLogins } from '../../auth/logins/staged-logins.ts';
import { UNFINISHED } from '../../config/draw-states.ts';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { effectivelyActive } from '../../accounts/authority.ts';
import { updateStagedAccounts } from '../../accounts/move/update-staged-accounts.ts';
import { addStagedAccounts, applyCurrentValues, swapAccounts } from '../../accounts/move/staged-accounts.ts';
import { appendActivity, discardPendingChanges } from '../../activity/append-activity.ts';
import type { Tx } from '../../platform/db/database.ts';
import { keepGames } from '../../games/catalogue/copy-games.ts';
import { panelChanged } from '../../games/pairs/pairs.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { addWallets, assignNetwork, createStagedNetwork, openWallets, type WalletName } from '../../ledger/wallets.ts';
import { sumStagedDays } from '../../liability/sum-days.ts';
import { lockNetworksExclusively } from '../../activity/network-work/network-work.ts';
import { updateStagedApprovals } from '../../approvals/approvals.sql.ts';
import { updateStagedApiKeys } from '../../api-keys/api-keys.sql.ts';
import { keepFactors } from '../../auth/factors/factors.sql.ts';
import { keepProtection } from '../../protection/protection.sql.ts';
import { keepEndedOrders } from '../../standing-orders/standing-orders.sql.ts';
import { keepWeeks } from '../../weeks/keep-weeks-on-restore.ts';
import type { Services } from '../../platform/services.ts';
import { endSessionsBelow } from '../../auth/sessions/sessions.ts';
import { hasOpenTickets } from '../../tickets/tickets.sql.ts';
import { dropStagedNetwork } from './stage-network.ts';
import { reconcile, readGameChangesAtRoot, type Exchange } from './reconcile-with-root.ts';
import type { RestoringCall } from './restoring.ts';
import { issueMovedCredit } from '../move/moved-credit.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { BACKUP_TEXTS } from '../backup-texts.ts';

export interface ExchangeLog {
  readonly subject: string;
  readonly detail: Record<string, unknown>;
  readonly changes?: readonly Change[];
}

export type KeepWallKey = (tx: Tx, networks: { readonly staged: number; readonly live: number }) => Promise<void>;

interface ExchangeOptions {
  readonly call: RestoringCall;
  readonly told: ExchangeLog;
  readonly keepWallKey: KeepWallKey;
}

/** Ends sessions too. Reconciles once more under the root's boundary lock. */
export async function exchangeNetworks(
  services: Services,
  tx: Tx,
  exchange: Exchange,
  { call, told, keepWallKey }: ExchangeOptions,
): Promise<void> {
  const { adminId, staged, live } = exchange;
  // Staged rows lack statistics: PostgreSQL expects one row and might materialize a whole network.
  await tx.query(sql`set local enable_material = off`);
  await sumStagedDays(services, tx, staged);
  // Superadmins' changes are logged at the root. They are reconciled below, or wait and apply to the new network.
  await lockNetworksExclusively(tx, [ROOT_NETWORK, live]);
  await lockAccounts(tx, exchange, call);
  // Bets check their session again after waiting for the draw. A draw that opens waits for its game.
  const games = await tx.query<{ game_key: string }>(
    sql`select g.game_key from network_games ng join games g on g.id = ng.game_id where ng.network_id = ${live}
      order by ng.game_id for update of ng`,
  );
  await tx.query(
    sql`select from draws where network_id = ${live} and status in ${sql.raw(UNFINISHED)} order by id for update`,
  );
  if (exchange.isReplicated) await applyCurrentValues(tx, exchange);
  else await keepLiveValues(services, tx, exchange);
  await updateStagedApprovals(tx, exchange, services.clock.now());
  if (exchange.moveId === undefined) await keepWallKey(tx, exchange);
  await keepGames(tx, exchange, await readGameChangesAtRoot(tx, exchange));
  await (exchange.moveId === undefined ? reconcile(services, tx, exchange) : issueMovedCredit(services, tx, exchange));
  await createStagedNetwork(tx, staged);
  await swapAccounts(tx, exchange);
  await tx.query(sql`select put_beside(${live}, ${services.clock.now()})`);
  // Nothing to bring back from a moved network's placeholder.
  if (exchange.moveId !== undefined) await dropStagedNetwork(tx, live);
  await addStagedAccounts(tx, staged);
  await assignNetwork(tx, staged, adminId);
  await tx.query(sql`delete from staged_networks where id = ${staged}`);
  await openWallets(tx, staged, await gameWallets(tx, staged));
  for (const { game_key } of games) panelChanged(services, tx, { network_id: live, game_key });
  await endSessionsBelow(services, tx, adminId, 'subtree');
  const { id: accountId, username } = call.actor;
  const entry = { accountId, username, origin: call.origin, ...told };
  await discardPendingChanges(tx);
  // Lock order: root first.
  await appendActivity(tx, ROOT_NETWORK, services, [entry]);
  await appendActivity(tx, staged, services, [entry]);
}

/** Keeps the changes since the backup. The placeholder of a replicated network has none. */
async function keepLiveValues(services: Services, tx: Tx, exchange: Exchange): Promise<void> {
  await updateStagedAccounts(services, tx, exchange, hasOpenTickets);
  await keepProtection(tx, exchange);
  await keepWeeks(tx, exchange);
  await keepEndedOrders(tx, exchange, services.clock.now());
  await updateStagedApiKeys(tx, exchange, services.clock.now());
  await updateStagedLogins(tx, exchange, services.directory);
  await keepFactors(tx, exchange);
}

/** Network and accounts must not change after being copied. */
async function lockAccounts(
  tx: Tx,
  { adminId, live, moveId }: Exchange,
  { isOperator = false }: Pick<RestoringCall, 'isOperator'>,
): Promise<void> {
  await tx.query(sql`select from accounts where network_id = ${live} order by id for no key update`);
  const network = await tx.query(
    sql`select from networks n join accounts a on a.id = n.admin_id
     where n.id = ${live} and n.admin_id = ${adminId} and a.deleted_at is null for update of n`,
  );
  if (network.length === 0 && moveId !== undefined)
    throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.adminDeleted });
  if (network.length === 0 || !(isOperator || (await effectivelyActive(tx, [adminId])).has(adminId)))
    throw new CallError('SESSION_ENDED');
}

async function gameWallets(tx: Tx, networkId: number): Promise<WalletName[]> {
  const games = await tx.query<{ game_id: string }>(
    sql`select game_id from network_games where network_id = ${networkId} order by game_id`,
  );
  return games.flatMap(({ game_id: id }): WalletName[] => [`table:${id}`, `escrow:${id}`]);
}

export async function openStagedGames(tx: Tx, staged: number): Promise<void> {
  const [row] = await tx.query<{ wallets: number }>(
    sql`select wallets from staged_networks where id = ${staged} for update`,
  );
  const added = await addWallets(tx, { networkId: staged, last: row!.wallets }, await gameWallets(tx, staged));
  await tx.query(sql`update staged_networks set wallets = wallets + ${added} where id = ${staged}`);
}
