/**
 * The kinds of wallet by the number that stands in the tables. Of an account: its `credit`, the `commission` that was not paid out yet,
 * a player's `winnings` that it did not claim yet. Of a game in a network: its `table`, the game balance, and its `escrow`, the stakes that
 * are not drawn yet. `issuance`, one in all, is the counterpart of all credit there is; a `boundary` stands on either side of a
 * network's border.
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
/** One kind of wallet. */
export type WalletKind = keyof typeof WALLET_KINDS;

/** Why credit moves, by the number that stands in the tables. `give` and `takeBack` are what people move down and up the tree. */
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
} as const;
/** One reason for which credit moves. */
export type TransferKind = keyof typeof TRANSFER_KINDS;

const namesOf = <K extends string>(kinds: Record<K, number>): ReadonlyMap<number, K> =>
  new Map((Object.keys(kinds) as K[]).map((name) => [kinds[name], name]));
const WALLET_NAMES = namesOf(WALLET_KINDS);
const TRANSFER_NAMES = namesOf(TRANSFER_KINDS);

/** The kind of wallet that a number of the tables means. */
export function walletKindOf(number: number): WalletKind {
  return WALLET_NAMES.get(number)!;
}

/** The kind of transfer that a number of the tables means. */
export function transferKindOf(number: number): TransferKind {
  return TRANSFER_NAMES.get(number)!;
}

/** The kinds that may be below zero: the source of credit, the two sides of a border, and a house that owes. */
export const MAY_BE_NEGATIVE: ReadonlySet<WalletKind> = new Set<WalletKind>(['issuance', 'boundary', 'table']);

/** The owner of what nobody owns: the issuance of credit. */
export const NOBODY = '00000000-0000-0000-0000-000000000000';

/** The number of the root: superadmins and the issuance of credit. */
export const ROOT_NETWORK = 0;
