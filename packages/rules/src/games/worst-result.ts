import type { GameRules, Result } from './game-rules.ts';
import { memoizeByObject } from '../memoize.ts';
import { winHundredths, type Hundredths } from './wins.ts';

export type WorstResult = { result: Result; pays: Hundredths };

type Win = { choice: number; value: number; payHundredths: number };

const winsOf = memoizeByObject((rules: GameRules): ReadonlyMap<string, readonly Win[]> => {
  const wins = new Map<string, Win[]>();
  for (const [choice, values] of rules.choices.entries()) {
    for (const [value, outcomes] of values.entries()) {
      for (const { key, payHundredths } of outcomes.flatMap(rules.outcomeBets)) {
        const win = { choice, value, payHundredths };
        const others = wins.get(key);
        if (others) others.push(win);
        else wins.set(key, [win]);
      }
    }
  }
  return wins;
});

/**
 * Finds the result with the highest payout, given stakes per bet key in hundredths. First one on ties; null if no
 * result pays. Choices are independent, so each is maximized alone: time grows with staked bets, not with results.
 */
export function worstResult(
  rules: GameRules,
  stakes: ReadonlyMap<string, Hundredths>,
  booster = 1,
): WorstResult | null {
  const wins = winsOf(rules);
  const pays: Map<number, Hundredths>[] = rules.choices.map(() => new Map());
  for (const [key, unitPrice] of stakes) {
    if (unitPrice === 0n) continue;
    for (const { choice, value, payHundredths } of wins.get(key) ?? []) {
      const of = pays[choice]!;
      of.set(value, (of.get(value) ?? 0n) + winHundredths({ unitPrice, qty: 1, payHundredths, booster }));
    }
  }
  const worst = pays.map(largest);
  const total = worst.reduce((sum, each) => sum + each.pays, 0n);
  if (total === 0n) return null;
  const values = worst.values();
  return { result: rules.draw(() => values.next().value!.value), pays: total };
}

function largest(pays: ReadonlyMap<number, Hundredths>): { value: number; pays: Hundredths } {
  let worst = { value: 0, pays: 0n };
  for (const [value, paid] of pays) {
    if (paid > worst.pays || (paid === worst.pays && paid > 0n && value < worst.value)) worst = { value, pays: paid };
  }
  return worst;
}

/** Adding a bet costs time proportional to its own wins. */
export interface RunningWorst {
  with(stakes: Iterable<readonly [key: string, stake: Hundredths]>): Hundredths;
  add(stakes: Iterable<readonly [key: string, stake: Hundredths]>): void;
}

export function runningWorst(rules: GameRules, stakes: ReadonlyMap<string, Hundredths>, booster: number): RunningWorst {
  const wins = winsOf(rules);
  const staked = new Map<string, Hundredths>();
  const pays: Map<number, Hundredths>[] = rules.choices.map(() => new Map());
  const most: Hundredths[] = rules.choices.map(() => 0n);

  function added(more: Iterable<readonly [string, Hundredths]>): Map<number, Hundredths>[] {
    const sums = new Map<string, Hundredths>();
    for (const [key, stake] of more) sums.set(key, (sums.get(key) ?? 0n) + stake);
    const extra: Map<number, Hundredths>[] = rules.choices.map(() => new Map());
    for (const [key, stake] of sums) {
      const before = staked.get(key) ?? 0n;
      for (const { choice, value, payHundredths } of wins.get(key) ?? []) {
        const won = (unitPrice: Hundredths): Hundredths => winHundredths({ unitPrice, qty: 1, payHundredths, booster });
        extra[choice]!.set(value, (extra[choice]!.get(value) ?? 0n) + won(before + stake) - won(before));
      }
    }
    return extra;
  }

  function worstOf(choice: number, extra: ReadonlyMap<number, Hundredths>): Hundredths {
    let worst = most[choice]!;
    for (const [value, more] of extra) {
      const paid = (pays[choice]!.get(value) ?? 0n) + more;
      if (paid > worst) worst = paid;
    }
    return worst;
  }

  const running: RunningWorst = {
    with: (more) => added(more).reduce((sum, extra, choice) => sum + worstOf(choice, extra), 0n),
    add(more) {
      const all = [...more];
      for (const [choice, extra] of added(all).entries()) {
        most[choice] = worstOf(choice, extra);
        for (const [value, gained] of extra) pays[choice]!.set(value, (pays[choice]!.get(value) ?? 0n) + gained);
      }
      for (const [key, stake] of all) staked.set(key, (staked.get(key) ?? 0n) + stake);
    },
  };
  running.add(stakes);
  return running;
}
