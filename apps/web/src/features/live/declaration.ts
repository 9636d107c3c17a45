import type { ResultData } from '@drawhouse/contract/draws';

/** A result as `live/addresult` is told it; cards with their colour and type, those of groups as a JSON text. */
export function declarationOf(result: ResultData): { result: string; color?: string; type?: string } {
  if ('winners' in result) {
    const lines = Object.entries(result.winners).map(([group, drawno]) =>
      // The groups of 4D are hundreds within a series of a thousand: 1200 in 1000.
      /^\d{4}$/.test(group)
        ? { series: `${group[0]}000`, results: [{ subseries: group, drawno }] }
        : { series: group, drawno },
    );
    return { result: JSON.stringify(lines) };
  }
  return 'suit' in result
    ? { result: result.drawno, color: result.color, type: result.suit }
    : { result: result.drawno };
}
