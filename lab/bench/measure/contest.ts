import { median } from '../fixtures/bench-database.ts';

export interface Reached {
  readonly median: number;
  readonly least: number;
  readonly most: number;
  readonly rounds: readonly number[];
}

/** Runs contestants in turn, round after round, so a slow moment affects all the same. */
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

export function reached(values: readonly number[]): Reached {
  return { median: median(values), least: Math.min(...values), most: Math.max(...values), rounds: values };
}

/** Compares within rounds: a slow round affects both sides. */
export function ratioOf(one: Reached, other: Reached): number {
  return median(one.rounds.map((value, nth) => value / other.rounds[nth]!));
}

const figure = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** Shows three digits, or whole numbers from 1,000. */
export function shown(value: number): string {
  return value >= 1000 ? whole.format(value) : figure.format(value);
}

export function cells({ median: middle, least, most }: Omit<Reached, 'rounds'>): string {
  return `${shown(middle)} | ${shown(least)} to ${shown(most)}`;
}

export interface Promised {
  readonly label: string;
  readonly value: number;
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly unit?: string;
}

export function holds({ value, atLeast = -Infinity, atMost = Infinity }: Promised): boolean {
  return value >= atLeast && value <= atMost;
}

/** Sets exit code 1 if a figure exceeds its limit. */
export function judge(figures: readonly Promised[]): void {
  console.log('\n| figure | measured | to hold | |\n|---|--:|--:|---|');
  for (const promised of figures) {
    const { label, value, atLeast, atMost, unit = '' } = promised;
    const limit = atLeast === undefined ? `≤ ${shown(atMost!)}` : `≥ ${shown(atLeast)}`;
    console.log(`| ${label} | ${shown(value)}${unit} | ${limit}${unit} | ${holds(promised) ? 'held' : '**MISSED**'} |`);
    if (!holds(promised)) process.exitCode = 1;
  }
}
