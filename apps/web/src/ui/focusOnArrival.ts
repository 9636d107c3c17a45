/** A stable `ref` that focuses its element once, for replacements of focused content. */
export function focusOnArrival(node: HTMLElement | null): void {
  node?.focus();
}
