/** The shortest latency that is told apart, in milliseconds; what is shorter counts as this. */
const LEAST_MS = 0.01;
/** Each bucket is 1 % wider than the one before: a percentile is right to 1 %, whatever its size. */
const GROWTH = Math.log(1.01);
/** Up to 200 seconds. What takes longer counts as that in the percentiles; the most is kept as it is. */
const BUCKETS = Math.ceil(Math.log(200_000 / LEAST_MS) / GROWTH);

/** Counts latencies in buckets, in the same memory for ten of them and for ten billion. All in milliseconds. */
export class Latencies {
  readonly #counts = new Float64Array(BUCKETS + 1);
  count = 0;
  mostMs = 0;

  add(ms: number): void {
    const bucket = ms <= LEAST_MS ? 0 : Math.min(BUCKETS, Math.round(Math.log(ms / LEAST_MS) / GROWTH));
    this.#counts[bucket]!++;
    this.count++;
    if (ms > this.mostMs) this.mostMs = ms;
  }

  /** Adds what others have counted. */
  addAll(others: Latencies): void {
    for (let bucket = 0; bucket <= BUCKETS; bucket++) this.#counts[bucket]! += others.#counts[bucket]!;
    this.count += others.count;
    this.mostMs = Math.max(this.mostMs, others.mostMs);
  }

  /** The latency that a share of all (0.99 for p99) does not exceed; 0 when there are none. */
  percentile(share: number): number {
    const rank = Math.ceil(share * this.count);
    let seen = 0;
    for (let bucket = 0; bucket <= BUCKETS && this.count > 0; bucket++) {
      seen += this.#counts[bucket]!;
      if (seen >= rank && seen > 0) return Math.min(LEAST_MS * Math.exp(bucket * GROWTH), this.mostMs);
    }
    return 0;
  }
}
