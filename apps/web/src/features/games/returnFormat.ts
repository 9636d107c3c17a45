const count = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** `1 in 37`. */
export function formatOneIn(probability: number): string {
  return `1 in ${count.format(1 / probability)}`;
}
