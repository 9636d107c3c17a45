import { Latencies } from './latencies.ts';

/** What happened in one span of the time. */
export interface Span {
  accepted: number;
  refused: number;
  unsent: number;
  /** Of them: because betting was closed. */
  closed: number;
  readonly latencies: Latencies;
}

/** Spans of the chart at most: where the time is longer, each is twice as long as before. */
const SPANS_MAX = 240;

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
  /** The same by time: spans of `spanMs`, from the start. */
  readonly spans: Span[] = [];
  spanMs = 1_000;

  /** Counts an accepted bet, at a time since the start. */
  accept(atMs: number, latencyMs: number, points: number): void {
    this.accepted++;
    this.points += points;
    this.latencies.add(latencyMs);
    const span = this.#spanAt(atMs);
    span.accepted++;
    span.latencies.add(latencyMs);
  }

  refuse(atMs: number, code: string): void {
    this.refused.set(code, (this.refused.get(code) ?? 0) + 1);
    this.#spanAt(atMs).refused++;
  }

  skip(atMs: number, why: 'busy' | 'closed'): void {
    this.unsent[why]++;
    const span = this.#spanAt(atMs);
    span.unsent++;
    if (why === 'closed') span.closed++;
  }

  get refusals(): number {
    return [...this.refused.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Goes on to a time since the start: from then on the spans before it are whole, also those in which nothing happened. */
  advance(atMs: number): void {
    this.#spanAt(atMs);
  }

  #spanAt(atMs: number): Span {
    while (atMs >= SPANS_MAX * this.spanMs) this.#halve();
    const index = Math.max(0, Math.floor(atMs / this.spanMs));
    while (this.spans.length <= index)
      this.spans.push({ accepted: 0, refused: 0, unsent: 0, closed: 0, latencies: new Latencies() });
    return this.spans[index]!;
  }

  #halve(): void {
    this.spanMs *= 2;
    for (let index = 0; index < this.spans.length; index += 2) {
      const [span, next] = [this.spans[index]!, this.spans[index + 1]];
      this.spans[index / 2] = span;
      if (!next) continue;
      span.accepted += next.accepted;
      span.refused += next.refused;
      span.unsent += next.unsent;
      span.closed += next.closed;
      span.latencies.addAll(next.latencies);
    }
    this.spans.length = Math.ceil(this.spans.length / 2);
  }
}
