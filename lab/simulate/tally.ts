/** Shorter latencies count as this. */
const LEAST_MS = 0.01;
/** Bounds the error of percentiles at 1 %. */
const GROWTH = Math.log(1.01);
/** Up to 200 seconds. Longer latencies count as 200 s, except in the maximum. */
const BUCKETS = Math.ceil(Math.log(200_000 / LEAST_MS) / GROWTH);

/** Log-scaled histogram of constant size, in milliseconds. */
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

  addAll(others: Latencies): void {
    for (let bucket = 0; bucket <= BUCKETS; bucket++) this.#counts[bucket]! += others.#counts[bucket]!;
    this.count += others.count;
    this.mostMs = Math.max(this.mostMs, others.mostMs);
  }

  /** 0.99 for p99. 0 if empty. */
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

export interface Bucket {
  accepted: number;
  refused: number;
  unsent: number;
  closed: number;
  readonly latencies: Latencies;
}

/** Longer runs double the bucket width. */
const BUCKETS_MAX = 240;

/** Every due bet ends as accepted, refused or unsent. */
export class Tally {
  accepted = 0;
  points = 0;
  topUps = 0;
  readonly refused = new Map<string, number>();
  /** Busy: no free connection or player in time. Closed: every game. */
  readonly unsent = { busy: 0, closed: 0 };
  /** Time from due to answer, accepted bets only. */
  readonly latencies = new Latencies();
  readonly buckets: Bucket[] = [];
  bucketMs = 1_000;

  accept(atMs: number, latencyMs: number, points: number): void {
    this.accepted++;
    this.points += points;
    this.latencies.add(latencyMs);
    const bucket = this.#bucketAt(atMs);
    bucket.accepted++;
    bucket.latencies.add(latencyMs);
  }

  refuse(atMs: number, code: string): void {
    this.refused.set(code, (this.refused.get(code) ?? 0) + 1);
    this.#bucketAt(atMs).refused++;
  }

  skip(atMs: number, why: 'busy' | 'closed'): void {
    this.unsent[why]++;
    const bucket = this.#bucketAt(atMs);
    bucket.unsent++;
    if (why === 'closed') bucket.closed++;
  }

  get refusals(): number {
    return [...this.refused.values()].reduce((sum, count) => sum + count, 0);
  }

  advance(atMs: number): void {
    this.#bucketAt(atMs);
  }

  #bucketAt(atMs: number): Bucket {
    while (atMs >= BUCKETS_MAX * this.bucketMs) this.#halve();
    const index = Math.max(0, Math.floor(atMs / this.bucketMs));
    while (this.buckets.length <= index)
      this.buckets.push({ accepted: 0, refused: 0, unsent: 0, closed: 0, latencies: new Latencies() });
    return this.buckets[index]!;
  }

  #halve(): void {
    this.bucketMs *= 2;
    for (let index = 0; index < this.buckets.length; index += 2) {
      const [bucket, next] = [this.buckets[index]!, this.buckets[index + 1]];
      this.buckets[index / 2] = bucket;
      if (!next) continue;
      bucket.accepted += next.accepted;
      bucket.refused += next.refused;
      bucket.unsent += next.unsent;
      bucket.closed += next.closed;
      bucket.latencies.addAll(next.latencies);
    }
    this.buckets.length = Math.ceil(this.buckets.length / 2);
  }
}
