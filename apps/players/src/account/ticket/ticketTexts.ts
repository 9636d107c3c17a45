import { countText, dateText, pointsText } from '../../lib/amounts.ts';
import { plural } from '@drawhouse/session/language';
import { inLanguage } from '../../lib/inLanguage.ts';

const ticketCount = (tickets: number | null): string =>
  tickets === null
    ? 'its tickets'
    : plural(tickets, { one: 'its one ticket', other: `its ${countText(tickets)} tickets` });

export const ticketTexts = inLanguage('ticketTexts', {
  title: 'Ticket',
  tabTitle: (ticketId: string) => `Ticket ${ticketId}`,
  allBets: 'All my bets',
  loading: 'Loading the ticket',
  notATicket: 'This is not a ticket number.',
  undone: (at: string) => `A restore undid this bet on ${dateText(at)}.`,
  undoneHelp: 'It is shown as it was before the restore. It no longer counts: your wallet is as it was in the backup.',
  corrected: (before: string, after: string, at: string) =>
    `The result was corrected from ${before} to ${after} on ${at}.`,
  correctionPaid: (points: string) => `${points} were paid to you.`,
  correctionTaken: (points: string) => `${points} were taken back.`,
  correctionKept: (points: string) => `You keep ${points} that could not be taken back.`,
  correctionReason: (reason: string) => `Reason: ${reason}`,
  summary: 'The ticket',
  result: 'Result',
  draw: 'Draw',
  drawNumber: (number: number) => `Number ${number}`,
  placed: 'Placed',
  paid: 'Paid',
  claimed: 'Claimed',
  claim: {
    ready: 'Your win is ready to claim.',
    help: 'Claimed wins go to your wallet at once.',
    action: 'Claim {points}',
  },
  receipt: {
    title: 'Receipt',
    help: 'The digest identifies everything on this ticket. Keep it, or print the ticket, to prove your bets later.',
    seal: '{sealed} in {origin}: {count} records, {root}',
    sealed: 'Sealed',
    aboutSeals: 'About seals',
    print: 'Print ticket',
    save: 'Save as file',
    fileName: (ticketId: string) => `Ticket-${ticketId}.json`,
  },
  lines: {
    title: 'Your bets',
    bet: 'Bet',
    units: 'Units',
    stake: 'Stake',
    won: 'Won',
    showAll: (count: number) => `Show all ${countText(count)} bets`,
    unitPrice: 'One unit cost {points} on this draw.',
  },
  print: {
    title: 'Print ticket',
    paper: 'Paper width',
    printedAt: (at: string) => `Printed on ${dateText(at)}.`,
    copyNext: 'The next print says that it is a copy.',
    print: 'Print',
    printCopy: 'Print a copy',
  },
  slip: {
    label: (ticketId: string) => `Ticket ${ticketId}, print view`,
    copy: '{copy} first printed {at}',
    copyMark: 'COPY',
    drawn: 'Drawn',
    total: 'Total',
    unitPrice: (points: number) => `A unit costs ${pointsText(points)}.`,
    codeLabel: 'A code that opens the check of this ticket',
    codeHelp: 'Anyone can scan this to see the result and check that this ticket was in the draw.',
    digest: 'Receipt digest',
    sealed: 'Sealed in {origin} {count}',
    records: (count: number) => `${countText(count)} records`,
  },
  proof: {
    title: 'Ticket proof',
    loading: 'Loading the proof',
    right: 'This ticket is in the draw, exactly as shown here.',
    pending: 'No problems so far. Pending steps are listed below.',
    wrong: 'This ticket failed the check.',
    wrongHelp: 'Keep what you have of it, printed or noted, and show it to the operator.',
    noResult: 'The result is not known yet. Once it is, you can check it on the draw page. {link}',
    outside: 'The result is that of an outside lottery, not generated from a seed. {link}',
    declared: 'The result was declared by the operator, not generated from a seed. {link}',
    generated: 'The result was generated from a seed fixed before betting began. Anyone can check it. {link}',
    checkDraw: 'Check the whole draw',
    states: { right: 'Right', wrong: 'Wrong', later: 'Pending' },
    numbers: 'Numbers of each step',
    textToDigest: 'The SHA-256 of this text is the digest:',
    computed: 'Computed here:',
    leaf: 'The SHA-256 of a byte 0 and the digest is a leaf of the tree:',
    steps: 'Each step takes the SHA-256 of a byte 1, the left number and the right one:',
    step: (isLeft: boolean) => `with {sibling} on the ${isLeft ? 'left' : 'right'}: {parent}`,
    root: 'The last hash must equal the root of the draw:',
  },
});

export const proofStepTexts = inLanguage('proofStepTexts', {
  unreadable: {
    title: 'The server’s answer can’t be read',
    text: 'It is not a valid receipt, so nothing can be computed from it.',
  },
  wrongDigest: {
    title: 'The digest does not match the ticket',
    text: 'This browser computed a different digest from the ticket. Something on it has changed since it was placed.',
  },
  twoDigests: {
    title: 'The server sent two different digests',
    text: 'The receipt’s digest differs from the ticket’s.',
  },
  digest: (bets: number) => ({
    title: 'The digest matches the ticket',
    text:
      `From the ticket’s id, its draw, its stake and ${plural(bets, { one: 'its bet', other: `its ${countText(bets)} bets` })} ` +
      'this browser has computed the digest above. Anything else on the ticket would produce a different digest.',
  }),
  fixed: (tickets: number | null) => ({
    title: 'All tickets of the draw are fixed',
    text:
      `When betting closed, the operator published one number, the root, that fixes ${ticketCount(tickets)}. ` +
      'Since then none can be added, changed or removed.',
  }),
  void: {
    title: 'The draw is void',
    text: 'It was voided before its tickets were fixed, and your stake was refunded.',
  },
  open: {
    title: 'Betting is still open',
    text:
      'When it closes, the operator publishes one number, the root, that fixes every ticket of the draw. ' +
      'Until then nobody can show which tickets are in it.',
  },
  wrongPath: 'The ticket does not lead to the root',
  position: 'This ticket’s place in the draw',
  positionVoid: 'There is nothing to show: no ticket of this draw counted.',
  positionOpen: 'This page computes it automatically once betting is closed.',
  positionCleared:
    'The tickets of this draw have been cleared. The root stays, but the path from a ticket to it can no longer be shown.',
  positionNotSent: 'The server has not sent the path from this ticket to the root yet.',
  path: ({ index, size, steps }: { index: number; size: number; steps: number }) => ({
    title: `This is ticket ${countText(index + 1)} of ${countText(size)} in the draw`,
    text: `${pathText(steps)}. This browser computed all of it. A ticket that was not in the draw has no such path.`,
  }),
});

function pathText(steps: number): string {
  if (steps === 0) return 'It is the only ticket, so its digest is the root itself';
  return `From its digest, ${plural(steps, { one: 'one step leads', other: `${countText(steps)} steps lead` })} up to the root`;
}
