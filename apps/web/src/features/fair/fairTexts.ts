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
    'Whether anyone knew the result in advance. Only the server has the seed until the draw is over: it ' +
      'can no longer change it, but anyone with its database and its key could read it.',
  ],
};
const ALONE = 'from the draw’s id and terms alone. No bet, stake or person had any influence on it.';

const BEACON =
  'The beacon values are signed by their keys for rounds after betting closed, so no one could choose them.';
const NO_RESULT = ['A result: there is none. The result that the seed would have produced does not count.'];

export const fairTexts = {
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
  },
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
} as const satisfies {
  running: Record<string, VerdictText>;
  right: Record<string, VerdictText>;
  unreadable: VerdictText;
  undoneUnfinished: VerdictText;
  unpayable: VerdictText;
  wrong: VerdictText;
  [name: string]: unknown;
};
