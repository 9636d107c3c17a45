export interface ReferenceChoice {
  value: string;
  label: string;
}

/** Ignores case and surrounding spaces. */
export function isExactly(choice: ReferenceChoice, typed: string): boolean {
  return choice.label.toLowerCase() === typed.trim().toLowerCase();
}

/** Exact match first, then prefixes, then substrings. */
export function rankedChoices(choices: readonly ReferenceChoice[], typed: string): readonly ReferenceChoice[] {
  const text = typed.trim().toLowerCase();
  const rank = ({ label }: ReferenceChoice): number => {
    const at = label.toLowerCase().indexOf(text);
    if (at < 0) return 3;
    return label.length === text.length ? 0 : Math.min(at, 1) + 1;
  };
  return choices.filter((choice) => rank(choice) < 3).toSorted((a, b) => rank(a) - rank(b));
}

/** Ranked matches, or all results without a match. The current choice comes first if missing. */
export function shownChoices(
  found: readonly ReferenceChoice[],
  typed: string,
  chosen: ReferenceChoice | null,
): readonly ReferenceChoice[] {
  if (typed !== '') return rankedChoices(found, typed);
  return chosen && !found.some(({ value }) => value === chosen.value) ? [chosen, ...found] : found;
}
