import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { boosterOdds } from './booster.ts';
import { builtInGame } from './catalogue.ts';
import { commitment, generateDraw } from './fair.ts';
import { rulesFor } from './rules.ts';

const TOOL = fileURLToPath(new URL('../../../tools/check-draw.ts', import.meta.url));

function check(input: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [TOOL], { input, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

describe('the offline check', () => {
  const { gameId, family, digits } = builtInGame('luckycard12')!;
  const rules = rulesFor({ gameId, family, digits });
  const seed = new Uint8Array(32).fill(7);
  const weights = boosterOdds({ baseReturn: 0.9, winPercentage: 95, max: rules.maxBooster });
  const drawn = generateDraw({ rules, weights, seed, drawId: 'D9' });
  const draw = {
    success: true,
    drawId: 'D9',
    number: 9,
    status: 'settled',
    gameId,
    family,
    digits,
    rulesVersion: rules.version,
    weights,
    ticketDigest: '',
    tickets: 0,
    commitment: commitment(seed),
    seed: '07'.repeat(32),
    source: 'generated',
    ...drawn,
    resultLabel: rules.resultLabel(drawn.result),
  };

  it('passes a draw that was generated', () => {
    const { status, output } = check(JSON.stringify(draw));
    expect(output).toContain(
      `the seed gives the published result, ${draw.resultLabel}, and the booster ${draw.booster}`,
    );
    expect(status).toBe(0);
  });

  it('fails and names the problem', () => {
    const { status, output } = check(JSON.stringify({ ...draw, booster: draw.booster + 1 }));
    expect(output).toContain('PROBLEM: The published booster is not the one that the seed gives');
    expect(status).toBe(1);
    expect(check('{}')).toEqual({ status: 1, output: 'PROBLEM: This is no published draw.\n' });
    expect(check('no json').status).toBe(1);
  });

  it('says that a declared result was not generated', () => {
    const { status, output } = check(JSON.stringify({ ...draw, source: 'declared', result: { drawno: '1' } }));
    expect(output).toContain('declared by an operator and not generated');
    expect(status).toBe(0);
  });
});
