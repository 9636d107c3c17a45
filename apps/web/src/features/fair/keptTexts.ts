/** The texts of who kept the seed of a draw. */
export const keptTexts = {
  title: 'Who kept the seed',
  self: 'The server alone has the seed until the draw is over. It can’t change it any more, but whoever has its database and its key could know the result before.',
  shared:
    'The seed of this draw is made of several parts: the server’s own, and one from each of those named here, who give it only once betting has closed. Without all of them nobody knows the result.',
  knowable: 'The result was knowable when this draw was voided:',
  /** Where a part was late and came since: whether somebody had it before is not known. */
  mayHaveBeen:
    'All parts of the seed are known by now; below stands when each was given. If somebody had them earlier, the result was knowable when this draw was voided:',
  waiting: 'Its part is given once betting has closed, for the tickets that there are then.',
  notReleased: 'Its part was not given in time.',
  faults: 'Wrong answers that were kept as evidence',
  checks: {
    day: 'It fixed all its seeds of that day by one fingerprint, and signed that',
    path: 'Its commitment for this draw is one of those that this fingerprint covers',
    commitment: 'The seed that it gave is the one of its commitment',
    release: 'It signed that it gave the seed for this draw, this close of betting and these tickets',
    inTime: 'It gave the seed after betting had closed, by its own clock',
  },
  drand: {
    about:
      'drand is a public source of random numbers, run by many parties together. It publishes one every few seconds, a round, which nobody knows before.',
    which: 'Which drand, by the hash of its chain',
    signed: 'It is signed by drand',
  },
  otherChain: {
    about:
      'This is not a chain of drand that this page knows. Whoever has its key may know its rounds long before: ask whoever runs this server whose it is.',
    which: 'The hash of that chain',
    signed: 'It is signed by the key of that chain',
  },
  round: 'It is the first that comes after betting closes, so nobody could choose it',
  notYet: 'Its number is not known here yet.',
} as const;
