/** A stable `ref` that scrolls its element into view once. */
export function intoSight(node: HTMLElement | null): void {
  node?.scrollIntoView({ block: 'nearest' });
}
