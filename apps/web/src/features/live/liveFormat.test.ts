import { layoutOf } from '@drawhouse/rules/panel/layout';
import { expect, it } from 'vitest';
import { titleOf } from './liveFormat.ts';

const lottery4d = layoutOf({ gameId: 'lottery4d', family: 'lottery4d', digits: 3000 });
const jodi = layoutOf({ gameId: 'acqOpdpL', family: 'jodi', digits: 300 });

it("a panel's title is its game's, or the game's own wording, with its admin", () => {
  const names = { gameName: 'Jodi', username: 'kavya1' };
  expect(titleOf(jodi, names)).toEqual({ title: 'kavya1 andhar-bahar-jodi', of: 'Jodi' });
  expect(titleOf(lottery4d, names)).toEqual({ title: 'Jodi', of: 'kavya1' });
});
