export function intoSight(node: HTMLElement | null): void {
  node?.scrollIntoView({ block: 'nearest' });
}
