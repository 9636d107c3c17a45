/** Takes the focus to the heading of the page, without scrolling: where what had it goes, and nothing else is nearer. */
export function toHeading(): void {
  document.querySelector('h1')?.focus({ preventScroll: true });
}
