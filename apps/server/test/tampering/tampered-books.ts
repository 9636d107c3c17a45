import { randomUUID } from 'node:crypto';
import { ROLES } from '@drawhouse/contract/core/primitives';
import {
  ROOT_NETWORK,
  TRANSFER_KINDS,
  WALLET_KINDS,
  type TransferKind,
  type WalletKind,
} from '@drawhouse/rules/records/ledger-kinds';
import { expect } from 'vitest';
import type { PlayedNetwork } from '../worlds/audit-world.ts';
import type { TestApp } from '../harness.ts';
import { auditAfter } from './tampered.ts';

export type Break = [what: string, sql: string, ...expected: RegExp[]];

/**
 * Breaks data by owner's SQL, expects one audit to name everything, rolls back. Placeholders: `:admin` etc. are ids,
 * `:network` and `:root` networks, `:wallet.credit` and `:transfer.stake` kinds.
 */
export async function expectNamed(t: TestApp, world: PlayedNetwork, breaks: readonly Break[]): Promise<void> {
  const found = await auditAfter(t, breaks.map(([, sql]) => filled(sql, world)).join(';\n'));
  for (const [what, , ...expected] of breaks)
    for (const pattern of expected) expect(found, what).toContainEqual(expect.stringMatching(pattern));
}

function filled(sql: string, { net, other, deleted }: PlayedNetwork): string {
  const ids: Record<string, unknown> = {
    other: other._id,
    deleted: deleted._id,
    random: randomUUID(),
    network: net.networkId,
    root: ROOT_NETWORK,
  };
  for (const role of ROLES) ids[role] = net[role]._id;
  return sql
    .replace(/:wallet\.(\w+)/g, (_all, kind: WalletKind) => String(WALLET_KINDS[kind]))
    .replace(/:transfer\.([\w-]+)/g, (_all, kind: TransferKind) => String(TRANSFER_KINDS[kind]))
    .replace(/(?<!:):([a-z]+)\b/g, (_all, name: string) => `'${String(ids[name])}'`);
}

export const CREDIT_OF_PLAYER = '(select id from wallets where owner_id = :user and kind = :wallet.credit)';
export const OF_PLAYER = `network_id = :network and to_wallet = ${CREDIT_OF_PLAYER}`;
/** For tables keyed by network and id. */
export const first = (table: string, where: string): string =>
  `id = (select id from ${table} where ${where} order by id limit 1)`;
/** Truncates a log and its head from a subject on. */
export const cut = (network: string, subject: string): string =>
  `delete from activity where network_id = ${network} and seq >= (
     select min(seq) from activity where network_id = ${network} and subject like '${subject}%');
   update activity_heads h set (seq, hash) = (select seq, hash from activity a where a.network_id = h.network_id order by seq desc limit 1)
   where network_id = ${network}`;
/** Copies transfers as further wallet versions. */
export const again = (where: string, reference = 'reference', id = ':random'): string =>
  `insert into transfers (network_id, id, from_wallet, to_wallet, amount, from_balance, to_balance, from_version, to_version,
   kind, actor_id,
                          reference, note, at)
   select network_id, ${id}, from_wallet, to_wallet, amount, from_balance, to_balance, from_version + 1000,
     to_version + 1000, kind, actor_id,
          ${reference}, '', at from transfers where ${where}`;

export const SETTLED = (source: string): string => `status = 'settled' and source = '${source}'`;
export const reopened = (column: string, value: string): string => {
  const columns = ['unit_price', 'rules_version', 'pays', 'weights', 'result_mode', 'manual_claims'];
  return `insert into draw_terms (id, ${columns.join(', ')})
    select :random, ${columns.map((name) => (name === column ? value : name)).join(', ')} from draw_terms limit 1;
    update draws set terms_id = :random`;
};

export const UNSETTLED =
  "not exists (select from draws d where d.network_id = t.network_id and d.id = t.draw_id and d.status = 'settled')";
export const WON = '(select ticket_id from ticket_wins where win = 18000)';
