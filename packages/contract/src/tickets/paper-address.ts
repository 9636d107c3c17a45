/** What a printed ticket says of itself: its draw, its number, and its receipt digest as 64 hex digits. */
export interface Paper {
  readonly drawId: string;
  readonly ticketId: string;
  readonly digest: string;
}

/** The address that the code on a printed ticket opens: the public page of its draw. What is of the ticket stands behind the #, which no server is sent. */
export function paperAddress(origin: string, { drawId, ticketId, digest }: Paper): string {
  return `${origin}/fair/${drawId}#ticket=${ticketId}&digest=${digest}`;
}

/** Reads what stands behind the # of such an address; null where it is nothing of a ticket. */
export function readPaper(hash: string): Omit<Paper, 'drawId'> | null {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const [ticketId, digest] = [given.get('ticket'), given.get('digest')];
  if (!ticketId || !digest || !/^[0-9a-fA-F]{64}$/.test(digest)) return null;
  return { ticketId, digest: digest.toLowerCase() };
}
