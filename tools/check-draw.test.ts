import { describe, expect, it } from 'vitest';
import { jsonAddress } from './check-draw/read-draw.ts';
import { check, checkBy, draw, receipt, RIGHT, sealed } from './check-draw/test/run-check-draw.ts';

describe('the offline check', () => {
  it('passes a generated draw', async () => {
    const { status, output } = await check(JSON.stringify(draw));
    expect(output).toContain(RIGHT);
    expect(status).toBe(0);
  });

  it('fails and names the problem', async () => {
    const { status, output } = await check(JSON.stringify({ ...draw, booster: draw.booster + 1 }));
    expect(output).toContain('PROBLEM: The published booster differs from the one that the seed gives');
    expect(status).toBe(1);
  });
});

describe('the offline check of tickets', () => {
  it('proves a ticket by its receipt and prints every number with --steps', async () => {
    const { status, output } = await checkBy('--ticket', receipt, sealed, '--steps');
    expect(output).toContain('OK: it was ticket 3 of 5 when the draw closed.');
    expect(output).toMatch(
      new RegExp(`^Node {14}${sealed['ticketRoot'] as string} {3}with [0-9a-f]{64} on the right$`, 'm'),
    );
    expect(output).toContain('["01a1f0c2-5d3e-7000-b6c8-0f93ad7e2154"');
    expect(status).toBe(0);
  });

  it('names the problem of a receipt', async () => {
    const { status, output } = await checkBy('--ticket', { ...receipt, stake: '1' });
    expect(output).toContain('PROBLEM: The digest does not match what the ticket says.');
    expect(status).toBe(1);
  });
});

it('recognizes addresses of draws', () => {
  expect(jsonAddress('https://a.example/fair/x?from=1#top').href).toBe('https://a.example/api/fair/draw/x');
  for (const address of ['https://a.example/', 'https://a.example/fair', 'https://a.example/draw/x', 'https://'])
    expect(() => jsonAddress(address)).toThrow('is not the address of a draw');
});
