/**
 * Checks a past draw offline: reads the JSON of `GET fair/draw/{id}` from the file that is named, or from standard input, and
 * prints whether seed, commitment, result and booster match. Exits with 1, each problem named, when something does not.
 *
 *   node tools/check-draw.ts draw.json
 */
import { readFileSync } from 'node:fs';
import { isGenerated, verifyDraw } from '@drawhouse/rules/fair';
import type { PublishedDraw } from '@drawhouse/rules/fair';
import { rulesFor } from '@drawhouse/rules/rules';

const STANDARD_INPUT = 0;

function fail(problems: readonly string[]): never {
  for (const problem of problems) console.error(`PROBLEM: ${problem}`);
  process.exit(1);
}

function labelOf(draw: PublishedDraw): string {
  const { gameId, family, digits, result } = draw;
  return result === null ? 'none' : rulesFor({ gameId, family, digits }).resultLabel(result);
}

function readPublished(path: string | undefined): PublishedDraw & { number?: number } {
  try {
    const body: unknown = JSON.parse(readFileSync(path ?? STANDARD_INPUT, 'utf8'));
    if (typeof body !== 'object' || body === null || !('commitment' in body))
      return fail(['This is no published draw.']);
    return body as PublishedDraw;
  } catch (error) {
    return fail([`The draw cannot be read: ${(error as Error).message}`]);
  }
}

const draw = readPublished(process.argv[2]);
console.log(`Draw ${draw.drawId} (number ${draw.number}) of the game ${draw.gameId}, committed to ${draw.commitment}`);

const check = verifyDraw(draw);
if (!check.ok) fail(check.problems);

console.log('OK: the seed is the one that was committed to.');
if (isGenerated(draw)) {
  // Labelled here, not by the server: only the result itself was checked.
  console.log(`OK: the seed gives the published result, ${labelOf(draw)}, and the booster ${draw.booster}.`);
} else if (draw.status === 'void') {
  console.log('The draw was voided: it has no result to check.');
} else {
  console.log('The result was declared by an operator and not generated: it does not follow from the seed.');
}
