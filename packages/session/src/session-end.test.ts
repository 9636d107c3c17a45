import { expect, it } from 'vitest';
import { keepsTyping } from './session-end.ts';

it('keeps input unless this tab itself signed out', () => {
  const kept = (['ended', 'replaced', 'other-tab', 'signed-out', null] as const).map(keepsTyping);
  expect(kept).toEqual([true, true, true, false, false]);
});
