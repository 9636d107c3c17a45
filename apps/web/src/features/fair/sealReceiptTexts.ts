import type { Misfit } from '@drawhouse/watch/log-look';
import type { PastedFinding, PastedSeal } from '@drawhouse/watch/pasted-seal';
import { UNVERIFIED } from '@drawhouse/watch/watch-words';

/** The texts of the form that takes the seal of a receipt. */
export const sealReceiptTexts = {
  title: 'Check the seal of your receipt',
  lead: 'Paste what your ticket says of the seals. This browser then has the server prove that the books of now contain all that was sealed then, your ticket’s past among it, and checks the proof by itself.',
  label: 'Seal of a receipt or a printed ticket',
  help: 'The file that you saved, or the line that begins with Sealed. From paper, type the number of records and then the fingerprint: 44 letters, digits and signs, the last one =.',
  check: 'Check this seal',
  empty: 'Paste the seal of a receipt first.',
  unreadable:
    'There is no seal in this. It needs the number of records and the fingerprint, whole: 44 letters, digits and signs, the last one =.',
} as const;

const OUT: Readonly<Record<Misfit, string>> = {
  'rolled back': 'The log has fewer records now: it was put back to an older state, or records were taken out of it.',
  forked:
    'The log has another fingerprint at that number of records. There can be only one: see that you typed it right.',
  unproved:
    'The server could not prove it. Either the fingerprint was typed wrongly, or records before it were changed, taken out or put in.',
  'other key': 'What the server shows now is not signed by its own key.',
  'other log':
    'Another log is in the place of the one that the seal is of, and does not name it with as many records. After a restore as it should be it does.',
};
const REPORT =
  'If you typed nothing wrong, keep the receipt: it may be evidence. Show it to whoever runs the house, to who audits it, and to a witness where one is named above.';

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
        ? `The books were put back since, and a new log was begun: ${begun.why || 'the server gives no reason'}. It names the one before, which contains your seal.`
        : now === size
          ? 'It is the newest one there is.'
          : `It has ${count(now)} now, and begins with those. What was sealed then is in it, unchanged.`;
      const signed =
        note === null
          ? ['A fingerprint alone does not say who made it; the signature is in the file that a ticket is saved as.']
          : [];
      return {
        outcome: 'right',
        title: 'Yes, the log contains it',
        paragraphs: [
          `With ${count(size)} records the log had exactly this fingerprint. ${grown}`,
          ...signed,
          ...(isVerified ? [] : [UNVERIFIED]),
        ],
      };
    }
    case 'out':
      return { outcome: 'wrong', title: 'No, the log does not contain it', paragraphs: [OUT[finding.misfit], REPORT] };
    case 'foreign':
      return {
        outcome: 'wrong',
        title: 'It is not signed by this house',
        paragraphs: [
          'The checkpoint in it has no signature by the key of this server: it is of another house, was changed, or the house has changed its key.',
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
