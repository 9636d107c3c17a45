import type { Misfit } from '@drawhouse/watch/log-look';
import type { PastedFinding, PastedSeal } from '@drawhouse/watch/pasted-seal';
import { UNVERIFIED } from '@drawhouse/watch/watch-words';

/** The texts of the form that takes the seal of a receipt. */
export const sealReceiptTexts = {
  title: 'Check the seal of your receipt',
  lead: 'Paste the seal that stands on your ticket. This browser then asks the server to prove that all the records of that moment are still in its books, unchanged, and checks the proof by itself.',
  label: 'Seal of a receipt or a printed ticket',
  help: 'The file that you saved, or the line that begins with Sealed. From paper, type the number of records and then the fingerprint: 44 letters, digits and signs, the last one =.',
  check: 'Check this seal',
  empty: 'Paste the seal of a receipt first.',
  unreadable:
    'There is no seal in this. It needs the number of records and the fingerprint, whole: 44 letters, digits and signs, the last one =.',
} as const;

const OUT: Readonly<Record<Misfit, string>> = {
  'rolled back':
    'The books have fewer records now than your seal says. Either the house put an older copy of them back, as after a broken disk, or somebody took records out.',
  forked:
    'That many records have another fingerprint now. There can be only one: see first that you typed it right. If you did, a record was changed, or different people are shown different books.',
  unproved:
    'The server did not prove it. See first that you typed the fingerprint and the number of records right. If you did, there are two possibilities: records were changed, taken out or put in; or the house lost the files of those books and has begun new ones, as it may, and then nobody can prove it any more. Ask the house which it is.',
  'other key':
    'The server shows books that are not signed with its own key. Try again in a while; if it stays so, ask the house.',
  'other log':
    'The house has other sealed books now than those of your seal, and they do not name yours with as many records. Either it has set its seals up anew without naming the old ones, or somebody has put other books in their place. Ask the house which it is.',
};
const REPORT =
  'If you typed nothing wrong, keep the receipt: it may be evidence. Show it to the house, to whoever checks its books, and to a witness where one is named above.';

/** What is said of a finding; a `wrong` one is for the house to explain. */
export interface PastedWords {
  readonly outcome: 'right' | 'wrong' | 'none';
  readonly title: string;
  readonly paragraphs: readonly string[];
}

/** Says in plain words whether the log contains a pasted seal; `count` writes a number of records. */
export function pastedWords(
  { size, note }: PastedSeal,
  finding: PastedFinding,
  count: (records: number) => string,
): PastedWords {
  switch (finding.is) {
    case 'in': {
      const { now, begun, isVerified } = finding;
      const grown = begun
        ? `Since then the house has begun new books, which name the old ones with all these records. ${begun.why ? `Its reason: ${begun.why}` : 'It gives no reason.'}`
        : now === size
          ? 'Nothing was sealed since.'
          : `There are ${count(now)} now, and they begin with those of then, unchanged.`;
      const signed =
        note === null
          ? [
              'Who made the seal was not checked: what you pasted has no signature. The file has one that “Save it as a file” on the page of your ticket makes.',
            ]
          : [];
      return {
        outcome: 'right',
        title: 'This seal fits the books of the house',
        paragraphs: [
          `With ${count(size)} records the books had exactly this fingerprint. ${grown}`,
          ...signed,
          ...(isVerified ? [] : [UNVERIFIED]),
        ],
      };
    }
    case 'out':
      return {
        outcome: 'wrong',
        title: 'This seal does not fit the books of the house',
        paragraphs: [OUT[finding.misfit], REPORT],
      };
    case 'foreign':
      return {
        outcome: 'wrong',
        title: 'It is not signed by this house',
        paragraphs: [
          'This seal is not signed with the key of this server. It is of another house, or it was changed, or the house has changed its key. Ask the house.',
          REPORT,
        ],
      };
    default:
      return {
        outcome: 'none',
        title: 'It could not be checked',
        paragraphs: ['The server did not answer, or seals nothing at the moment. Try again in a while.'],
      };
  }
}
