import { ELEVATION_MINUTES } from '@drawhouse/contract/core/route';
import { expect, it } from 'vitest';
import { elevationOf, holdsElevation, keepElevation } from './api-client.ts';

const MINUTE_MS = 60_000;

it('belongs to its session; the next one replaces it', () => {
  const at = (token: string | undefined) => elevationOf(token, 0);
  expect([at(undefined), at('one')]).toEqual([undefined, undefined]);
  keepElevation('one', 'secret', 0);
  expect([at('one'), at('two'), at(undefined)]).toEqual(['secret', undefined, undefined]);
  keepElevation('two', 'other', 0);
  expect([at('one'), at('two')]).toEqual([undefined, 'other']);
  keepElevation('two', undefined, 0);
  expect(at('two')).toBeUndefined();
});

it('counts as held until it is too old, unless it is for a result', () => {
  const held = (minutes: number, isForResult = false) => holdsElevation('one', isForResult, minutes * MINUTE_MS);
  const { idle, most } = ELEVATION_MINUTES;
  expect(held(0)).toBe(false);
  keepElevation('one', 'secret', 0);
  expect([held(idle - 1), held(idle), held(idle, true)]).toEqual([true, false, true]);
  for (let used = idle - 1; used < most; used += idle - 1) elevationOf('one', used * MINUTE_MS);
  expect([held(most - 1), held(most), held(most, true)]).toEqual([true, false, true]);
  expect(holdsElevation('two', true, 0)).toBe(false);
});
