/** The texts of who kept the seed of a draw. */
export const keptTexts = {
  title: 'Who kept the seed',
  self: 'The server alone has the seed until the draw is settled. It can’t change it, but whoever has its database and its key could know the result before.',
  shared:
    'The seed of the draw is made of the server’s seed and of what each of these has given once betting was closed. Without all of them nobody knows the result.',
  knowable: 'The result was knowable when this draw was voided:',
  waiting: 'It is released once betting has closed, for the tickets that there are then.',
  notReleased: 'It was not released in time.',
  faults: 'Wrong answers that were kept as evidence',
  checks: {
    day: 'It signed the root of all its commitments of that day',
    path: 'Its commitment for this draw leads to that root',
    commitment: 'Its seed is the one that it committed to',
    release: 'It signed for this draw, its close and these tickets',
    inTime: 'It released its seed after betting had closed, by its own clock',
  },
  round: 'It is the first round after betting closes',
  roundSigned: 'Its signature is that of the chain',
  notYet: 'The round is not known here yet.',
} as const;
