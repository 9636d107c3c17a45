/** An account to choose, by its name. */
export interface ReferenceChoice {
  value: string;
  label: string;
}

/** Whether a choice is the one that was typed, whole; case and spaces around it do not matter. */
export function isExactly(choice: ReferenceChoice, typed: string): boolean {
  return choice.label.toLowerCase() === typed.trim().toLowerCase();
}

/** The choices that match what was typed, the best first: the whole name, names that begin so, then names that hold it. */
export function rankedChoices(choices: readonly ReferenceChoice[], typed: string): readonly ReferenceChoice[] {
  const text = typed.trim().toLowerCase();
  const rank = ({ label }: ReferenceChoice): number => {
    const at = label.toLowerCase().indexOf(text);
    if (at < 0) return 3;
    return label.length === text.length ? 0 : Math.min(at, 1) + 1;
  };
  return choices.filter((choice) => rank(choice) < 3).toSorted((a, b) => rank(a) - rank(b));
}

/** What the list shows: what matches what was typed, best first, or where nothing is all that was found, and before them what is chosen where it is not among them. */
export function shownChoices(
  found: readonly ReferenceChoice[],
  typed: string,
  chosen: ReferenceChoice | null,
): readonly ReferenceChoice[] {
  if (typed !== '') return rankedChoices(found, typed);
  return chosen && !found.some(({ value }) => value === chosen.value) ? [chosen, ...found] : found;
}
