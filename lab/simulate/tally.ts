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

/** What happened in one part of the time. */
export interface Bucket {
  accepted: number;
  refused: number;
  unsent: number;
  /** Of them: because betting was closed. */
  closed: number;
  readonly latencies: Latencies;
}

/** Buckets of the chart at most: where the time is longer, each is twice as long as before. */
const BUCKETS_MAX = 240;

/** What became of the bets of a simulation. A bet that was due is accepted, refused, or was not sent. */
export class Tally {
  accepted = 0;
  points = 0;
  /** How often credit was given to players who had too little. */
  topUps = 0;
  /** Refused bets by the code of the answer; `NO_RESPONSE` where there was none. */
  readonly refused = new Map<string, number>();
  /** Bets that were due and not sent: no connection or player was free in time, or betting was closed in all games of the player. */
  readonly unsent = { busy: 0, closed: 0 };
  /** Of the accepted bets: from when one was due to its answer. */
  readonly latencies = new Latencies();
  /** The same by time: buckets of `bucketMs`, from the start. */
  readonly buckets: Bucket[] = [];
  bucketMs = 1_000;

  /** Counts an accepted bet, at a time since the start. */
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

  /** Goes on to a time since the start: from then on the buckets before it are whole, also those in which nothing happened. */
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
