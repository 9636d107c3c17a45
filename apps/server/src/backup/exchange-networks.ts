import { randomUUID } from 'node:crypto';
import { ROOT_NETWORK } from '@drawhouse/rules/ledger-kinds';
import type { Actor } from '../accounts/authority.ts';
import { newUniqueId } from '../accounts/unique-id.ts';
import { appendActivity } from '../activity/append-activity.ts';
import type { Tx } from '../db/database.ts';
import { panelChanged } from '../games/pairs.ts';
import type { Call } from '../http/handler.ts';
import { CallError } from '../http/http-errors.ts';
import { openWallets } from '../ledger/wallets.ts';
import type { WalletName } from '../ledger/wallets.ts';
import type { Services } from '../services.ts';
import { endSessionsBelow } from '../auth/sessions.ts';
import { keepGames, keepWhatHolds, reconcile } from './catch-up.ts';
import type { Exchange } from './catch-up.ts';

/** The columns of an account but its id and its network, in SQL. */
const COLUMNS = [
  'created_at',
  'last_login_at',
  'deleted_at',
  'password_set_at',
  'daily_limit',
  'parent_id',
  'password_set_by',
  'commission',
  'active',
  'role',
  'username',
  'unique_id',
  'password_hash',
  'note',
  'chain',
];

/** What the log says of an exchange. */
export interface Told {
  readonly subject: string;
  readonly detail: Record<string, unknown>;
}

/**
 * Lets what stands beside take the place of a network: one transaction, in which the numbers of the admin's network are exchanged, its accounts
 * with them, and its sessions end. What the root has done since it was prepared is reconciled here once more, with the root's side of the
 * border locked. Throws USERNAME_TAKEN where another network has a name of it by now.
 */
export async function exchangeNetworks(
  services: Services,
  tx: Tx,
  exchange: Exchange & { readonly live: number },
  { call, told }: { readonly call: Pick<Call<Actor>, 'actor' | 'origin'>; readonly told: Told },
): Promise<void> {
  const { adminId, beside, live } = exchange;
  // A bet waits for its draw, and looks whether its session has ended once it has it; a draw that opens waits for its game.
  await tx.query('select from networks where id = $1 for update', [live]);
  const games = await tx.query<{ game_key: string }>(
    'select g.game_key from network_games ng join games g on g.id = ng.game_id where ng.network_id = $1 order by ng.game_id for update of ng',
    [live],
  );
  await tx.query(
    `select from draws where network_id = $1 and status in ('open', 'closed', 'drawn') order by id for update`,
    [live],
  );
  await keepWhatHolds(tx, exchange);
  await keepGames(tx, exchange);
  await reconcile(services, tx, exchange);
  await exchangeAccounts(tx, exchange, services.clock.now());
  await tx.query('update networks set admin_id = $2 where id = $1', [beside, adminId]);
  await tx.query('delete from networks_beside where id = $1', [beside]);
  await openGameWallets(tx, beside);
  for (const { game_key } of games) panelChanged(services, tx, { network_id: live, game_key });
  await endSessionsBelow(services, tx, adminId, 'subtree');
  const { id: accountId, username } = call.actor;
  const entry = { accountId, username, origin: call.origin, ...told };
  // The root first, as everywhere.
  await appendActivity(tx, ROOT_NETWORK, services, [entry]);
  await appendActivity(tx, beside, services, [entry]);
}

