import { examineReceipt, readReceipt } from '@drawhouse/rules/receipt';
import type { ReceiptExamination, TicketReceipt } from '@drawhouse/rules/receipt';
import { isDrawId } from './drawId.ts';
import type { FairDraw } from './fairDraw.ts';
import { readTicketName } from './ticketName.ts';
import { ticketTexts } from './ticketTexts.ts';

/** A receipt that was checked; the ticket that the text only names; the other draw that its receipt is of; or why the text is none. */
export type TicketFinding =
  | { readonly receipt: TicketReceipt; readonly examination: ReceiptExamination }
  | { readonly named: string }
  | { readonly otherDrawId: string }
  | { readonly unreadable: string };

/** Checks the text of a receipt against what its draw published. Never throws, whatever the text is; null where there is none. */
export function checkTicket(text: string, draw: FairDraw): TicketFinding | null {
  if (text.trim() === '') return null;
  const named = readTicketName(text);
  if (named !== null) return { named };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { unreadable: ticketTexts.noJson };
  }
  try {
    const receipt = readReceipt(json);
    const drawId = receipt.drawId.toLowerCase();
    if (isDrawId(drawId) && drawId !== draw.drawId.toLowerCase()) return { otherDrawId: drawId };
    return { receipt, examination: examineReceipt(receipt, draw) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { unreadable: error.message };
  }
}
