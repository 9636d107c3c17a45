export interface Tested {
  /** Chi-square or standard deviations. */
  readonly statistic: number;
  readonly p: number;
}

/** Lanczos approximation, g = 7, nine terms: 15 digits. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** Log-gamma for x > 0.5. */
export function logGamma(x: number): number {
  const sum = LANCZOS.slice(1).reduce((total, term, index) => total + term / (x + index), LANCZOS[0]!);
  const t = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

const EPSILON = 1e-15;

/**
 * Regularized upper incomplete gamma Q(a, x): series below a + 1, else Lentz's continued fraction (Numerical Recipes,
 * 6.2).
 */
function gammaQ(a: number, x: number): number {
  if (x <= 0) return 1;
  const scale = Math.exp(-x + a * Math.log(x) - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = a + 1; term > sum * EPSILON; n++) sum += term *= x / n;
    return 1 - sum * scale;
  }
  let b = x + 1 - a;
  let c = Number.MAX_VALUE;
  let d = 1 / b;
  let h = d;
  for (let i = 1, change = 0; Math.abs(change - 1) > EPSILON; i++) {
    const an = -i * (i - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    h *= change = c * d;
  }
  return h * scale;
}

export function chiSquareTail(x: number, degrees: number): number {
  return gammaQ(degrees / 2, x / 2);
}

export function normalTails(z: number): number {
  return Math.abs(z) === Infinity ? 0 : gammaQ(0.5, (z * z) / 2);
}

/** Smaller classes are merged with the next, as chi-square requires. */
const LEAST_EXPECTED = 5;

/** Expectations are proportional to `shares`. */
export function chiSquareTest(
  counts: ArrayLike<number>,
  shares: ArrayLike<number>,
): Tested & { readonly degrees: number } {
  const scale = sumOf(counts) / sumOf(shares);
  const classes: { count: number; expected: number }[] = [];
  let isImpossible = false;
  for (let index = 0; index < counts.length; index++) {
    const [count, expected] = [counts[index]!, shares[index]! * scale];
    isImpossible ||= expected === 0 && count > 0;
    const last = classes.at(-1);
    if (last && last.expected < LEAST_EXPECTED) add(last, count, expected);
    else classes.push({ count, expected });
  }
  const rest = classes.at(-1)!;
  if (rest.expected < LEAST_EXPECTED && classes.length > 1) add(classes.at(-2)!, rest.count, classes.pop()!.expected);
  const degrees = classes.length - 1;
  if (isImpossible) return { statistic: Infinity, degrees, p: 0 };
  const statistic = classes.reduce((sum, { count, expected }) => sum + (count - expected) ** 2 / expected, 0);
  return { statistic, degrees, p: degrees === 0 ? 1 : chiSquareTail(statistic, degrees) };
}

function add(to: { count: number; expected: number }, count: number, expected: number): void {
  to.count += count;
  to.expected += expected;
}

function sumOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < values.length; index++) sum += values[index]!;
  return sum;
}

/** Wald–Wolfowitz test between lower and upper half of 0 to n − 1. */
export function runsTest(values: ArrayLike<number>, n: number): Tested {
  const total = values.length;
  let lower = 0;
  let runs = 1;
  for (let index = 0; index < total; index++) {
    const isLow = values[index]! < n / 2;
    if (isLow) lower++;
    if (index > 0 && isLow !== values[index - 1]! < n / 2) runs++;
  }
  const pairs = 2 * lower * (total - lower);
  const mean = 1 + pairs / total;
  const variance = (pairs * (pairs - total)) / (total ** 2 * (total - 1));
  const statistic = variance > 0 ? (runs - mean) / Math.sqrt(variance) : Infinity;
  return { statistic, p: normalTails(statistic) };
}

/** Takes uniform values 0 to n − 1. Returns standard deviations. */
export function serialTest(values: ArrayLike<number>, n: number): Tested {
  const mean = (n - 1) / 2;
  const variance = (n ** 2 - 1) / 12;
  let sum = 0;
  for (let index = 1; index < values.length; index++) sum += (values[index]! - mean) * (values[index - 1]! - mean);
  const statistic = sum / (variance * Math.sqrt(values.length - 1));
  return { statistic, p: normalTails(statistic) };
}

/** Each of m tests fails with probability q. */
export function atLeast(k: number, m: number, q: number): number {
  let below = 0;
  let term = (1 - q) ** m;
  for (let i = 0; i < k; i++) {
    below += term;
    term *= ((m - i) / (i + 1)) * (q / (1 - q));
  }
  return 1 - below;
}
