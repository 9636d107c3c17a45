/** What opens a row: its first link, which names it, else the button of its sheet. */
const OPENERS = ['td:not([data-apart]) a[href]', '[data-opener]'];

/** Puts the focus on the next row of the page's list, or with -1 on the one before. Answers whether there is one. */
export function focusRow(page: HTMLElement, step: 1 | -1): boolean {
  const openers = [...page.querySelectorAll('tbody tr')].flatMap(
    (row) => OPENERS.map((opener) => row.querySelector<HTMLElement>(opener)).find((found) => found !== null) ?? [],
  );
  const focusedRow = document.activeElement?.closest('tr');
  const at = openers.findIndex((opener) => opener.closest('tr') === focusedRow);
  const next = at === -1 ? openers[0] : openers[at + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return next !== undefined;
}

/** Whether the focus stands in a row of a list. */
export function isRowFocused(): boolean {
  return document.activeElement?.closest('tbody tr') != null;
}
