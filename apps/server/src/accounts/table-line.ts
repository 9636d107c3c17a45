import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';

/** SQL for a network's table line in hundredths. Default: net credit given to the network, at least 0. */
export const tableLine = (network: string): string =>
  `(select coalesce(admin.table_line, greatest(-border.balance, 0)) from networks own join accounts admin on admin.id = own.admin_id
    join wallets border on border.network_id = ${network} and border.owner_id = own.admin_id and border.kind = ${WALLET_KINDS.boundary}
    where own.id = ${network})`;

/** SQL: a network's tables together are below its line, so no draw opens. */
export const tablesAreBelow = (network: string): string =>
  `(select coalesce(sum(each.balance), 0) from games g join wallets each on each.network_id = ${network} and each.owner_id = g.id and each.kind = ${WALLET_KINDS.table})
    < -${tableLine(network)}`;

/** Hundredths of a percent. */
export const commissionCeiling = (network: string): string =>
  `(select admin.commission_ceiling from networks own join accounts admin on admin.id = own.admin_id where own.id = ${network})`;
