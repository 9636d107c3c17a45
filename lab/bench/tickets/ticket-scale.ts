/** How long and how large a bench is: what a part does not need it does not read. */
export interface Scale {
  /** Seconds of each contestant in each round, and of the sockets' one run. */
  readonly seconds: number;
  readonly socketSeconds: number;
  readonly rounds: number;
  readonly players: number;
  /** Winning tickets of the settlement that is timed, and tickets of the one that bets go on beside. */
  readonly winners: number;
  readonly tickets: number;
  /** Tickets of the unsettled draw beside which bets are taken. */
  readonly unsettled: number;
  /** Stored tickets, and players, among which growth is looked for. */
  readonly stored: readonly number[];
  readonly crowds: readonly number[];
}

/** What the figures of docs/performance.md are measured at. */
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

/** How an option is written: `socketSeconds` as `socket-seconds`. */
export function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The whole scale, with what the options say otherwise. Throws where one is no number above 0. */
export function scaleOf(values: Readonly<Record<string, string | undefined>>): Scale {
  const entries = Object.entries(FULL).map(([name, usual]: [string, number | readonly number[]]) => {
    const text = values[dashed(name)];
    if (text === undefined) return [name, usual];
    const numbers = text.split(',').map(Number);
    const isRight = numbers.every((number) => Number.isInteger(number) && number > 0);
    if (!isRight || (typeof usual === 'number' && numbers.length > 1))
      throw new Error(
        `--${dashed(name)} is ${typeof usual === 'number' ? 'a whole number' : 'whole numbers with commas between'} above 0; not "${text}".`,
      );
    return [name, typeof usual === 'number' ? numbers[0]! : numbers];
  });
  return Object.fromEntries(entries) as Scale;
}
