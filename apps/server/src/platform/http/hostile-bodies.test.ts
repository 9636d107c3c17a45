import { login } from '@drawhouse/contract/auth/auth';
import { placeBet } from '@drawhouse/contract/tickets/tickets';
import { BODY_LIMIT_BYTES, type Route } from '@drawhouse/contract/core/route';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallError } from './http-errors.ts';
import { parseJsonBody } from './request/json-body.ts';
import { validatorOf } from './request/validate.ts';
import { nameOf, ROUTES } from '../../../test/routes/contract-routes.ts';

const HOLD_MAX_MS = 50;
const ANSWER_MAX_BYTES = 16 * 1024;

const limitOf = (route: Route): number => route.bodyLimit ?? BODY_LIMIT_BYTES;

function read(route: Route, text: string): number {
  const params = Object.fromEntries(Object.keys(route.params ?? {}).map((name) => [name, 'none']));
  try {
    validatorOf(route)({ params, query: {}, body: parseJsonBody(text) });
    return 0;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return Buffer.byteLength(JSON.stringify(error.toBody('01ARZ3NDEKTSV4RRFFQ69G5FAV')));
  }
}

/** Best CPU time of several runs, because the machine is shared. */
function holdMs(route: Route, text: string): number {
  let best = Infinity;
  for (let round = 0; round < 4 && best > HOLD_MAX_MS / 4; round++) {
    const start = process.threadCpuUsage();
    read(route, text);
    const { user, system } = process.threadCpuUsage(start);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

function expectHarmless(route: Route, text: string): void {
  expect(text.length).toBeLessThanOrEqual(limitOf(route));
  expect(read(route, text)).toBeLessThanOrEqual(ANSWER_MAX_BYTES);
  expect(holdMs(route, text)).toBeLessThan(HOLD_MAX_MS);
}

function filled(limit: number, begin: string, piece: string, end: string): string {
  return begin + piece.repeat(Math.max(0, Math.floor((limit - begin.length - end.length) / piece.length))) + end;
}

const SHAPES: Record<string, [begin: string, piece: string, end: string]> = {
  'nested lists of refused numbers': ['[1e5', ',[1e5]', ']'],
  'lists in lists': ['', '[', ''],
  'objects in objects': ['', '{"a":', ''],
  'many keys': ['{"x":1e5', ',"k":{"a":1e5}', '}'],
  'long names': ['{"', 'k', '":1e5}'],
  'one long number': ['{"points":1.', '0', '1}'],
  'one long whole number': ['{"points":', '9', '}'],
  'one long exponent': ['{"points":1e', '9', '}'],
  'digits and dots': ['["', '1.1.1.1.1.1.1.x', '"]'],
  'almost escapes': ['["', String.raw`\\u000`, '"]'],
  'NUL characters': ['["', String.raw`\u0000`, '"]'],
  'half characters': ['["', String.raw`\ud800`, '"]'],
  'minus zeros': ['[-0', ',-0', ']'],
  backslashes: ['["', String.raw`\\`, '"]'],
  quotes: ['[""', ',""', ']'],
  spaces: ['{"a":1e5', ' ', '}'],
  'no end': ['["', 'x', ''],
  'wrong lines': ['{"lines":[null', ',{"drawno":null,"head":1,"series":1,"subseries":1,"qty":-0}', ']}'],
  'a thousand wrong lines': ['{"lines":[null', ',{"drawno":[],"qty":"x"}', ']}'],
  'empty lines': ['{"lines":[{}', ',{}', ']}'],
};

describe('a body up to the limit', () => {
  const bodies = ROUTES.filter((route) => route.body);
  const byLimit = [...new Map(bodies.map((route) => [limitOf(route), route])).values()];

  it.each(Object.entries(SHAPES))('of %s blocks nobody', (_name, [begin, piece, end]) => {
    for (const route of byLimit) expectHarmless(route, filled(limitOf(route), begin, piece, end));
  });

  it('in any pieces blocks no other call', () => {
    const piece = fc.constantFrom(
      ...Array.from('[]{},:"\\.-+eE019 \n'),
      '1e5',
      '"a"',
      '"k":',
      String.raw`\u0000`,
      String.raw`\ud800`,
      '99999',
    );
    const text = fc.tuple(fc.array(piece, { maxLength: 8 }), fc.array(piece, { minLength: 1, maxLength: 8 }));
    fc.assert(
      fc.property(text, fc.array(piece, { maxLength: 8 }), ([begin, middle], end) =>
        expectHarmless(placeBet, filled(limitOf(placeBet), begin.join(''), middle.join(''), end.join(''))),
      ),
      { numRuns: 150 },
    );
  });

  it('with wrong values in every field blocks no other call', () => {
    for (const route of bodies) {
      const names = Object.keys((route.body as unknown as { _zod: { def: { shape: object } } })._zod.def.shape);
      for (const wrong of [
        'x'.repeat(limitOf(route) / names.length - 40),
        '1.'.repeat(5_000),
        [[], {}, null],
        { a: 1 },
      ]) {
        const text = JSON.stringify(Object.fromEntries(names.map((name) => [name, wrong])));
        if (text.length <= limitOf(route)) expectHarmless(route, text);
      }
    }
  });

  it("has a small limit without a session, and elsewhere the calls' own", () => {
    for (const route of ROUTES) {
      const most = route.access === 'public' ? 16 : /^POST accounts\/(check-)?import$/.test(nameOf(route)) ? 1000 : 256;
      expect(limitOf(route), `at ${nameOf(route)}`).toBeLessThanOrEqual(most * 1024);
      if (!route.body) expect(route.bodyLimit, `at ${nameOf(route)}`).toBeUndefined();
    }
    expect(limitOf(login)).toBe(16 * 1024);
    const line = { drawno: '9'.repeat(16), head: 'h'.repeat(32), series: 's'.repeat(32), subseries: 'b'.repeat(32) };
    const largest = {
      gameId: 'g'.repeat(64),
      requestId: 'r'.repeat(64),
      lines: Array.from({ length: 1_000 }, () => ({ ...line, qty: 1e6 })),
    };
    expect(JSON.stringify(largest).length).toBeLessThan(limitOf(placeBet));
    expect(placeBet.body!.safeParse(parseJsonBody(JSON.stringify(largest))).success).toBe(true);
  });
});
