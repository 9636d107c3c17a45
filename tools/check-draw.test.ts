import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { boosterOdds } from '@drawhouse/rules/booster';
import { builtInGame } from '@drawhouse/rules/catalogue';
import { commitment, generateDraw } from '@drawhouse/rules/fair';
import { rulesFor } from '@drawhouse/rules/rules';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { jsonAddress } from './check-draw/read-draw.ts';

const TOOL = fileURLToPath(new URL('check-draw.ts', import.meta.url));

async function check(input: string, ...args: string[]): Promise<{ status: number | null; output: string }> {
  const child = spawn(process.execPath, [TOOL, ...args], { stdio: 'pipe' });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  // A tool that does not read its input has closed it.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, output: (await said).join('') };
}

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
  drawsAt: '2026-01-31T18:30:00.000Z',
  gameId,
  family,
  digits,
  rulesVersion: 1,
  unitPrice: 2.5,
  pays: { number: 11.5 },
  weights,
  ticketRoot: '',
  tickets: 0,
  commitment: commitment(seed),
  seed: '07'.repeat(32),
  source: 'generated',
  ...drawn,
  resultLabel: rules.resultLabel(drawn.result),
};
const RIGHT = `the seed gives the published result, ${draw.resultLabel}, and the booster ${draw.booster}`;
const running = { ...draw, status: 'open', seed: null, result: null, resultLabel: null, booster: null, source: null };

// Each check is a program that starts.
vi.setConfig({ testTimeout: 60_000 });

describe('the offline check', () => {
  it('passes a draw that was generated', async () => {
    const { status, output } = await check(JSON.stringify(draw));
    expect(output).toContain(RIGHT);
    expect(status).toBe(0);
  });

  it('fails and names the problem', async () => {
    const { status, output } = await check(JSON.stringify({ ...draw, booster: draw.booster + 1 }));
    expect(output).toContain('PROBLEM: The published booster is not the one that the seed gives');
    expect(status).toBe(1);
  });

  it('says that a declared result was not generated, and that a void draw has none', async () => {
    const declared = await check(JSON.stringify({ ...draw, source: 'declared', result: { drawno: '1' } }));
    expect(declared.output).toContain('declared by an operator and not generated');
    const voided = await check(JSON.stringify({ ...draw, status: 'void', source: null, result: null, booster: null }));
    expect(voided.output).toContain('voided');
    expect([declared.status, voided.status]).toEqual([0, 0]);
    const nothing = { seed: null, source: null, result: null, booster: null };
    for (const voidCause of ['seed', 'operator']) {
      const unreadable = await check(JSON.stringify({ ...draw, ...nothing, status: 'void', voidCause }));
      expect(unreadable.output).toContain('its seed could not be read');
      expect(unreadable.status).toBe(2);
    }
  });

  it('ends with 2 where there is nothing to check yet, or at all', async () => {
    const open = await check(JSON.stringify(running));
    expect(open.output).toContain(
      'PROBLEM: The draw is open: its seed is published, and it can be checked, once it is',
    );
    expect(open.output).toContain(draw.drawsAt);
    const nothing = await check('{}');
    expect(nothing.output).toBe('PROBLEM: What Standard input has is no published draw.\n');
    expect((await check('no json')).output).toContain('PROBLEM: Standard input has no JSON.');
    const missing = await check('', path.join(tmpdir(), 'no-such-draw.json'));
    expect(missing.output).toContain('PROBLEM: The file cannot be read: ENOENT');
    expect((await check('', '--step')).output).toContain('PROBLEM: Usage:');
    expect([open.status, nothing.status, missing.status]).toEqual([2, 2, 2]);
  });

  it('shows every number on the way with --steps', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'draw-'));
    const file = path.join(folder, 'draw.json');
    writeFileSync(file, JSON.stringify(draw));
    const { status, output } = await check('', '--steps', file);
    rmSync(folder, { recursive: true });
    expect(status).toBe(0);
    expect(output).toContain(`SHA-256 of it     ${draw.commitment}`);
    expect(output).toMatch(/^Block 0 {11}[0-9a-f]{64} {3}HMAC-SHA256\(seed, "D9:0"\)$/m);
    expect(output).toMatch(
      new RegExp(`^number {12}word 1 = \\d+, mod 12 = \\d+ → ${draw.resultLabel.split(' ')[0]}$`, 'm'),
    );
    expect(output).toMatch(/^booster {11}word 2 = \d+, mod 1000000000 = \d+$/m);
    expect(output).toMatch(/^Booster 1 {9}the weights 1 to 1 sum to \d+ of 1000000000, above \d+$/m);
  });
});

