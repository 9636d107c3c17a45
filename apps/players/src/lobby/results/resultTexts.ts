import { plural } from '@drawhouse/session/language';
import { inLanguage } from '../../lib/inLanguage.ts';

export const resultTexts = inLanguage('resultTexts', {
  title: (game: string | undefined) => (game === undefined ? 'Last results' : `Last results of ${game}`),
  toBoard: 'To the board',
  none: 'No draw has a result yet.',
  independent:
    'Each draw is independent. What came before has no bearing on the next draw: every outcome stays as likely as it was.',
  frequencies: (draws: number) => plural(draws, { one: 'In the last draw', other: `In the last ${draws} draws` }),
  part: 'Part of the result',
  outcome: 'Outcome',
  times: 'Times',
  gap: 'Last seen',
  since: (draws: number) =>
    draws === 0
      ? 'in the last draw'
      : plural(draws, { one: '1 draw before the last', other: `${draws} draws before the last` }),
  never: 'not seen',
  list: 'Results, newest first',
  showAll: (draws: number) => `Show all ${draws}`,
  check: 'Check',
  checkNamed: (drawn: string) => `Check the draw of ${drawn}`,
});
