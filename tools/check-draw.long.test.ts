import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { check, checkBy, draw, receipt, RIGHT, sealed } from './check-draw/test/run-check-draw.ts';

const running = { ...draw, status: 'open', seed: null, result: null, resultLabel: null, booster: null, source: null };

describe('the offline check', () => {
  it('reports declared results as not generated and void draws as without result', async () => {
    const declared = await check(JSON.stringify({ ...draw, source: 'declared', result: { drawno: '1' } }));
    expect(declared.output).toContain('declared by an operator, not generated');
    const outside = await check(
      JSON.stringify({ ...draw, source: 'declared', outside: 'National 19:00', result: { drawno: '1' } }),
    );
    expect(outside.output).toContain('The result is that of National 19:00, an outside lottery');
    const voided = await check(JSON.stringify({ ...draw, status: 'void', source: null, result: null, booster: null }));
    expect(voided.output).toContain('voided');
    expect([declared.status, outside.status, voided.status]).toEqual([0, 0, 0]);
    const nothing = { seed: null, source: null, result: null, booster: null };
    for (const voidCause of ['seed', 'operator']) {
      const unreadable = await check(JSON.stringify({ ...draw, ...nothing, status: 'void', voidCause }));
      expect(unreadable.output).toContain('its seed could not be read');
      expect(unreadable.status).toBe(2);
    }
  });

  it('exits with 2 if the draw cannot be checked', async () => {
    const open = await check(JSON.stringify(running));
    expect(open.output).toContain('PROBLEM: The draw is open. It can be checked once it is');
    expect(open.output).toContain(draw.drawsAt);
    const nothing = await check('{}');
    expect(nothing.output).toBe('PROBLEM: Standard input does not contain a published draw.\n');
    expect((await check('no json')).output).toContain('PROBLEM: Standard input contains no JSON.');
    const missing = await check('', path.join(tmpdir(), 'no-such-draw.json'));
    expect(missing.output).toContain('PROBLEM: The file cannot be read: ENOENT');
    expect((await check('', '--step')).output).toContain('PROBLEM: Usage:');
    expect([open.status, nothing.status, missing.status]).toEqual([2, 2, 2]);
  });

  it('prints every number with --steps', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'draw-'));
    const file = path.join(folder, 'draw.json');
    writeFileSync(file, JSON.stringify(draw));
    const { status, output } = await check('', '--steps', file);
    rmSync(folder, { recursive: true });
    expect(status).toBe(0);
    expect(output).toContain(`SHA-256 of it     ${draw.commitment}`);
    expect(output).toMatch(
      /^Block 0 {11}[0-9a-f]{64} {3}HMAC-SHA256\(seed, "0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d:0"\)$/m,
    );
    expect(output).toMatch(
      new RegExp(`^number {12}word 1 = \\d+, mod 12 = \\d+ → ${draw.resultLabel.split(' ')[0]}$`, 'm'),
    );
    expect(output).toMatch(/^booster {11}word 2 = \d+, mod 1000000000 = \d+$/m);
    expect(output).toMatch(/^Booster 1 {9}the weights 1 to 1 sum to \d+ of 1000000000, above \d+$/m);
  });
});

describe('the offline check of tickets', () => {
  it('exits with 2 if a ticket cannot be checked', async () => {
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
      `OK: the digests produce the root published when betting closed, ${sealed['ticketRoot'] as string}.`,
    );
    const wrong = await checkBy('--digests', digests.slice(1));
    expect(wrong.output).toContain('PROBLEM: The draw closed with 5 tickets, not 4.');
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
      body: JSON.stringify({ message: 'An id looks so', fields: { drawId: 'An id looks so' } }),
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

  it('accepts the address of page or JSON', async () => {
    for (const address of ['/fair/D9', '/api/fair/draw/D9', '/house/fair/D9/']) {
      const { status, output } = await check('', url + address);
      expect(output).toContain(RIGHT);
      expect(status).toBe(0);
    }
  });

  it.each([
    ['/fair/none', 'has no such draw. Check that the id is complete.'],
    ['/fair/running', 'PROBLEM: The draw is open'],
    ['/fair/page', 'contains no JSON'],
    ['/fair/huge', 'The answer is longer than any draw'],
    ['/fair/often', 'Too many requests'],
    ['/fair/wrong', 'answered 400: Check the marked fields. An id looks like this'],
    ['/fair/named', 'answered 400: An id looks so\n'],
    ['/elsewhere', 'is not the address of a draw'],
  ])('explains why %s cannot be checked', async (address, sentence) => {
    const { status, output } = await check('', url + address);
    expect(output).toContain(sentence);
    expect(output).not.toContain('    at ');
    expect(status).toBe(2);
  });

  it('reports an unreachable server', async () => {
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
