/** Who kept the seed of a draw, in a few words as the page that checks it says them: `Self-kept`, `Kept with other.example and a round of drand`. */
export function keptWords(others: string | undefined): string {
  return others === undefined ? 'Self-kept' : `Kept with ${others}`;
}
