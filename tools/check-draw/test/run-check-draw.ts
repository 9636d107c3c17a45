import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { boosterOdds } from '@drawhouse/rules/fair/booster';
import { builtInGame } from '@drawhouse/rules/games/catalogue';
import { commitment, generateDraw } from '@drawhouse/rules/fair/fair';
import { examineSeed } from '@drawhouse/rules/fair/published-seed';
import { rulesFor } from '@drawhouse/rules/games/rules';

const TOOL = fileURLToPath(new URL('../../check-draw.ts', import.meta.url));

export async function check(input: string, ...args: string[]): Promise<{ status: number | null; output: string }> {
  const child = spawn(process.execPath, [TOOL, ...args], { stdio: 'pipe' });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  // A tool that ignores its input closes it.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, output: (await output).join('') };
}

const { gameId, family, digits } = builtInGame('luckycard12')!;
const rules = rulesFor({ gameId, family, digits });
const seed = new Uint8Array(32).fill(7);
const weights = boosterOdds({ baseReturn: 0.9, winPercentage: 95, max: rules.maxBooster });
const drawId = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d';
const opened = {
  drawId,
  gameId,
  family,
  digits,
  rulesVersion: 1,
  unitPrice: 2.5,
  pays: { number: 11.5 },
  resultMode: 'open',
  manualClaims: false,
  closesAt: '2026-01-31T18:29:55.000Z',
  weights,
  commitment: commitment(seed),
  seed: '07'.repeat(32),
};
const drawn = generateDraw({ rules, weights, seed: examineSeed(opened).seed!, drawId });
export const draw = {
  ...opened,
  success: true,
  number: 9,
  status: 'settled',
  drawsAt: '2026-01-31T18:30:00.000Z',
  ticketRoot: '',
  tickets: 0,
  source: 'generated',
  ...drawn,
  resultLabel: rules.resultLabel(drawn.result),
};
export const RIGHT = `the seed gives the published result, ${draw.resultLabel}, and the booster ${draw.booster}`;
const { tickets } = JSON.parse(
  readFileSync(new URL('../../../docs/fairness-vectors.json', import.meta.url), 'utf8'),
) as {
  tickets: { draw: Record<string, unknown>; receipts: Record<string, unknown>[] };
};
/** From docs/fairness-vectors.json. */
export const sealed = tickets.draw;
export const receipt = tickets.receipts[0]!;
export async function checkBy(
  option: string,
  content: unknown,
  of: object = sealed,
  ...more: string[]
): ReturnType<typeof check> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tickets-'));
  const file = path.join(folder, 'content.json');
  writeFileSync(file, JSON.stringify(content));
  const checked = await check(JSON.stringify(of), option, file, ...more);
  rmSync(folder, { recursive: true });
  return checked;
}
