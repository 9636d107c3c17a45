/** As a `ref`: what takes the place of what had the focus takes the focus too. Stable, so that it acts once. */
export function focusOnArrival(node: HTMLElement | null): void {
  node?.focus();
}
