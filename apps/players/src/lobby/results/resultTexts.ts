export const resultTexts = {
  title: (game: string | undefined) => (game === undefined ? 'Last results' : `Last results of ${game}`),
  toBoard: 'To the board',
  none: 'No draw has a result yet.',
  independent:
    'Each draw is independent. What came before has no bearing on the next draw: every outcome stays as likely as it was.',
  frequencies: (draws: number) => (draws === 1 ? 'In the last draw' : `In the last ${draws} draws`),
  part: 'Part of the result',
  outcome: 'Outcome',
  times: 'Times',
  gap: 'Last seen',
  since: (draws: number) =>
    draws === 0 ? 'in the last draw' : draws === 1 ? '1 draw before the last' : `${draws} draws before the last`,
  notIn: (draws: number) => (draws === 1 ? 'not in this draw' : `not in these ${draws} draws`),
  list: 'Results, newest first',
  check: 'Check',
  checkNamed: (drawn: string) => `Check the draw of ${drawn}`,
} as const;
