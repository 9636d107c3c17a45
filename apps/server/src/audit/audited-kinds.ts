import { ROOT_NETWORK, TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { sql } from '../platform/db/sql/sql.ts';

export const WALLETS = sql.lits(WALLET_KINDS);
export const TRANSFERS = sql.lits(TRANSFER_KINDS);
export const ROOT = sql.lit(ROOT_NETWORK);
