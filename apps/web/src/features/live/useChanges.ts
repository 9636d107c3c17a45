import { useState } from 'react';

/** Counts changes within a scope. Counts during render, so a change shows in its own frame. */
export function useChanges(value: number, scope: string): number {
  const [seen, setSeen] = useState({ value, scope, changes: 0 });
  if (seen.scope !== scope) setSeen({ value, scope, changes: 0 });
  else if (seen.value !== value) setSeen({ value, scope, changes: seen.changes + 1 });
  return seen.changes;
}
