import { ROLES, type Role } from '@drawhouse/contract/core/primitives';
import { expect, it } from 'vitest';
import { FIRST_SUPERADMIN } from '../../src/compose/first-start.ts';
import { TestApp, type SignedIn } from '../harness.ts';

const CREDIT = 250.5;
const RESERVE = 1_000;
const COMMISSIONS: Partial<Record<Role, number>> = { distributor: 2.5, user: 1 };
const GAMES = ['funtargetbingo', 'lottery3d'];

/** Reads a network and its root part, without values unique per network. */
const TABLES = {
  // One transaction here, so `wrote` is distributed differently.
  log: `select network_id = 0 as root, subject, url, method, ip, username, nullif(detail - 'wrote', '{}') as detail, chain
        from activity order by network_id, seq`,
  wallets: 'select network_id = 0 as root, id, kind, balance, version, staked from wallets order by network_id, id',
  transfers: `select network_id = 0 as root, from_wallet, to_wallet, from_balance, to_balance, from_version, to_version, amount, kind, note,
                     reference is null as is_within from transfers order by network_id, from_wallet, from_version`,
  accounts: `select role, username, commission, commission_ceiling, commission_granted, active, note,
   cardinality(chain) as depth, password_set_by = parent_id as set_by_parent
             from accounts order by cardinality(chain)`,
  sessions: 'select a.role, ip, user_agent, by_token from sessions s join accounts a on a.id = account_id order by 1',
  addresses: 'select a.role, address from known_addresses k join accounts a on a.id = account_id order by 1',
  games: 'select g.game_key from network_games n join games g on g.id = n.game_id order by 1',
};

async function byCalls(t: TestApp): Promise<void> {
  const chain: SignedIn[] = [await t.signIn(FIRST_SUPERADMIN)];
  for (const role of ROLES.slice(1)) {
    const games = role === 'admin' ? { games: GAMES } : {};
    const account = { role, refId: chain.at(-1)!._id, commission: COMMISSIONS[role] ?? 0, ...games };
    chain.push(await t.create(chain[role === 'admin' ? 0 : 1]!, account));
  }
  await t.give(chain[0]!, chain[0]!, CREDIT + RESERVE);
  for (const [index, account] of chain.slice(1).entries())
    await t.give(chain[index]!, account, index === 0 ? CREDIT + RESERVE : CREDIT);
  await t.app.tick();
}

/** Replaces ids by order of appearance. */
function withoutIds(rows: unknown): unknown {
  const seen = new Map<string, string>();
  const text = JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return JSON.parse(
    text
      .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
        if (!seen.has(id)) seen.set(id, `id ${seen.size}`);
        return seen.get(id)!;
      })
      .replace(/"root":"[0-9a-f]{64}"|"batch":"[^"]+"|"after":"[0-9a-f]{64}"/g, '"seed":"any"'),
  );
}

async function written(make: (t: TestApp) => Promise<unknown>): Promise<Record<string, unknown>> {
  const t = await TestApp.start();
  await make(t);
  const found: Record<string, unknown> = {};
  for (const [name, sql] of Object.entries(TABLES)) found[name] = withoutIds(await t.db.query(sql));
  await t.expectBooksToBalanceNow();
  await t.close();
  return found;
}

it('writes the same rows as the API', async () => {
  const quick = await written((t) =>
    t.network({ credit: CREDIT, reserve: RESERVE, games: GAMES, commissions: COMMISSIONS }),
  );
  expect(quick).toEqual(await written(byCalls));
});
