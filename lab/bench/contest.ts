import { median } from './bench-database.ts';

/** What a contestant reached in the rounds of a contest. */
export interface Reached {
  readonly median: number;
  readonly least: number;
  readonly most: number;
  /** Round by round. */
  readonly rounds: readonly number[];
}

/** Lets contestants run one after the other, and that so many times, so that a slow moment of the machine touches all alike. */
export async function byTurns<Name extends string>(
  rounds: number,
  contestants: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, Reached>> {
  const names = Object.keys(contestants) as Name[];
  const values = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const name of names) values.get(name)!.push(await contestants[name]());
  return Object.fromEntries(names.map((name) => [name, reached(values.get(name)!)])) as Record<Name, Reached>;
}

/** The middle, the least and the most of some values. */
export function reached(values: readonly number[]): Reached {
  return { median: median(values), least: Math.min(...values), most: Math.max(...values), rounds: values };
}

/** What one reached for each of another's: the middle of the ratios of all rounds, as what slows a round touches both. */
export function ratioOf(one: Reached, other: Reached): number {
  return median(one.rounds.map((value, nth) => value / other.rounds[nth]!));
}

const figure = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** A figure for a table: whole numbers in full, others with three digits. */
export function shown(value: number): string {
  return value >= 1000 ? whole.format(value) : figure.format(value);
}

/** The middle, and from the least to the most, as two cells of a table. */
export function cells({ median: middle, least, most }: Omit<Reached, 'rounds'>): string {
  return `${shown(middle)} | ${shown(least)} to ${shown(most)}`;
}

/** A figure that has to hold. */
export interface Promised {
  /** What it is, such as `the engine ÷ TPC-B`. */
  readonly says: string;
  readonly value: number;
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly unit?: string;
}

/** Whether a figure holds. What could not be measured does not. */
export function holds({ value, atLeast = -Infinity, atMost = Infinity }: Promised): boolean {
  return value >= atLeast && value <= atMost;
}

/** Prints figures with whether they hold, as a table; the program then ends with 1 where one does not. */
export function judge(figures: readonly Promised[]): void {
  console.log('\n| figure | measured | to hold | |\n|---|--:|--:|---|');
  for (const promised of figures) {
    const { says, value, atLeast, atMost, unit = '' } = promised;
    const limit = atLeast === undefined ? `≤ ${shown(atMost!)}` : `≥ ${shown(atLeast)}`;
    console.log(`| ${says} | ${shown(value)}${unit} | ${limit}${unit} | ${holds(promised) ? 'held' : '**MISSED**'} |`);
    if (!holds(promised)) process.exitCode = 1;
  }
}
