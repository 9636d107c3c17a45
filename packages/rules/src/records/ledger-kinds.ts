/**
 * Stored by number. Per account: `credit`, unpaid `commission`, a player's unclaimed `winnings`. Per game and network:
 * `table` (game balance), `escrow` (undrawn stakes). `issuance` is the single counterpart of all credit; `boundary`
 * wallets are on both sides of a network border.
 */
export const WALLET_KINDS = {
  credit: 1,
  commission: 2,
  winnings: 3,
  table: 4,
  escrow: 5,
  issuance: 6,
  boundary: 7,
} as const;
export type WalletKind = keyof typeof WALLET_KINDS;

/** Stored by number. `give` and `takeBack` move credit down and up the tree. */
export const TRANSFER_KINDS = {
  issue: 1,
  retire: 2,
  give: 3,
  takeBack: 4,
  'table-add': 5,
  'table-reset': 6,
  stake: 7,
  refund: 8,
  collect: 9,
  win: 10,
  commission: 11,
  payout: 12,
  return: 13,
  claim: 14,
  restore: 15,
  cover: 16,
  correct: 17,
} as const;
export type TransferKind = keyof typeof TRANSFER_KINDS;

const namesOf = <K extends string>(kinds: Record<K, number>): ReadonlyMap<number, K> =>
  new Map((Object.keys(kinds) as K[]).map((name) => [kinds[name], name]));
const WALLET_NAMES = namesOf(WALLET_KINDS);
const TRANSFER_NAMES = namesOf(TRANSFER_KINDS);

export function walletKindOf(number: number): WalletKind {
  return WALLET_NAMES.get(number)!;
}

export function transferKindOf(number: number): TransferKind {
  return TRANSFER_NAMES.get(number)!;
}

/** Source of credit, boundary pairs, and game tables in debt. */
export const MAY_BE_NEGATIVE: ReadonlySet<WalletKind> = new Set<WalletKind>(['issuance', 'boundary', 'table']);

export const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Superadmins and issuance. */
export const ROOT_NETWORK = 0;

/** Columns of `liability_days`. Their sum is always zero. */
export const HOLDINGS = [
  'player_credit',
  'staff_credit',
  'escrow',
  'winnings',
  'commission',
  'tables',
  'outside',
] as const;
export type Holding = (typeof HOLDINGS)[number];

const MASS_KINDS = ['stake', 'collect', 'win', 'commission'] as const;

/** The index on ids leaves these out. A lookup by id without this condition reads all transfers of the network. */
export const IN_MASSES = `(${MASS_KINDS.map((kind) => TRANSFER_KINDS[kind]).join(', ')})`;
