import { textsIn } from '@drawhouse/session/language';
import type { ReceiptOutcome } from '@drawhouse/rules/fair/tree/receipt';

export const ticketTexts = textsIn('fairTicketTexts', {
  title: 'Check a ticket',
  lead:
    'When betting closed, the root above fixed every ticket of this draw. With a ticket’s receipt, this ' +
    'page verifies that the ticket is one of them.',
  notYet:
    'When betting closes, a root that fixes every ticket of this draw is published. You can then check ' +
    'here, with its receipt, that a ticket is one of them.',
  where: 'The player gets the receipt at',
  label: 'Receipt',
  help: 'Paste it here, or open the file you keep it in. It stays in this browser.',
  open: 'Open a file',
  steps: 'Show every step',
  tooLarge: 'This file is too large for a receipt.',
  noJson: 'This is not JSON. Copy the whole receipt, from the first bracket to the last.',
  unreadable: 'This is not a receipt',
  named: {
    title: 'Receipt needed',
    text: 'This is only the ticket number. Sign in as its player, open the receipt and copy all of it here.',
    link: 'Open the receipt of',
  },
  otherDraw: {
    title: 'This ticket belongs to another draw',
    text: 'Paste its receipt on the page of that draw.',
    link: 'Open the draw of this ticket',
  },
  outcome: {
    in: {
      title: 'This ticket was in the draw',
      text:
        'Its digest matches its contents, and the path leads from there to the root published when betting ' +
        'closed. It was not added, changed or removed afterwards.',
    },
    wrong: {
      title: 'This ticket does not check out',
      text: 'Compare the receipt with the one you were given. Keep both, and ask the house.',
    },
    open: {
      title: 'Betting is still open',
      text:
        'The digest matches the ticket’s contents. Keep it, and get the receipt again once betting has ' +
        'closed: it will then include the path to the root.',
    },
    early: {
      title: 'This receipt was issued before betting closed',
      text: 'The digest matches the ticket’s contents. Get the receipt again: it now includes the path to the root.',
    },
  },
} satisfies { outcome: Record<ReceiptOutcome, { title: string; text: string }>; [name: string]: unknown });
