/** 64 hex digits of the receipt. */
export interface Paper {
  readonly drawId: string;
  readonly ticketId: string;
  readonly digest: string;
}

/** Becomes the ticket's printed code: its draw's public page. Ticket data follows the #, so browsers never send it. */
export function paperAddress(origin: string, { drawId, ticketId, digest }: Paper): string {
  return `${origin}/fair/${drawId}#ticket=${ticketId}&digest=${digest}`;
}

export function readPaper(hash: string): Omit<Paper, 'drawId'> | null {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const [ticketId, digest] = [params.get('ticket'), params.get('digest')];
  if (!ticketId || !digest || !/^[0-9a-fA-F]{64}$/.test(digest)) return null;
  return { ticketId, digest: digest.toLowerCase() };
}
