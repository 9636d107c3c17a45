import { expect, it } from 'vitest';
import { DatabaseUnavailable, explained } from './unavailable.ts';

const stackFor = (code: string): string =>
  new DatabaseUnavailable(Object.assign(new Error('no answer'), { code })).stack!;

it('has a stack only if a statement took too long', () => {
  for (const code of ['ECONNREFUSED', '57P01', '53100'])
    expect(stackFor(code)).toBe('Error: The database did not answer: no answer');
  for (const code of ['57014', '55P03']) expect(stackFor(code)).toMatch(/\n {4}at /);
});

it('recognizes a host that is gone, full or without its files', () => {
  const failure = (code: string): Error => Object.assign(new Error('no answer'), { code });
  for (const code of ['ECONNREFUSED', '08006', '53100', '57P03', '58P01', '58030'])
    expect(explained(failure(code))).toBeInstanceOf(DatabaseUnavailable);
  for (const code of ['28P01', '23505']) expect(explained(failure(code))).not.toBeInstanceOf(DatabaseUnavailable);
});
