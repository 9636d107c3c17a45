/** Focuses the heading without scrolling, after the focused element disappeared. */
export function toHeading(): void {
  document.querySelector('h1')?.focus({ preventScroll: true });
}
