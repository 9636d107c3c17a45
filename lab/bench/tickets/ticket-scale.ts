export interface Scale {
  /** `seconds`: per contestant and round. */
  readonly seconds: number;
  readonly socketSeconds: number;
  readonly rounds: number;
  readonly players: number;
  /** `winners`: timed settlement. `tickets`: settlement with concurrent bets. */
  readonly winners: number;
  readonly tickets: number;
  readonly unsettled: number;
  readonly stored: readonly number[];
  readonly crowds: readonly number[];
}

/** Scale of docs/performance.md. */
export const FULL: Scale = {
  seconds: 5,
  socketSeconds: 60,
  rounds: 5,
  players: 10_000,
  winners: 50_000,
  tickets: 500_000,
  unsettled: 20_000,
  stored: [1_000_000, 10_000_000],
  crowds: [1_000, 10_000, 100_000],
};

export function toDashedName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Throws if an option is not a positive number. */
export function scaleOf(values: Readonly<Record<string, string | undefined>>): Scale {
  const entries = Object.entries(FULL).map(([name, usual]: [string, number | readonly number[]]) => {
    const text = values[toDashedName(name)];
    if (text === undefined) return [name, usual];
    const numbers = text.split(',').map(Number);
    const isRight = numbers.every((number) => Number.isInteger(number) && number > 0);
    if (!isRight || (typeof usual === 'number' && numbers.length > 1))
      throw new Error(
        `--${toDashedName(name)} is ` +
          `${typeof usual === 'number' ? 'a whole number' : 'whole numbers with commas between'} above 0; not "${text}".`,
      );
    return [name, typeof usual === 'number' ? numbers[0]! : numbers];
  });
  return Object.fromEntries(entries) as Scale;
}
