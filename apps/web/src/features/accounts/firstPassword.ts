/** No letters and digits that look alike. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 3;
const GROUP_LENGTH = 4;

/** Contains about 59 random bits and is easy to read from paper: `k7mq-w3xd-9hpt`. */
export function firstPassword(): string {
  const letters: string[] = [];
  // An incomplete last run of letters would favor some.
  const limit = 256 - (256 % LETTERS.length);
  while (letters.length < GROUPS * GROUP_LENGTH)
    for (const byte of crypto.getRandomValues(new Uint8Array(32)))
      if (byte < limit && letters.length < GROUPS * GROUP_LENGTH) letters.push(LETTERS[byte % LETTERS.length]!);
  return Array.from({ length: GROUPS }, (_, nth) =>
    letters.slice(nth * GROUP_LENGTH, (nth + 1) * GROUP_LENGTH).join(''),
  ).join('-');
}
