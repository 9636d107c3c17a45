/** Why all is told about a number: it is chosen, has won, or would cost most; null where it is merely looked at. */
export function reasonOf(
  { lookedAt, selected, drawn }: { lookedAt: string; selected: string | null; drawn: string | null },
  dearest: string | null,
): 'chosen' | 'result' | 'dearest' | null {
  if (lookedAt === selected) return 'chosen';
  if (lookedAt === drawn) return 'result';
  return lookedAt === dearest ? 'dearest' : null;
}
