/** As a `ref`: what is pointed out comes into sight in what scrolls around it. Stable, so that it acts once. */
export function intoSight(node: HTMLElement | null): void {
  node?.scrollIntoView({ block: 'nearest' });
}
