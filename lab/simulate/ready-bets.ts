import { playerState } from '@drawhouse/contract/draws/draws';
import { CallFailed, newRequestId, type Call } from '../../tools/demo/client.ts';
import { DIGITS_BY_FAMILY, rulesFor, type BetLine, type GameRules } from '@drawhouse/rules/games/rules';
import { FAMILIES, type FamilyName } from '@drawhouse/rules/games/catalogue';

/** JSON body of `app/bet`, and its stake in points. */
export interface ReadyBet {
  readonly body: string;
  readonly points: number;
}

/** Players share its draw times. */
export class CrowdGame {
  readonly gameId: string;
  /** Fragments such as `"drawno":"7"`. */
  #bets: string[] = [];
  #lucky: string[] = [];
  #unitPrice = 1;
  #closesAtMs = 0;
  #drawsAtMs = 0;
  #asking = false;

  constructor(gameId: string) {
    this.gameId = gameId;
  }

  /** After the draw ends, fetches the next one through this player's call. */
  isOpen(nowMs: number, call: Call): boolean {
    if (nowMs >= this.#drawsAtMs && !this.#asking) void this.refresh(call);
    return nowMs < this.#closesAtMs;
  }

  leftMs(nowMs: number): number {
    return this.#closesAtMs - nowMs;
  }

  get drawsAtMs(): number {
    return this.#drawsAtMs;
  }

  /** Ignores errors; the next check retries. */
  async refresh(call: Call): Promise<void> {
    this.#asking = true;
    try {
      const state = await call(playerState, { query: { gameId: this.gameId } });
      if (this.#bets.length === 0) this.#learn(state.family, state.outcomes.length);
      this.#unitPrice = state.unitPrice;
      const aheadMs = Date.parse(state.serverTime) - Date.now();
      const atMs = (time: string): number => Date.parse(time) - aheadMs;
      this.#drawsAtMs = state.draw ? atMs(state.draw.drawsAt) : Date.now() + AGAIN_MS;
      this.#closesAtMs = state.draw ? atMs(state.draw.closesAt) : 0;
    } catch (error) {
      const askedMs = error instanceof CallFailed ? error.retryAfterMs : undefined;
      this.#drawsAtMs = Date.now() + (askedMs ?? AGAIN_MS);
    } finally {
      this.#asking = false;
    }
  }

  favourites(): string[] {
    const lucky = pick(this.#lucky);
    return [...(lucky ? [lucky] : []), ...Array.from({ length: 2 }, () => pick(this.#bets)!)];
  }

  /** Distinct, so small games may yield fewer lines. */
  bet(favourites: readonly string[], lineCount: number): ReadyBet {
    const chosen = new Set<string>();
    for (let tries = 0; chosen.size < lineCount && tries < 4 * lineCount; tries++)
      chosen.add(Math.random() < 0.7 ? pick(favourites)! : pick(this.#bets)!);
    let units = 0;
    const lines: string[] = [];
    for (const line of chosen) {
      const qty = Math.max(1, Math.round(pick(QUANTITIES)! / this.#unitPrice));
      units += qty;
      lines.push(`{${line},"qty":${qty}}`);
    }
    const body = `{"gameId":${JSON.stringify(this.gameId)},"requestId":"${newRequestId()}","lines":[${lines.join(',')}]}`;
    return { body, points: units * this.#unitPrice };
  }

  #learn(family: string, outcomes: number): void {
    const rules = rulesOfPanel(this.gameId, family, outcomes);
    for (const line of rules ? everyBet(rules) : []) {
      const text = JSON.stringify(line).slice(1, -1);
      this.#bets.push(text);
      if (LUCKY_NUMBERS.includes(String(line.drawno))) this.#lucky.push(text);
    }
    if (!rules) console.error(`The game ${this.gameId} is of a family that the simulator does not know: ${family}.`);
  }

  get isKnown(): boolean {
    return this.#bets.length > 0;
  }
}

const AGAIN_MS = 250;
const QUANTITIES = [1, 1, 2, 2, 2, 3, 4, 5, 5, 5, 8, 10, 10, 15, 20];
const LUCKY_NUMBERS = ['7', '3', '9', '1', '8'];

export function pick<T>(choices: readonly T[]): T | undefined {
  return choices[Math.floor(Math.random() * choices.length)];
}

export function rulesOfPanel(gameId: string, family: string, outcomes: number): GameRules | undefined {
  if (!FAMILIES.includes(family as FamilyName)) return undefined;
  const sizes = DIGITS_BY_FAMILY[family as FamilyName];
  const digits = sizes?.length === 1 ? sizes[0]! : outcomes;
  return rulesFor({ gameId, family: family as FamilyName, digits });
}

export function everyBet(rules: GameRules): BetLine[] {
  const outcomes = [...rules.outcomes, ...(rules.cardTypes ?? []), ...(rules.colors ?? [])];
  const keys = new Set(outcomes.flatMap((outcome) => rules.outcomeBets(outcome).map(({ key }) => key)));
  return Array.from(keys, (key) => {
    const { drawno, head, series, subseries } = rules.betOf(key)!;
    return {
      drawno,
      ...(rules.heads.length > 1 && { head }),
      ...(series !== null && { series }),
      ...(subseries !== null && { subseries }),
    };
  });
}
