import { ROOT_NETWORK } from '@drawhouse/rules/ledger-kinds';
import { IN_MASSES } from '../ledger/movement-kinds.ts';

/**
 * What a backup holds beside tables of its network: the rows of the root's log that tell of it, without what they tell of others. Where the network is
 * moved to another installation, whose root knows nothing of it, its accounts, percentages and draws follow from these (`moved_activity`).
 */
export const ROOT_TOLD = {
  table: 'root_activity',
  columns: ['seq', 'at', 'id', 'account_id', 'username', 'subject', 'detail'],
} as const;

/** SQL: whether a row `l` of the root's log tells of an account, a transfer or a draw of a network; `but` is an account that is not meant. */
export function tellsOfNetwork(network: string, but = 'null'): string {
  return `((l.detail ? 'accountId' and l.detail ->> 'accountId' is distinct from ${but}::text
      and l.detail ->> 'accountId' in (select id::text from accounts where network_id = ${network}))
    or (l.detail ? 'transferId' and l.detail ->> 'transferId' in (
      select t.id::text from transfers t where t.network_id = ${network} and t.kind not in ${IN_MASSES}))
    or (l.detail ? 'drawId' and exists (select from draws d where d.network_id = ${network} and d.id = (l.detail ->> 'drawId')::uuid)))`;
}

/**
 * SELECT of the columns of {@link ROOT_TOLD} for the network `$1`, in which rows count from the end of the log, that is 0, down. Where a superadmin was
 * when it did something is not the network's to know, nor what it told of others in the same row.
 */
export const SELECT_ROOT_TOLD = `select l.seq - h.seq as seq, l.at, l.id, l.account_id, l.username,
    case when l.detail ? 'percentages' then 'Set win percentages' else l.subject end as subject,
    case when l.detail ? 'percentages' then jsonb_build_object('percentages', coalesce(
      (select jsonb_agg(told) from jsonb_path_query(l.detail, '$.percentages[*]') as told where told ->> 'adminId' = a.id), '[]'))
    else l.detail end as detail
  from activity l join activity_heads h on h.network_id = l.network_id
  cross join (select admin_id::text as id from networks where id = $1) as a
  where l.network_id = ${ROOT_NETWORK} and l.detail is not null and l.seq not in (select seq from undone_activity where network_id = $1) and (
    ${tellsOfNetwork('$1')}
    or (l.detail ? 'limits' and l.detail ->> 'adminId' = a.id)
    or exists (select from jsonb_path_query(l.detail, '$.percentages[*]') as told where told ->> 'adminId' = a.id)
    or (l.detail ? 'gameId' and l.detail -> 'after' ?| array['unitPrice', 'pays', 'resultMode', 'manualClaims']
      and l.detail ->> 'gameId' in (select g.game_key from wallets w join games g on g.id = w.owner_id where w.network_id = $1)))`;
