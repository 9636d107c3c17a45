import type { ReceiptOutcome } from '@drawhouse/rules/receipt';

export const ticketTexts = {
  title: 'Check a ticket',
  lead: 'When betting closed, the root above fixed every ticket of this draw. With the receipt of a ticket this page computes that the ticket is one of them.',
  notYet:
    'When betting closes, a root that fixes every ticket of this draw is published. Here you can then check that a ticket is one of them, by its receipt.',
  where: 'The receipt is what the house answers to its player at',
  label: 'Receipt',
  help: 'Paste it here, or open the file in which you keep it. It stays in this browser.',
  open: 'Open a file',
  steps: 'Show every step',
  tooLarge: 'This file is larger than any receipt.',
  noJson: 'This is not JSON. Copy the whole receipt, from the first bracket to the last.',
  unreadable: 'This is not a receipt',
  named: {
    title: 'Its receipt is needed',
    text: 'This only names the ticket. Sign in as its player, open the receipt, and copy all of it here.',
    link: 'Open the receipt of',
  },
  otherDraw: {
    title: 'This ticket is of another draw',
    text: 'Paste its receipt on the page of that draw.',
    link: 'Open the draw of this ticket',
  },
  outcome: {
    in: {
      title: 'This ticket was in the draw',
      text: 'Its digest is that of what it says, and the path leads from there to the root that was published when betting closed. It was not added, changed or removed afterwards.',
    },
    wrong: {
      title: 'This ticket does not check out',
      text: 'Compare the receipt with the one that you were given. Keep both, and ask the house.',
    },
    open: {
      title: 'Betting is still open',
      text: 'The digest is that of what the ticket says. Keep it. Ask for the receipt again when betting has closed: it then has the path to the root.',
    },
    early: {
      title: 'This receipt was made before betting closed',
      text: 'The digest is that of what the ticket says. Ask for the receipt again: it now has the path to the root.',
    },
  },
} as const satisfies { outcome: Record<ReceiptOutcome, { title: string; text: string }>; [name: string]: unknown };
