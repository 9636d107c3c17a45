import classes from './Glow.module.css';
import { useChanges } from './useChanges.ts';

/** Glows for a moment beneath a sum that has changed in its scope, in a place that is isolated. */
export function Glow({ sum, scope }: { sum: number; scope: string }) {
  const changes = useChanges(sum, scope);
  return changes > 0 && <span key={changes} className={classes.glow} aria-hidden />;
}