/** The accounts of both change places, and the network that was is put beside: those that are in both keep their row, by its id. */
async function exchangeAccounts(
  tx: Tx,
  { beside, live }: Exchange & { readonly live: number },
  at: Date,
): Promise<void> {
  const list = COLUMNS.join(', ');
  // Parents may be put in after those below them.
  await tx.query('set constraints accounts_parent_id_fkey deferred');
  await tx.query(
    `insert into staged_accounts (network_id, id, ${list}) select network_id, id, ${list} from accounts where network_id = $1`,
    [live],
  );
  await tx.query(
    `insert into networks (id, admin_id, wallets) overriding system value select id, $2, wallets from networks_beside where id = $1`,
    [beside, randomUUID()],
  );
  await tx.query(
    `update accounts a set network_id = $1, ${COLUMNS.map((name) => `${name} = s.${name}`).join(', ')}
     from staged_accounts s where s.network_id = $1 and a.id = s.id and a.network_id = $2`,
    [beside, live],
  );
  await tx.query('select put_beside($1, $2)', [live, at]);
  try {
    await tx.query(
      `insert into accounts (network_id, id, ${list}) select network_id, id, ${list} from staged_accounts s
       where s.network_id = $1 and not exists (select from accounts a where a.id = s.id and a.network_id = $1)`,
      [beside],
    );
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'accounts_username') throw error;
    throw new CallError('USERNAME_TAKEN', {
      message: 'A username of this backup was taken meanwhile. Please begin again.',
    });
  }
  await tx.query('delete from staged_accounts where network_id = $1', [beside]);
}

/** The tables and escrows of games that the network was given since. */
async function openGameWallets(tx: Tx, networkId: number): Promise<void> {
  const games = await tx.query<{ game_id: string }>('select game_id from network_games where network_id = $1', [
    networkId,
  ]);
  await openWallets(
    tx,
    networkId,
    games.flatMap(({ game_id: id }): WalletName[] => [`table:${id}`, `escrow:${id}`]),
  );
}

/** An account of what stands beside whose name somebody else has. */
export interface NameTaken {
  readonly id: string;
  readonly username: string;
  readonly role: Actor['role'];
}

/** The accounts of what stands beside whose names accounts of other networks have. */
export function namesTaken(tx: Pick<Tx, 'query'>, beside: number, live: number | undefined): Promise<NameTaken[]> {
  return tx.query<NameTaken>(
    `select s.id, s.username, s.role from staged_accounts s join accounts a on lower(a.username) = lower(s.username)
     where s.network_id = $1 and a.id <> s.id and a.network_id is distinct from $2 order by lower(s.username)`,
    [beside, live ?? null],
  );
}

/**
 * Gives accounts of what stands beside new names where theirs are taken, and a unique id where that is. Throws USERNAME_TAKEN, with
 * `fields.renames`, where a name has no new one, or that is taken as well.
 */
export async function renameTaken(
  tx: Tx,
  { beside, live }: { readonly beside: number; readonly live: number | undefined },
  renames: Readonly<Record<string, string>>,
): Promise<void> {
  const newNames = new Map(Object.entries(renames).map(([from, to]) => [from.toLowerCase(), to]));
  for (const { id, username } of await namesTaken(tx, beside, live)) {
    const name = newNames.get(username.toLowerCase());
    if (name !== undefined)
      await tx.query('update staged_accounts set username = $3 where network_id = $1 and id = $2', [beside, id, name]);
  }
  const [twice] = await tx.query<{ username: string }>(
    'select min(username) as username from staged_accounts where network_id = $1 group by lower(username) having count(*) > 1',
    [beside],
  );
  const still = await namesTaken(tx, beside, live);
  if (twice || still.length > 0) {
    const names = twice ? twice.username : still.map(({ username }) => username).join(', ');
    throw new CallError('USERNAME_TAKEN', { fields: { renames: `These names are taken, give others: ${names}` } });
  }
  const ids = await tx.query<{ id: string; role: Actor['role'] }>(
    `select s.id, s.role from staged_accounts s join accounts a on a.unique_id = s.unique_id
     where s.network_id = $1 and a.id <> s.id and a.network_id is distinct from $2`,
    [beside, live ?? null],
  );
  for (const { id, role } of ids)
    await tx.query('update staged_accounts set unique_id = $3 where network_id = $1 and id = $2', [
      beside,
      id,
      newUniqueId(role),
    ]);
}
