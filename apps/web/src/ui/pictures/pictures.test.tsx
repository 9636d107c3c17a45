import { loadSet, setOf } from '@drawhouse/pictures/picture-sets';
import { BUILT_IN_GAMES, type BuiltInGame } from '@drawhouse/rules/games/catalogue';
import { rulesFor, type Outcome } from '@drawhouse/rules/games/rules';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { OutcomePicture, pictureFor } from './OutcomePicture.ts';

function outcomesOf(game: BuiltInGame): Outcome[] {
  const { outcomes, cardTypes = [], colors = [] } = rulesFor(game);
  return [...outcomes, ...cardTypes, ...colors];
}

const drawn = BUILT_IN_GAMES.filter(({ gameId, family }) => setOf(gameId, family) !== undefined);
const plain = BUILT_IN_GAMES.filter((game) => !drawn.includes(game));

it.each(drawn)('$gameName has a distinct picture per outcome', async (game) => {
  const pictureOf = await loadSet(setOf(game.gameId, game.family)!);
  const pictures = outcomesOf(game).map((outcome) => JSON.stringify(pictureOf(outcome)));
  expect(pictures).not.toContain(undefined);
  expect(new Set(pictures).size).toBe(pictures.length);
});

it.each(drawn)('$gameName stays distinguishable without color', async (game) => {
  const pictureOf = await loadSet(setOf(game.gameId, game.family)!);
  const withoutColour = outcomesOf(game).map((outcome) =>
    JSON.stringify(pictureOf(outcome)!.map((shape) => ({ ...shape, fill: Boolean(shape.fill), stroke: '' }))),
  );
  expect(new Set(withoutColour).size).toBe(withoutColour.length);
});

it('draws each set from finite numbers on its grid', async () => {
  for (const game of drawn) {
    const pictureOf = await loadSet(setOf(game.gameId, game.family)!);
    for (const outcome of outcomesOf(game))
      expect(JSON.stringify(pictureOf(outcome))).not.toMatch(/NaN|undefined|null/);
  }
});

it('uses plain numbers if pictures add nothing', () => {
  expect(plain.map(({ gameId }) => gameId)).toEqual([
    'funtargetbingo',
    'funtargetfullbhav',
    'funtargetnew',
    'greenfuntimer',
    'grandchance',
    'triplefun',
    'lottery3d',
    'lottery4d',
    'acqOpdpL',
  ]);
  for (const game of plain) {
    for (const outcome of outcomesOf(game)) expect(outcome.label).toBe(outcome.drawno);
    expect(pictureFor(game, { drawno: '7', label: '7', image: null })).toBeNull();
    expect(pictureFor(game, { drawno: '7', label: '7', image: '/api/image' })).not.toBeNull();
  }
});

it.each(BUILT_IN_GAMES)('pictures of $gameName have accessible names', async ({ ...game }) => {
  const set = setOf(game.gameId, game.family);
  if (set) await loadSet(set);
  for (const { drawno, label, color } of outcomesOf(game).slice(0, 40)) {
    const outcome = { gameId: game.gameId, family: game.family, drawno, label, color };
    const markup = renderToStaticMarkup(<OutcomePicture {...outcome} size={40} name={`${drawno} ${label}`} />);
    expect(markup).toContain(`role="img" aria-label="${drawno} ${label}"`);
    expect(markup).toMatch(/<path d="M|<text/);
    expect(renderToStaticMarkup(<OutcomePicture {...outcome} size={40} />)).toContain('aria-hidden="true"');
  }
});

it('prefers an uploaded image, in its fixed size', () => {
  const markup = renderToStaticMarkup(
    <OutcomePicture gameId="titlisorrat" family="numbers" drawno="3" label="Sun" image="/sun" size={40} name="Sun" />,
  );
  expect(markup).toMatch(/^<img [^>]*width="40" height="40" src="\/sun" alt="Sun" loading="lazy"/);
});

it('shows the number of an outcome missing in its set', async () => {
  await loadSet('tiles');
  const markup = renderToStaticMarkup(
    <OutcomePicture gameId="titlisorrat" family="numbers" drawno="13" label="13" size={40} />,
  );
  expect(markup).toContain('>13</text>');
});

it('does not redraw when a stake changes', () => {
  const picture = pictureFor(
    { gameId: 'titlisorrat', family: 'numbers' },
    { drawno: '3', label: 'Sun', color: null, image: null },
  );
  expect(Object.values(picture!).filter((value) => typeof value === 'object' && value !== null)).toEqual([]);
  expect(OutcomePicture).toMatchObject({ $$typeof: Symbol.for('react.memo'), compare: null });
});
