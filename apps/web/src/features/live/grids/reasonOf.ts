/** Chosen, won or most expensive; null for plain browsing. */
export function reasonOf(
  { lookedAt, selected, drawn }: { lookedAt: string; selected: string | null; drawn: string | null },
  dearest: string | null,
): 'chosen' | 'result' | 'dearest' | null {
  if (lookedAt === selected) return 'chosen';
  if (lookedAt === drawn) return 'result';
  return lookedAt === dearest ? 'dearest' : null;
}
