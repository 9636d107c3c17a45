/**
 * Checks a past draw offline: reads what `GET /api/fair/draw/{id}` answers from the address of the draw or of its page, from the file
 * that is named, or from standard input, and prints whether seed, commitment, result and booster match; with `--steps` every
 * number on the way. Ends with 0 where all is right, 1 where something is wrong, each problem named, and 2 where the draw could not
 * be checked: there is none, or it is not settled yet.
 *
 *   node tools/check-draw.ts [--steps] https://example.org/fair/0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d
 *   node tools/check-draw.ts draw.json
 */
import { parseArgs } from 'node:util';
import { reportOn } from './check-draw/draw-report.ts';
import { readDraw, Uncheckable } from './check-draw/read-draw.ts';

const USAGE = 'Usage: npm run check-draw -- [--steps] [address or file]';

function fail(problems: readonly string[], code: number): void {
  for (const problem of problems) console.error(`PROBLEM: ${problem}`);
  process.exitCode = code;
}

function argumentsGiven(): { from: string | undefined; steps: boolean } {
  try {
    const { values, positionals } = parseArgs({ options: { steps: { type: 'boolean' } }, allowPositionals: true });
    if (positionals.length > 1) throw new Uncheckable(USAGE);
    return { from: positionals[0], steps: values.steps ?? false };
  } catch {
    throw new Uncheckable(USAGE);
  }
}

try {
  const { from, steps } = argumentsGiven();
  const { lines, problems, code } = reportOn(await readDraw(from), { steps });
  for (const line of lines) console.log(line);
  fail(problems, code);
} catch (error) {
  if (!(error instanceof Uncheckable)) throw error;
  fail([error.message], 2);
}
