import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { IN_MASSES } from '../../ledger/movement-kinds.ts';

/**
 * Extra file with the root's log rows about this network, without facts about others. After a move, accounts,
 * percentages and draws derive from them (`moved_activity`).
 */
export const ROOT_LOG_EXTRACT = {
  table: 'root_activity',
  columns: ['seq', 'at', 'id', 'account_id', 'username', 'subject', 'detail'],
} as const;

/** SQL: root log row `l` concerns accounts, transfers or draws of the network. Ignores account `but`. */
export function concernsNetwork(network: string, but = 'null'): string {
  return `((l.detail ? 'accountId' and l.detail ->> 'accountId' is distinct from ${but}::text
      and l.detail ->> 'accountId' in (select id::text from accounts where network_id = ${network}))
    or (l.detail ? 'transferId' and l.detail ->> 'transferId' in (
      select t.id::text from transfers t where t.network_id = ${network} and t.kind not in ${IN_MASSES}))
    or (l.detail ? 'drawId' and exists (select from draws d where d.network_id = ${network} and d.id = (l.detail ->> 'drawId')::uuid)))`;
}

/** Sequence numbers count down from 0, the log's end. Hides the superadmin's address and other networks' details. */
export const SELECT_ROOT_LOG_EXTRACT = `select l.seq - h.seq as seq, l.at, l.id, l.account_id, l.username,
    case when l.detail ? 'percentages' then 'Set win percentages' else l.subject end as subject,
    case when l.detail ? 'percentages' then jsonb_build_object('percentages', coalesce(
      (select jsonb_agg(told) from jsonb_path_query(l.detail, '$.percentages[*]') as told where told ->> 'adminId' = a.id), '[]'))
    else l.detail end as detail
  from activity l join activity_heads h on h.network_id = l.network_id
  cross join (select admin_id::text as id from networks where id = $1) as a
  where l.network_id = ${ROOT_NETWORK} and l.detail is not null and l.seq not in (select seq from undone_activity
    where network_id = $1) and (
    ${concernsNetwork('$1')}
    or (l.detail ? 'limits' and l.detail ->> 'adminId' = a.id)
    or exists (select from jsonb_path_query(l.detail, '$.percentages[*]') as told where told ->> 'adminId' = a.id)
    or (l.detail ? 'gameId' and l.detail -> 'after' ?| array['unitPrice', 'pays', 'resultMode', 'manualClaims']
      and l.detail ->> 'gameId' in (select g.game_key from wallets w join games g on g.id = w.owner_id where w.network_id = $1)))`;
