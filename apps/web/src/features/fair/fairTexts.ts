import { textsIn } from '@drawhouse/session/language';
import { NO_DRAW } from '@drawhouse/contract/core/errors';

export interface VerdictText {
  readonly title: string;
  readonly text: string;
  readonly can: readonly string[];
  readonly cannot: readonly string[];
}

const LATER = ['Note down the commitment now: the seed published later must match it, so it can no longer be changed.'];
const NOT_YET = ['The result. The seed is published once the draw is settled; this page then checks it automatically.'];
const SEED = 'The published seed is the one committed to when the draw opened. The steps below show it.';
const GENERATED = {
  title: 'This draw checks out',
  text:
    'The result was generated. Your browser has just computed it again from the seed that was fixed ' +
    'before the first bet, and got the same result and booster.',
  cannot: [
    'Whether anyone knew the result in advance. Only the server has the seed until the draw ends: it ' +
      'can no longer change it, but anyone with its database and its key could read it.',
  ],
};
const ALONE = 'from the draw’s id and terms alone. No bet, stake or person had any influence on it.';

const BEACON =
  'The beacon values are signed by their keys for rounds after betting closed, so no one could choose them.';
const NO_RESULT = ['A result: there is none. The result that the seed would have produced does not count.'];

export const fairTexts = textsIn('fairTexts', {
  title: 'How draws are fair',
  sealsTitle: 'How the books are sealed',
  drawOf: (time: string): string => `Draw of ${time}`,
  drawNumber: (number: number): string => `Number ${number} of this game`,
  back: 'Back',
  steps: 'The check, step by step',
  odds: 'Odds and pays',
  yourself: 'Check it without this page',
  copy: 'Copy',
  copied: 'Copied',
  copyNamed: (name: string): string => `Copy ${name}`,
  copiedNamed: (name: string): string => `Copied ${name}`,
  copies: { commitment: 'the commitment', seed: 'the seed', command: 'the command' },
  theBooster: 'booster',
  idLabel: 'Draw id',
  idHelp: 'Every result links to its draw. The id is also in the address of the draw’s page.',
  idWrong: 'A draw id looks like 0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d: 32 digits and letters a to f, in five groups.',
  notFound: NO_DRAW,
  ticketsCleared:
    'The tickets have been cleared. If you kept a receipt, you can still check it here; new receipts are not available.',
  seedParts:
    'The draw’s seed is computed from the server’s seed and the draw’s id and terms, so that none of ' +
    'these can be changed afterwards. It is the SHA-256 of a fixed line of text and the values below, in ' +
    'this order.',
  beacons: {
    title: 'Beacons',
    about:
      'A beacon publishes a random value at a fixed time. No one knows it in advance, and everyone can ' +
      'verify it. The round was fixed when the draw opened and comes at least three seconds after betting ' +
      'closes.',
    unknown:
      'This page does not know who runs this beacon. Anyone with its key knows its values in advance. Ask the house who runs it.',
    round: 'Round and its time',
    key: 'Public key of the beacon',
    value: 'Its value, the signature of the round',
    notYet: 'Not published yet.',
    wouldHave: 'The draw is void. Its result would have been',
  },
  source: {
    generated: 'Generated from the committed seed',
    declared: 'Declared by an operator',
    outside: 'Result of an outside lottery',
    void: 'Void',
    running: 'Not finished',
  },
  running: {
    open: {
      title: 'Betting is open',
      text:
        'The server has fixed this draw’s seed and shows its fingerprint, the commitment. The seed can no ' +
        'longer be changed, and no bet influences its result.',
      can: LATER,
      cannot: NOT_YET,
    },
    closed: {
      title: 'Betting is closed',
      text: 'No more bets are accepted. The result follows at the draw time.',
      can: LATER,
      cannot: NOT_YET,
    },
    drawn: {
      title: 'The draw is being paid out',
      text: 'The seed and the result are shown once every win is paid.',
      can: LATER,
      cannot: NOT_YET,
    },
    settling: { title: '', text: '', can: [], cannot: [] },
    settled: { title: '', text: '', can: [], cannot: [] },
    void: { title: '', text: '', can: [], cannot: [] },
  },
  outsideRunning: {
    title: 'An outside lottery decides this draw',
    text:
      'Betting closes before its draw time. Then two people of the house, or a program, enter the result of the lottery, ' +
      'and wins are paid. If nobody does in time, the draw is void and all stakes are refunded.',
    can: [],
    cannot: [],
  },
  undoneUnfinished: {
    title: 'This draw was never finished',
    text: 'It had no result when it was undone, and will never have one.',
    can: [],
    cannot: ['A result: there is none. This draw’s seed stays secret.'],
  },
  right: {
    generated: {
      ...GENERATED,
      can: [SEED, `The result and the booster follow from that seed and ${ALONE}`],
    },
    withBeacons: {
      ...GENERATED,
      can: [SEED, BEACON, `The result and the booster follow from that seed, the beacon values, and ${ALONE}`],
      cannot: [
        'Whether the tickets were fixed before the beacon published its value. The house says so by its own ' +
          'clock; a witness of its seals can confirm it.',
      ],
    },
    declared: {
      title: 'An operator chose this result',
      text:
        'It was declared, not generated: a person who runs this game saved it. Betting closed at that ' +
        'moment, so no one could bet on a known result.',
      can: [SEED, 'That it was declared: declared results are marked wherever they are shown.'],
      cannot: [
        'Whether it was chance. A declared result does not follow from the seed, so no calculation can tell.',
        'Who declared it. The house’s activity log records who, when, from where, and the stakes at that ' +
          'moment; managers of the network can read it.',
      ],
    },
    outside: {
      title: 'An outside lottery decided this draw',
      text:
        'Its result was entered after the draw time; it does not come from a seed. Betting had closed before, so no one ' +
        'could bet on a known result.',
      can: [SEED, 'That the lottery published this result: compare it with the lottery’s own.'],
      cannot: ['Whether the lottery itself was fair.'],
    },
    void: {
      title: 'This draw was voided',
      text: 'It has no result, and all stakes have been refunded.',
      can: [SEED],
      cannot: NO_RESULT,
    },
  },
  voidBy: {
    operator: 'An operator voided it.',
    restore: 'It was open in a backup that was restored.',
    beacon: 'A beacon used for its seed did not publish its value in time.',
    root: 'Its tickets were not closed and sealed before its beacon’s value could be known.',
    outside: 'No result of its outside lottery was entered before the deadline.',
  },
  outsideOf: (source: string): string => `Result of ${source}`,
  corrected: (before: string, after: string, at: string): string =>
    `Two people corrected the result from ${before} to ${after}, ${at}.`,
  awaits: (source: string): string => `Waiting for the result of ${source}`,
  enteredBy: {
    'superadmin admin': 'Entered by a superadmin, confirmed by an admin.',
    'admin superadmin': 'Entered by an admin, confirmed by a superadmin.',
    'superadmin superadmin': 'Entered by a superadmin, confirmed by another.',
    'admin admin': 'Entered by an admin, confirmed by another.',
    'api-key': 'Entered by a program with an API key of the house.',
  } as Readonly<Record<string, string>>,
  unreadable: {
    title: 'This draw was voided',
    text: 'Its seed could not be read, so no result could have been proven. It has none, and all stakes have been refunded.',
    can: [],
    cannot: ['That the seed matches the commitment: it is not published.'],
  },
  unpayable: {
    title: 'This draw was voided',
    text:
      'Its wins together exceeded what the books can hold, so no one could be paid. It has no result, and ' +
      'all stakes have been refunded.',
    can: [SEED],
    cannot: NO_RESULT,
  },
  wrong: {
    title: 'This draw does not check out',
    text: 'The published data does not match. Keep this page, or the JSON it links to, and ask the house.',
    can: [],
    cannot: [],
  },
  seedMatchesCommitment: 'The seed matches the commitment',
  partsProduceDrawsSeed: 'The parts produce the draw’s seed',
  seedProducesNumbers: 'The seed produces numbers',
  draw: ' of the draw',
  theyWereNotUsed: ' They were not used for this draw; they only show what the seed contains.',
  wordsProduceResult: 'The words produce the result',
  resultWordsWouldHave: 'The result the words would have produced',
  eachChoiceTakesNext:
    'Each choice takes the next word. The remainder after dividing it by the number of possibilities is the choice. ' +
    'Words too high for all remainders to be equally likely are discarded.',
  nextWordProducesBooster: 'The next word produces the booster',
  boosterItWouldHave: 'The booster it would have produced',
  sha256Seeds32: 'The SHA-256 of the seed’s 32 bytes must equal the commitment published when the draw opened.',
  sha256Seed: 'SHA-256 of the seed',
  commitment: 'Commitment',
  hmacSha256Seed: (drawId: string | number, index: string | number) => `HMAC-SHA256(seed, “${drawId}:${index}”)`,
  whichStandsFor: (gives: string | number) => `, which stands for ${gives}`,
  discardedItIsNot: (rejectionBound: string | number, among: string | number) =>
    `, discarded: it is not below ${rejectionBound}, the largest multiple of ${among}`,
  checkThisDraw: 'Check this draw',
  boosterX: (booster: string | number) => `Booster ${booster} X`,
  whatYouCanDo: 'What you can do now',
  whatCanBeChecked: 'What can be checked',
  whatCanBeChecked2: 'What can be checked later',
  whatCannotBeChecked: 'What cannot be checked',
  winnerEachGroup: 'Winner of each group',
  commitmentSha256Seed: 'Commitment, the SHA-256 of the seed',
  publishedWhenBettingClosed: 'Published when betting closed',
  oneTicket: 'the one ticket',
  rootTickets: 'the root of the tickets',
  itIsDrawnAt: 'It is drawn at',
  drawTime: 'Draw time',
  publishedWhenDrawWas: 'Published when the draw was over, draw time',
  seed32RandomBytes: 'Seed, 32 random bytes',
  idDraw: 'Id of the draw',
  drawId: 'the draw id',
  draw2: 'Draw',
  tryAgain: 'Try again',
  loadingDraw: 'Loading the draw',
  drawNotFound: 'Draw not found',
  undoneByRestore: 'undone by a restore',
  checkingBeacons: 'Checking the beacons',
  jsonThisDraw: 'the JSON of this draw',
  npmRunCheckDraw: (origin: string | number, drawId: string | number) =>
    `npm run check-draw -- --steps ${origin}/fair/${drawId}`,
  docsFairnessMdDescribes:
    'docs/fairness.md describes the whole calculation, with examples, so that you can write the check in a language of your choice.',
  theyWereFixedWhen: (unitPrice: string | number) =>
    `They were fixed when the draw opened and apply to all of it. One unit costs ${unitPrice} points.`,
  bet: 'Bet',
  chance: 'Chance',
  unitsPaidPerUnit: 'Units paid per unit',
  boosterMultipliesEveryWin: 'The booster multiplies every win.',
  morePages: 'More pages',
  right2: 'Right',
  wrong2: 'Wrong',
  notCheckable: 'Not checkable',
  youDontHaveTrust:
    'You don’t have to trust this house that a generated result was chance. It commits before you bet, and you can check it afterwards.',
  houseCommits: 'The house commits',
  whenDrawOpensBefore:
    'When a draw opens, before the first bet, the server picks a secret random number, the seed, and shows its ' +
    'fingerprint, the commitment. The fingerprint reveals nothing about the seed, and no one can find another seed ' +
    'with the same one. So the seed can no longer be changed without being noticed.',
  beacon: 'beacon',
  oddsAreFixed: 'The odds are fixed',
  commitmentComesWithOdds:
    'The commitment comes with the odds of the booster, the pay of each bet and the price of a unit. They apply to ' +
    'the whole draw. All outcomes are equally likely. Stakes play no part: they are not an input to the calculation.',
  bettingCloses: 'Betting closes',
  noBetIsAccepted:
    'No bet is accepted once anyone can know the result. At that moment one fingerprint of all tickets is published, ' +
    'the root of a tree, so that no ticket can be added, changed or removed later without being noticed. Each ticket ' +
    'has its own fingerprint, the digest. Its receipt proves on the draw’s page that it was among them.',
  resultIsGeneratedOr: 'The result is generated, or declared',
  generated: 'generated',
  declared: 'declared',
  voided: 'voided',
  seedIsPublishedAnd: 'The seed is published, and you check',
  onceWinsArePaid:
    'Once the wins are paid, the seed is shown. Its fingerprint must equal the commitment, and the calculation must ' +
    'produce the result. Each draw’s page does both in your own browser and shows every number. For a declared ' +
    'result or a void draw only the fingerprint can be checked.',
  thisTicketWasIn: 'This ticket was in the draw',
  thisTicketDoesNot: 'This ticket does not check out',
  pathGivenByHouse:
    'The path given by the house does not lead from the digest on the paper to this draw’s root. Keep the paper and ask the house.',
  thisTicketWasPlaced: 'This ticket was placed',
  bettingOnItsDraw: 'Betting on its draw was still open when a restore undid both. The ticket no longer counts.',
  thisTicketIsPlaced: 'This ticket is placed',
  bettingOnItsDraw2:
    'Betting on its draw is still open. Once it has closed, this page shows that the ticket is in the draw.',
  ticketOnYourPaper: 'The ticket on your paper',
  ticket: 'Ticket',
  receiptDigest: 'Receipt digest',
  sha256Terms: 'SHA-256 of the terms',
  seedServer: 'Seed of the server',
  roundAndItsSignature: (round: string | number, value: string | number) =>
    `Round ${round} of ${value}, and its signature, which is hashed`,
  sha256TheseSeed: 'SHA-256 of these, the seed of the draw',
  apiFairTicket: '/api/fair/ticket/',
  stake: 'Stake',
  points: (stake: string | number) => `${stake} points`,
  unitsOnEachBet: 'Units on each bet',
  sha256ThisText: 'The SHA-256 of this text: id, draw, stake in hundredths of a point, and the units on each bet.',
  sha256Text: 'SHA-256 of the text',
  sha256Byte0:
    'The SHA-256 of a byte 0 and the digest is a leaf of the tree. Each step then takes the SHA-256 of a byte 1 and ' +
    'two nodes: the current one and the next in the path, on the side given by the ticket’s position.',
  leaf: 'Leaf',
  endPath: 'End of the path',
  rootDraw: 'Root of the draw',
  hmacSha256WithSeed:
    'HMAC-SHA256, with the seed{rules} as the key, of the draw’s id and a counter produces blocks of 32 bytes. Each ' +
    'is read as eight numbers from 0 to 4,294,967,295, called words.{value}',
  seedProduces: 'The seed produces {of}{strong}{published}.',
  wordIs: 'word {number}: {word} is {word2}{value}',
  boosterWeightsOneAfter:
    'The booster weights, one after the other, add up to {boosterWeightSum}. {value} falls in the range of booster ' +
    '{booster}, which goes from {value2} to just below {value3}.',
  publishedWhenDrawOpened: 'Published when the draw opened, {time}',
  rootTreeOver: 'Root of the tree over {value}',
  thisDrawWasOn:
    'This draw was {strong} on {at}: the house restored a backup of {backupOf}. The draw is shown as it was before. ' +
    'Neither it nor its tickets count any longer.',
  allDataIsIn:
    'All the data is in {link}. With the source code of this product, one command checks it without trusting the server:',
  booster: (booster: string | number) => `, booster ${booster}.`,
  lessThanEach: (rare: string | number) => `less than ${rare} each`,
  drawMayAlsoUse:
    'A draw may also use a {strong}, a source of random values that the house does not control. Its value is ' +
    'published only after betting has closed, so no one knows the result before. Without a beacon the house could ' +
    'know it. Each draw’s page says which applies.',
  byDefaultDrawIs:
    'By default a draw is {strong}: the result is calculated from the seed, the draw’s id and its terms and, if it ' +
    'uses beacons, their values. Tickets and stakes play no part. In some games the operator may save a result ' +
    'instead. It is then {strong2}: a person chose it, it does not follow from the seed, and it is marked as ' +
    'declared wherever it is shown. A draw can also be {strong3}: it has no result, and all stakes are refunded.',
  ticketsResultsAndMovements:
    'Tickets, results and movements of credit are sealed within seconds in a log, so that later changes can be ' +
    'detected. A witness is another party that verifies that the log only grows.',
  digestOnPaperIs:
    'The digest on the paper is one of those that the root fixed when betting closed. Your browser has just verified ' +
    'it. The player is not shown here.',
  andTicketNumber: 'and the ticket number.',
  ticketProducesItsDigest: 'The ticket produces its digest',
  pathLeadsRoot: 'The path leads to the root',
  withOn: 'With {sibling} on the {value}',
  publishedOneIs: '; the published one is {strong}',
  mod: ', mod {among} = {strong}{decides}',
  allTickets: (tickets: string | number) => `all ${tickets} tickets`,
} satisfies {
  running: Record<string, VerdictText>;
  right: Record<string, VerdictText>;
  unreadable: VerdictText;
  outsideRunning: VerdictText;
  undoneUnfinished: VerdictText;
  unpayable: VerdictText;
  wrong: VerdictText;
  [name: string]: unknown;
});

/** Unchanged if the catalogue lacks the text. */
export const sharedText = textsIn('sharedText', (english: string): string => english);