describe('the offline check of tickets', () => {
  const page = readFileSync(new URL('../docs/fairness.md', import.meta.url), 'utf8');
  const examples = [...page.matchAll(/```json\n([^]*?)```/g)].map(
    ([, json]) => JSON.parse(json!) as Record<string, unknown>,
  );
  const sealed = examples.find((example) => 'digests' in example)!;
  const receipt = examples.find((example) => 'path' in example)!;
  const folder = mkdtempSync(path.join(tmpdir(), 'tickets-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const checkBy = (option: string, content: unknown, of: object = sealed, ...more: string[]) => {
    const file = path.join(folder, 'content.json');
    writeFileSync(file, JSON.stringify(content));
    return check(JSON.stringify(of), option, file, ...more);
  };

  it('proves a ticket by its receipt, and shows every number on the way with --steps', async () => {
    const { status, output } = await checkBy('--ticket', receipt, sealed, '--steps');
    expect(output).toContain('OK: it was ticket 3 of the 5 that the draw was closed with.');
    expect(output).toMatch(
      new RegExp(`^Node {14}${sealed['ticketRoot'] as string} {3}with [0-9a-f]{64} on the right$`, 'm'),
    );
    expect(output).toContain('["01a1f0c2-5d3e-7000-b6c8-0f93ad7e2154"');
    expect(status).toBe(0);
  });

  it('names what is wrong with a receipt', async () => {
    const { status, output } = await checkBy('--ticket', { ...receipt, stake: '1' });
    expect(output).toContain('PROBLEM: The digest is not that of what the ticket says.');
    expect(status).toBe(1);
  });

  it('ends with 2 where a ticket can not be checked yet, or is none', async () => {
    const early = { ...receipt, index: null, size: null, path: null };
    const open = await checkBy('--ticket', early, { ...sealed, ticketRoot: null, tickets: null });
    expect(open.output).toContain('PROBLEM: Betting on the draw is open');
    const none = await checkBy('--ticket', {});
    expect(none.output).toContain('PROBLEM: A receipt has the ids');
    const both = await checkBy('--ticket', receipt, sealed, '--digests', 'x');
    expect(both.output).toContain('PROBLEM: Usage:');
    expect([open.status, none.status, both.status]).toEqual([2, 2, 2]);
  });

  it('checks all digests of a draw', async () => {
    const digests = sealed['digests'] as string[];
    const right = await checkBy('--digests', digests);
    expect(right.output).toContain(
      `OK: they give what the draw published when betting closed, ${sealed['ticketRoot'] as string}.`,
    );
    const wrong = await checkBy('--digests', digests.slice(1));
    expect(wrong.output).toContain('PROBLEM: The draw was closed with 5 tickets, not 4.');
    expect(wrong.output).toContain('PROBLEM: The digests give ');
    expect([right.status, wrong.status]).toEqual([0, 1]);
  });
});

describe('the check by address', () => {
  let server: Server;
  let url: string;
  const answers: Record<string, { status?: number; body: string }> = {
    '/api/fair/draw/D9': { body: JSON.stringify(draw) },
    '/house/api/fair/draw/D9': { body: JSON.stringify(draw) },
    '/api/fair/draw/running': { body: JSON.stringify(running) },
    '/api/fair/draw/page': { body: '<!doctype html>' },
    '/api/fair/draw/huge': { body: `"${'x'.repeat(20_000_000)}"` },
    '/api/fair/draw/often': { status: 429, body: '{}' },
    '/api/fair/draw/wrong': {
      status: 400,
      body: JSON.stringify({ message: 'Check the marked fields.', fields: { drawId: 'An id looks like this' } }),
    },
    '/api/fair/draw/named': {
      status: 400,
      body: JSON.stringify({ message: 'drawId: An id looks so', fields: { drawId: 'An id looks so' } }),
    },
  };

  beforeAll(async () => {
    server = createServer((request, response) => {
      const { status = 200, body } = answers[request.url ?? ''] ?? { status: 404, body: '{}' };
      response
        .on('error', () => undefined)
        .writeHead(status)
        .end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  it('takes the address of the page and that of the JSON', async () => {
    for (const address of ['/fair/D9', '/api/fair/draw/D9', '/house/fair/D9/']) {
      const { status, output } = await check('', url + address);
      expect(output).toContain(RIGHT);
      expect(status).toBe(0);
    }
  });

  it('knows an address of a draw', () => {
    expect(jsonAddress('https://a.example/fair/x?from=1#top').href).toBe('https://a.example/api/fair/draw/x');
    for (const address of ['https://a.example/', 'https://a.example/fair', 'https://a.example/draw/x', 'https://'])
      expect(() => jsonAddress(address)).toThrow('is no address of a draw');
  });

  it.each([
    ['/fair/none', 'has no such draw. Is the id whole?'],
    ['/fair/running', 'PROBLEM: The draw is open'],
    ['/fair/page', 'has no JSON'],
    ['/fair/huge', 'The answer is longer than any draw'],
    ['/fair/often', 'was asked too often'],
    ['/fair/wrong', 'answered 400: Check the marked fields. An id looks like this'],
    ['/fair/named', 'answered 400: drawId: An id looks so\n'],
    ['/elsewhere', 'is no address of a draw'],
  ])('says in a sentence why %s cannot be checked', async (address, sentence) => {
    const { status, output } = await check('', url + address);
    expect(output).toContain(sentence);
    expect(output).not.toContain('    at ');
    expect(status).toBe(2);
  });

  it('says that nobody answers', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    free.close();
    await once(free, 'close');
    const { status, output } = await check('', `http://127.0.0.1:${port}/fair/D9`);
    expect(output).toMatch(/PROBLEM: 127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/);
    expect(status).toBe(2);
  });
});
