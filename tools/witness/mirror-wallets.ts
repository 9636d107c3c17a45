import { MAY_BE_NEGATIVE, WALLET_KINDS, walletKindOf } from '@drawhouse/rules/ledger-kinds';
import type { WalletKind } from '@drawhouse/rules/ledger-kinds';

/** A wallet as the records have it. */
type Wallet = {
  readonly kind: WalletKind;
  /** In hundredths. */
  balance: bigint;
  /** How many movements there were. */
  version: bigint;
  /** Movements since the last look: those that were sealed, and the amounts of those that follow from other records. */
  told: Movement[];
  derived: bigint[];
};

/** A movement as a transfer says it: the number that it is in its wallet's history, and the balance after it. */
type Movement = { readonly version: bigint; readonly amount: bigint; readonly balance: bigint };

/**
 * The wallets of a network, recomputed: from the transfers that are sealed by themselves, and from bets and settlements, whose transfers are not. A
 * transfer says the balance after it and which one of its wallet it is. Of what was sealed together the order is not known: so such a balance is judged
 * where all that followed from other records comes before it, or none does.
 */
export class WalletsOfNetwork {
  readonly #wallets = new Map<string, Wallet>();
  readonly #owned = new Map<string, string>();
  readonly #touched = new Set<string>();
  /** Balances that were compared, and those that could not be. */
  judged = 0;
  unjudged = 0;

  /** How many there are. */
  get count(): number {
    return this.#wallets.size;
  }

  /** Adds a wallet, which begins with nothing. */
  add(id: string, owner: string, kind: number): void {
    if (this.#wallets.has(id)) return;
    this.#wallets.set(id, { kind: walletKindOf(kind), balance: 0n, version: 0n, told: [], derived: [] });
    this.#owned.set(`${kind}:${owner}`, id);
  }

  /** The balance of each wallet, in hundredths, by its number. */
  balances(): ReadonlyMap<string, bigint> {
    return new Map([...this.#wallets].map(([id, { balance }]) => [id, balance]));
  }

  /** One side of a transfer that was sealed; `amount` is below zero where the wallet paid. Gives whether there is such a wallet. */
  tell(id: string, movement: Movement): boolean {
    const wallet = this.#wallets.get(id);
    wallet?.told.push(movement);
    this.#touched.add(id);
    return wallet !== undefined;
  }

  /** A transfer that follows from another record: an amount above zero from one wallet to another, each named by its kind and owner. Gives whether both are there. */
  move(from: readonly [WalletKind, string], to: readonly [WalletKind, string], amount: bigint): boolean {
    const [paying, paid] = [from, to].map(([kind, owner]) => this.#owned.get(`${WALLET_KINDS[kind]}:${owner}`));
    if (paying === undefined || paid === undefined) return false;
    this.#wallets.get(paying)!.derived.push(-amount);
    this.#wallets.get(paid)!.derived.push(amount);
    this.#touched.add(paying).add(paid);
    return true;
  }

  /** Ends a look: all movements that were committed with it are there. Gives what is wrong, as sentences. */
  endLook(): string[] {
    const problems: string[] = [];
    for (const id of this.#touched) {
      const wallet = this.#wallets.get(id);
      if (wallet) problems.push(...this.#settle(wallet).map((problem) => `Wallet ${id}: ${problem}`));
    }
    this.#touched.clear();
    return problems;
  }

  #settle(wallet: Wallet): string[] {
    const { balance, version, derived } = wallet;
    const all = derived.reduce((sum, amount) => sum + amount, 0n);
    const told = wallet.told.toSorted((one, other) => (one.version < other.version ? -1 : 1));
    const problems: string[] = [];
    let sum = 0n;
    let last = 0n;
    for (const [at, movement] of told.entries()) {
      sum += movement.amount;
      const before = movement.version - version - BigInt(at + 1);
      if (before < last || before > BigInt(derived.length)) {
        problems.push(
          `a transfer is its movement ${movement.version}, and the records have ${version + BigInt(at + 1 + derived.length)} at most.`,
        );
        break;
      }
      last = before;
      const due = before === 0n ? balance + sum : before === BigInt(derived.length) ? balance + sum + all : undefined;
      if (due === undefined) this.unjudged++;
      else this.judged++;
      if (due !== undefined && due !== movement.balance)
        problems.push(
          `its movement ${movement.version} leaves ${movement.balance} hundredths; the records give ${due}.`,
        );
    }
    wallet.balance = balance + sum + all;
    wallet.version = version + BigInt(told.length + derived.length);
    if (wallet.balance < 0n && !MAY_BE_NEGATIVE.has(wallet.kind))
      problems.push(`the records give ${wallet.balance} hundredths, below zero.`);
    wallet.told = [];
    wallet.derived = [];
    return problems;
  }
}
