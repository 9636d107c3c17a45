import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallError } from '../http-errors.ts';
import { parseJsonBody } from './json-body.ts';

function refusal(text: string): CallError | undefined {
  try {
    parseJsonBody(text);
  } catch (error) {
    if (error instanceof CallError) return error;
    throw error;
  }
}

/** Strips insignificant zeros, to compare decimals without arithmetic. */
const exactly = (decimal: string): string => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal);

describe('a JSON body', () => {
  it('written by a program is read as meant', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        const text = JSON.stringify(value);
        expect(parseJsonBody(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('keeps decimals exact or refuses them by name', () => {
    const digits = (max: number) => fc.stringMatching(new RegExp(`^\\d{1,${max}}$`));
    const whole = digits(20).map((text) => text.replace(/^0+(?=\d)/, ''));
    const decimal = fc.tuple(whole, fc.option(digits(20))).map(([a, b]) => (b === null ? a : `${a}.${b}`));
    fc.assert(
      fc.property(decimal, (text) => {
        const refused = refusal(`{"points":${text}}`);
        if (refused) expect(refused.fields).toHaveProperty('points');
        else expect(String((parseJsonBody(`{"points":${text}}`) as { points: number }).points)).toBe(exactly(text));
      }),
      { numRuns: 5_000 },
    );
  });

  it.each(['5', '12.50', '1.0', '0.00', '-3', '100', '1000000', '999999999999999', '0.1'])(
    'accepts the plain number %s',
    (text) => {
      expect(parseJsonBody(`{"points":${text}}`)).toEqual({ points: Number(text) });
    },
  );

  it.each([
    '1e3',
    '1E3',
    '1e+3',
    '10e-1',
    '1.5e1',
    '1e400',
    '-1e400',
    '9007199254740993',
    '1.0000000000000000001',
    '10000000000000.0001',
    '80000000000000.005',
    '-0',
    '-0.0',
    '123456789012345678901',
  ])("refuses the number %s with its field's name", (text) => {
    const refused = refusal(`{"points":${text}}`);
    expect(refused).toMatchObject({ code: 'INVALID_INPUT', status: 400 });
    expect(refused!.fields).toEqual({ points: expect.stringContaining('plain digits') });
  });

  it('names nested fields by full path', () => {
    const refused = refusal('{"lines":[{"qty":1},{"qty":1e3}],"at":{"place":"a\\u0000"}}');
    expect(Object.keys(refused!.fields!).sort()).toEqual(['at.place', 'lines.1.qty']);
    expect(refused!.message).toBe(Object.values(refused!.fields!).join('; '));
  });

  it('names itself if it is only a wrong number', () => {
    expect(refusal('1e3')!.fields).toHaveProperty('body');
  });

  it.each([
    ['the NUL character', String.raw`"a\u0000b"`],
    ['a lone high surrogate', String.raw`"\ud800"`],
    ['a lone low surrogate', String.raw`"x\uDFFFy"`],
    ['surrogates the wrong way round', String.raw`"\udc00\ud800"`],
  ])('refuses %s, which PostgreSQL cannot store', (_name, text) => {
    expect(refusal(`{"note":${text}}`)!.fields).toHaveProperty('note');
    expect(refusal(`{"list":["fine",${text}]}`)!.fields).toHaveProperty('list.1');
  });

  it('accepts text that only resembles it', () => {
    const text = String.raw`{"a":"\\u0000","b":"\ud83d\ude00","c":"1e3 and 9007199254740993 and -0"}`;
    expect(parseJsonBody(text)).toEqual({ a: String.raw`\u0000`, b: '😀', c: '1e3 and 9007199254740993 and -0' });
  });

  it.each([
    '{',
    '{"a":NaN}',
    '{"a":Infinity}',
    "{'a':1}",
    '{"a":01}',
    '{"a":1.}',
    '{"a":.5}',
    '{"a":+1}',
    '{"a":1,}',
    'undefined',
    ' ',
  ])('reports that %s is not JSON', (text) => {
    expect(refusal(text)).toMatchObject({
      code: 'INVALID_JSON',
      status: 400,
      message: expect.stringContaining('not valid JSON'),
    });
  });

  it('treats __proto__ as a plain field', () => {
    const body = parseJsonBody('{"__proto__":{"admin":true},"amount":5}') as Record<string, unknown>;
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
    expect(body['admin']).toBeUndefined();
    expect(refusal('{"__proto__":{"amount":1e3}}')!.fields).toHaveProperty('__proto__.amount');
    expect(refusal('{"__proto__":1e3}')!.fields).toEqual(
      JSON.parse('{"__proto__":"Send the number as plain digits, such as 12.50"}'),
    );
  });

  it.each([
    ['lists in lists', '['.repeat(21) + ']'.repeat(21), 'Nest at most 20'],
    ['a depth that never ends', '{"a":'.repeat(100_000), 'Nest at most 20'],
    ['ten thousand values and one', `[${'1,'.repeat(9_999)}1]`, 'at most 10000 values'],
    ['as many empty lists', `[${'[],'.repeat(10_000)}[]]`, 'at most 10000 values'],
  ])('is not parsed: %s', (_name, text, reason) => {
    expect(refusal(text)).toMatchObject({ code: 'INVALID_INPUT', fields: { body: expect.stringContaining(reason) } });
  });

  it('ignores brackets and commas inside text', () => {
    const text = String.raw`[],{}\"`.repeat(5_000);
    expect(parseJsonBody(JSON.stringify({ text }))).toEqual({ text });
    expect(refusal(`{"text":"${'['.repeat(5_000)}`)!.code).toBe('INVALID_JSON');
    expect(parseJsonBody(`${'['.repeat(20)}${']'.repeat(20)}`)).toBeInstanceOf(Array);
  });

  it('lists at most twenty wrong fields, with shortened names', () => {
    const list = refusal(`[${'1e5,'.repeat(5_000)}1e5]`)!;
    expect(Object.keys(list.fields!)).toHaveLength(20);
    const names = Array.from({ length: 50 }, (_, n) => `"${String(n).padStart(2, '0')}${'\\u0001'.repeat(1_000)}":1e5`);
    const answer = refusal(`{${names.join()}}`)!;
    expect(Object.keys(answer.fields!)).toHaveLength(20);
    expect(JSON.stringify(answer.toBody('01ARZ3NDEKTSV4RRFFQ69G5FAV')).length).toBeLessThan(16 * 1024);
  });

  it('refuses an endless number without parsing every digit', () => {
    expect(refusal(`{"points":1.${'0'.repeat(150_000)}1}`)!.fields).toEqual({
      points: expect.stringContaining('digits'),
    });
  });
});
