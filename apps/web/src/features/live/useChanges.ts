import { useState } from 'react';

/**
 * How often a value has changed since it was first seen in its scope; another scope begins at 0 again. Counts while rendering, so
 * that a change is seen in the frame that brings it.
 */
export function useChanges(value: number, scope: string): number {
  const [seen, setSeen] = useState({ value, scope, changes: 0 });
  if (seen.scope !== scope) setSeen({ value, scope, changes: 0 });
  else if (seen.value !== value) setSeen({ value, scope, changes: seen.changes + 1 });
  return seen.changes;
}
