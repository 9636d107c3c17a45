const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The number that people read on a ticket: the time and the random end of its id in Crockford base 32. */
export function ticketNumber(id: string): string {
  let value = BigInt(`0x${id.replaceAll('-', '').slice(4, 12)}${id.slice(-8)}`);
  let text = '';
  for (; text.length < 12; value /= 32n) text = CROCKFORD[Number(value % 32n)]! + text;
  return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`;
}
