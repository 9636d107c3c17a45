import { expect, it } from 'vitest';
import { DatabaseUnavailable } from './unavailable.ts';

const stackFor = (code: string): string =>
  new DatabaseUnavailable(Object.assign(new Error('no answer'), { code })).stack!;

it('has a stack only if a statement took too long', () => {
  for (const code of ['ECONNREFUSED', '57P01', '53100'])
    expect(stackFor(code)).toBe('Error: The database did not answer: no answer');
  for (const code of ['57014', '55P03']) expect(stackFor(code)).toMatch(/\n {4}at /);
});
