import { expect, it } from 'vitest';
import { elevationOf, keepElevation } from './api-client.ts';

it('belongs to its session; the next one replaces it', () => {
  expect([elevationOf(undefined), elevationOf('one')]).toEqual([undefined, undefined]);
  keepElevation('one', 'secret');
  expect([elevationOf('one'), elevationOf('two'), elevationOf(undefined)]).toEqual(['secret', undefined, undefined]);
  keepElevation('two', 'other');
  expect([elevationOf('one'), elevationOf('two')]).toEqual([undefined, 'other']);
  keepElevation('two', undefined);
  expect(elevationOf('two')).toBeUndefined();
});
