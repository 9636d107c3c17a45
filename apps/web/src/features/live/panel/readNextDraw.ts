import { formatMoment } from '../liveFormat.ts';

export interface NextDrawText {
  readonly id: string;
  readonly opens: string;
  readonly closes: string;
}

/**
 * Reads `nextrdraw[0]`, `data` or `result` (docs/spec/game-operations.md §3). Times are in the viewer's zone, with the
 * day unless it is that of `now`.
 */
export function readNextDraw(answer: unknown, now: string): NextDrawText | null {
  const { nextrdraw, data, result } = isRecord(answer) ? answer : {};
  const draw = [nextrdraw, data, result].map(firstOf).find(isRecord);
  if (!draw) return null;
  const textOf = (...names: string[]) =>
    names
      .map((name) => draw[name])
      .find(isText)
      ?.toString() ?? '';
  const { opensAt, closesAt } = draw;
  const hasInstants = typeof opensAt === 'string' && typeof closesAt === 'string';
  return {
    id: textOf('_id', 'id', 'draw_id'),
    opens: hasInstants ? formatMoment(opensAt, now) : textOf('timeopen', 'open', 'time'),
    closes: hasInstants ? formatMoment(closesAt, opensAt) : textOf('timeclose', 'period', 'ampm'),
  };
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

function isText(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
