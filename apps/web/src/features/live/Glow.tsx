import classes from './Glow.module.css';
import { useChanges } from './useChanges.ts';

/** Glows briefly behind a changed sum; a change of `scope` does not count. Needs an isolated stacking context. */
export function Glow({ sum, scope }: { sum: number; scope: string }) {
  const changes = useChanges(sum, scope);
  return changes > 0 && <span key={changes} className={classes.glow} aria-hidden />;
}
