import { parseArgs } from 'node:util';
import { machine } from '../fixtures/bench-database.ts';

type Figure = number | readonly number[];

export interface BenchPart<Of> {
  readonly label: string;
  readonly run: (of: Of) => Promise<void>;
}

/** Figures from `--name N` or `--name N,N`, else the usual ones, and the named part. */
export function readOptions<Scale extends object>(
  args: readonly string[],
  usual: Scale,
): { readonly scale: Scale; readonly part: string | undefined } {
  const options = Object.keys(usual).map((name) => [toDashedName(name), { type: 'string' as const }] as const);
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: Object.fromEntries(options),
  });
  const figures = Object.entries(usual).map(([name, figure]: [string, Figure]) => {
    const option = toDashedName(name);
    const text = values[option];
    return [name, text === undefined ? figure : readFigure(option, text, typeof figure !== 'number')];
  });
  return { scale: Object.fromEntries(figures) as Scale, part: positionals[0] };
}

function readFigure(option: string, text: string, isList: boolean): Figure {
  const numbers = text.split(',').map(Number);
  if (numbers.some((number) => !Number.isInteger(number) || number < 1) || (!isList && numbers.length > 1))
    throw new Error(
      `--${option} is ${isList ? 'whole numbers with commas between' : 'a whole number'} above 0; not "${text}".`,
    );
  return isList ? numbers : numbers[0]!;
}

function toDashedName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export async function runParts<Of>(
  parts: Readonly<Record<string, BenchPart<Of>>>,
  chosen: string | undefined,
  measure: (run: (of: Of) => Promise<void>) => Promise<void>,
): Promise<void> {
  const found = chosen === undefined ? Object.values(parts) : [parts[chosen]];
  if (found[0] === undefined) {
    const list = Object.entries(parts).map(([name, { label }]) => `  ${name.padEnd(12)}${label}`);
    throw new Error(`There is no part "${chosen}". The parts:\n${list.join('\n')}`);
  }
  console.log(machine());
  await measure(async (of) => {
    for (const part of found) {
      console.log(`\n## ${part!.label}\n`);
      await part!.run(of);
    }
  });
}
