import { memoizeByObject } from '../memoize.ts';
import type { GameRules, Share } from './game-rules.ts';
import type { Hundredths } from './wins.ts';

/** The parts of a bet add up to its stake; the first ones get leftovers. */
export function shareOf(stake: Hundredths, share: Share | undefined): Hundredths {
  if (!share) return stake;
  const of = BigInt(share.of);
  return stake / of + (BigInt(share.nth) < stake % of ? 1n : 0n);
}

/** Returns the largest stake of which at most `limit` counts on this outcome. */
function mostWithin(limit: Hundredths, share: Share | undefined): Hundredths {
  return share ? limit * BigInt(share.of) + BigInt(share.nth) : limit;
}

type CountedOn = { readonly number: string; readonly share: Share | undefined };

const sharedNumbers = memoizeByObject((rules: GameRules): ReadonlyMap<string, readonly CountedOn[]> => {
  const numbers = new Map<string, CountedOn[]>();
  for (const outcome of rules.outcomes)
    for (const { key, share } of rules.outcomeBets(outcome))
      if (share) numbers.set(key, [...(numbers.get(key) ?? []), { number: outcome.drawno, share }]);
  return numbers;
});

/** True if the stakes on a number come from several bets. */
export function hasShares(rules: GameRules): boolean {
  return sharedNumbers(rules).size > 0;
}

/** Without shares, each bet counts as its own number. */
export class NumberStakes {
  readonly #rules: GameRules;
  readonly #stakes = new Map<string, Hundredths>();
  readonly #onNumber = new Map<string, Hundredths>();

  constructor(rules: GameRules, stakes: ReadonlyMap<string, Hundredths>) {
    this.#rules = rules;
    for (const [key, stake] of stakes) this.add(key, stake);
  }

  /** `amount` may be negative, to take back a bet. */
  add(key: string, amount: Hundredths): void {
    const before = this.#stakes.get(key) ?? 0n;
    const after = before + amount;
    this.#stakes.set(key, after);
    for (const { number, share } of this.#numbersOf(key)) {
      const sum = this.#onNumber.get(number) ?? 0n;
      this.#onNumber.set(number, sum + shareOf(after, share) - shareOf(before, share));
    }
  }

  /** Before one of its numbers exceeds the limit. Negative if one already does. */
  leftOn(key: string, limit: Hundredths): Hundredths {
    const stake = this.#stakes.get(key) ?? 0n;
    const most = this.#numbersOf(key).map(({ number, share }) => {
      const others = (this.#onNumber.get(number) ?? 0n) - shareOf(stake, share);
      return mostWithin(limit - others, share) - stake;
    });
    return most.reduce((least, each) => (each < least ? each : least));
  }

  fullest(): Hundredths {
    let most = 0n;
    for (const sum of this.#onNumber.values()) if (sum > most) most = sum;
    return most;
  }

  #numbersOf(key: string): readonly CountedOn[] {
    return sharedNumbers(this.#rules).get(key) ?? [{ number: key, share: undefined }];
  }
}
