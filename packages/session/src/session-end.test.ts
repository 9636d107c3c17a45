import { expect, it } from 'vitest';
import { shouldKeepFormInput } from './session-end.ts';

it('keeps input unless this tab itself signed out', () => {
  const kept = (['ended', 'replaced', 'other-tab', 'signed-out', null] as const).map(shouldKeepFormInput);
  expect(kept).toEqual([true, true, true, false, false]);
});
