/**
 * Checks a past draw offline: seed, commitment, result and booster. Reads the draw's JSON from its address, its page's
 * address, a file, or standard input.
 *
 * - `--steps` prints every intermediate number.
 * - `--ticket FILE` checks a receipt against the draw's ticket root.
 * - `--digests FILE` checks the digests of all its tickets.
 * - `--seal-key` replaces the key at `/seals/key`, to pin an earlier one.
 *
 * From an address it also checks the seal proofs of the opening and of the receipt. Exit codes: 0 correct, 1 wrong, 2
 * not checkable (missing or not settled).
 *
 *   node tools/check-draw.ts [--steps] https://example.org/fair/0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d
 *   node tools/check-draw.ts draw.json
 *   node tools/check-draw.ts --ticket receipt.json https://example.org/fair/0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d
 */
import { parseArgs } from 'node:util';
import { reportOn, type DrawReport } from './check-draw/draw-report.ts';
import { readKey, readOpening, reportOnOpening } from './check-draw/opening-report.ts';
import { isAddress, readDraw, readJsonFile, Uncheckable, type AnsweredDraw } from './check-draw/read-draw.ts';
import {
  proofIn,
  reportOnSealed,
  reportOnDigests,
  reportOnTicket,
  type SealedReceipt,
} from './check-draw/ticket-reports.ts';

const USAGE =
  'Usage: npm run check-draw -- [--steps] [--seal-key KEY] [--ticket FILE | --digests FILE] [address or file]';

function fail(problems: readonly string[], code: number): void {
  for (const problem of problems) console.error(`PROBLEM: ${problem}`);
  process.exitCode = code;
}

interface Given {
  readonly from: string | undefined;
  readonly steps: boolean;
  readonly ticket: string | undefined;
  readonly digests: string | undefined;
  readonly sealKey: string | undefined;
}

function argumentsGiven(): Given {
  try {
    const { values, positionals } = parseArgs({
      options: {
        steps: { type: 'boolean' },
        ticket: { type: 'string' },
        digests: { type: 'string' },
        'seal-key': { type: 'string' },
      },
      allowPositionals: true,
    });
    const { steps = false, ticket, digests, 'seal-key': sealKey } = values;
    if (positionals.length > 1 || (ticket !== undefined && digests !== undefined)) throw new Uncheckable(USAGE);
    return { from: positionals[0], steps, ticket, digests, sealKey };
  } catch {
    throw new Uncheckable(USAGE);
  }
}

async function report({ from, steps, ticket, digests, sealKey }: Given): Promise<DrawReport> {
  const { draw, cell } = await readDraw(from);
  if (ticket !== undefined) {
    const receipt = await readJsonFile(ticket);
    const found = reportOnTicket(receipt, draw, { steps });
    const proof = proofIn(receipt);
    if (proof === undefined || (sealKey === undefined && !isAddress(from))) return found;
    return together(
      found,
      await reportOnSealed(receipt as SealedReceipt, sealKey ?? (await readKey(from!, proof, cell))),
    );
  }
  if (digests !== undefined) return reportOnDigests(await readJsonFile(digests), draw);
  const found = reportOn(draw, { steps });
  return isAddress(from) && found.code !== 2 ? together(found, await openingOf(from, sealKey, draw)) : found;
}

async function openingOf(from: string, sealKey: string | undefined, draw: AnsweredDraw): Promise<DrawReport> {
  const shown = await readOpening(from, draw.drawId);
  return reportOnOpening({ ...shown, key: sealKey ?? shown.key }, draw);
}

function together(one: DrawReport, other: DrawReport): DrawReport {
  const problems = [...one.problems, ...other.problems];
  return { lines: [...one.lines, ...other.lines], problems, code: one.code > other.code ? one.code : other.code };
}

try {
  const { lines, problems, code } = await report(argumentsGiven());
  for (const line of lines) console.log(line);
  fail(problems, code);
} catch (error) {
  if (!(error instanceof Uncheckable)) throw error;
  fail([error.message], 2);
}
