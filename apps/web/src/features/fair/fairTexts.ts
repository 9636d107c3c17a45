import { NO_DRAW } from '@drawhouse/contract/draws/no-draw';

export interface VerdictText {
  readonly title: string;
  readonly text: string;
  readonly can: readonly string[];
  readonly cannot: readonly string[];
}

const LATER = [
  'Note down the commitment now: the seed that is published later has to match it, so it can no longer be changed.',
];
const NOT_YET = [
  'The result. The seed is published once the draw is settled; this page then checks it by itself, without being loaded again.',
];
const SEED = 'The seed published now is the one that was committed to when the draw opened. The steps below show it.';
const GENERATED = {
  title: 'This draw checks out',
  text: 'The result was generated. Your browser has just computed it again, from the seed that was fixed before the first bet, and came to the same result and booster.',
  cannot: [
    'Whether somebody knew the result before. The server alone has the seed until the draw is over: it can’t change it any more, but whoever has its database and its key could read it.',
  ],
};
const ALONE = 'from the id and the terms of the draw alone. No bet, no stake and no person had any part in it.';

const BEACON =
  'The values of the beacons are signed by their keys for rounds that come after betting closed, so nobody could choose them.';
const NO_RESULT = ['A result: there is none. What the seed would have given does not count.'];

export const fairTexts = {
  title: 'How draws are fair',
  sealsTitle: 'How the books are sealed',
  back: 'Back',
  checkAnother: 'Check another draw',
  steps: 'The check, step by step',
  odds: 'Odds and pays',
  yourself: 'Check it without this page',
  copy: 'Copy',
  copied: 'Copied',
  idLabel: 'Draw id',
  idHelp: 'Every result that is shown leads to its draw. The id is also in the address of its page.',
  idWrong: 'A draw id looks like 0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d: 32 digits and letters a to f, in five groups.',
  notFound: NO_DRAW,
  ticketsCleared:
    'The tickets were cleared since. Whoever has kept a receipt can still check it here; nobody is given another one.',
  seedParts:
    'The seed of the draw is computed from the server’s seed with the id and the terms of the draw, so that none of these can be another one afterwards: the SHA-256 of a fixed line of text and of what stands here, one after the other.',
  beacons: {
    title: 'Beacons',
    about:
      'A beacon publishes a random value at a fixed time that nobody knows before and that everybody can verify. The round was fixed when the draw opened and comes at least three seconds after betting closes.',
    unknown:
      'This page does not know who runs this beacon. Whoever has its key knows its values before: ask the house whose it is.',
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
      title: 'Bets are being taken',
      text: 'The server has fixed the seed of this draw and shows its fingerprint, the commitment. Nobody can change the seed now, and no bet has any influence on what it gives.',
      can: LATER,
      cannot: NOT_YET,
    },
    closed: {
      title: 'Betting is closed',
      text: 'No more bets are taken. The draw gets its result at its draw time.',
      can: LATER,
      cannot: NOT_YET,
    },
    drawn: {
      title: 'It is drawn and being paid out',
      text: 'The seed and the result are shown as soon as every win is paid.',
      can: LATER,
      cannot: NOT_YET,
    },
    settling: { title: '', text: '', can: [], cannot: [] },
    settled: { title: '', text: '', can: [], cannot: [] },
    void: { title: '', text: '', can: [], cannot: [] },
  },
  undoneUnfinished: {
    title: 'This draw was never finished',
    text: 'It had no result when it was undone, and it will never have one.',
    can: [],
    cannot: ['A result: there is none. The seed of this draw stays secret.'],
  },
  right: {
    generated: {
      ...GENERATED,
      can: [SEED, `The result and the booster follow from that seed and ${ALONE}`],
    },
    withBeacons: {
      ...GENERATED,
      can: [SEED, BEACON, `The result and the booster follow from that seed, the values of the beacons, and ${ALONE}`],
      cannot: [
        'Whether the tickets were fixed before the beacon published its value: the house says so by its own clock. A witness of its seals can tell.',
      ],
    },
    declared: {
      title: 'An operator chose this result',
      text: 'It was declared, not generated: a person who runs this game saved it. Betting closed in the same moment, so nobody could bet on a known result.',
      can: [SEED, 'That it was declared: such a result is marked wherever it is shown.'],
      cannot: [
        'Whether it was chance. A declared result does not follow from the seed, so no calculation can tell.',
        'Who declared it. The activity log of the house has who, when, from where, and the stakes at that moment; those who manage the network can read it.',
      ],
    },
    void: {
      title: 'This draw was voided',
      text: 'It has no result, and every stake has gone back to its player.',
      can: [SEED],
      cannot: NO_RESULT,
    },
  },
  voidBy: {
    operator: 'An operator voided it.',
    restore: 'It was open in a backup that was put back.',
    beacon: 'A beacon that is part of its seed did not publish its value in time.',
    root: 'Its tickets were not closed and sealed before the value of its beacon could be known.',
  },
  unreadable: {
    title: 'This draw was voided',
    text: 'Its seed could not be read, so nothing would have proved a result. It has none, and every stake has gone back to its player.',
    can: [],
    cannot: ['That the seed is the one behind the commitment: it is not published.'],
  },
  unpayable: {
    title: 'This draw was voided',
    text: 'Its wins together came to more than the books can hold, so nobody could be paid. It has no result, and every stake has gone back to its player.',
    can: [SEED],
    cannot: NO_RESULT,
  },
  wrong: {
    title: 'This draw does not check out',
    text: 'What was published does not match up. Keep this page, or the JSON that it links to, and ask the house.',
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
