import pg from 'pg';
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

it('does not count a lost file of a table, while the host runs', () => {
  const failure = (code: string, severity: string): unknown =>
    explained(Object.assign(new pg.DatabaseError('could not open file', 0, 'error'), { code, severity }));
  for (const code of ['58000', '58P01', '58P02']) {
    expect(failure(code, 'ERROR')).not.toBeInstanceOf(DatabaseUnavailable);
    expect(failure(code, 'FATAL')).toBeInstanceOf(DatabaseUnavailable);
  }
  expect(failure('58030', 'ERROR')).toBeInstanceOf(DatabaseUnavailable);
});
