const percent = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2, minimumFractionDigits: 2 });
const count = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** A fraction as a percentage for people: `0.9` → `90.00 %`. */
export function formatPercent(fraction: number): string {
  return `${percent.format(fraction * 100)} %`;
}

/** A chance for people: `1 in 37`. */
export function formatShare(probability: number): string {
  return `1 in ${count.format(1 / probability)}`;
}
