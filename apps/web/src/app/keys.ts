/** One line of the help: what to press, and what it does. */
interface KeyLine {
  /** Each is pressed together with the others, or is another way to the same. */
  keys: readonly string[];
  /** Whether the keys are pressed at once (`together`) or each does it alone. */
  together?: boolean;
  /** A character that acts by itself: it can be switched off. */
  single?: boolean;
  does: string;
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** What the palette's shortcut is called on this machine. */
export const PALETTE_KEYS: readonly string[] = [isApple ? '⌘' : 'Ctrl', 'K'];

/** The keys of the app by what they are for; the help shows them as they stand here. */
export const KEY_GROUPS: readonly { name: string; lines: readonly KeyLine[] }[] = [
  {
    name: 'Everywhere',
    lines: [
      { keys: PALETTE_KEYS, together: true, does: 'Find a page, an account or an action' },
      { keys: ['?'], single: true, does: 'Show these keys' },
      { keys: ['Esc'], does: 'Close what is open, or leave the field' },
    ],
  },
  {
    name: 'In a list',
    lines: [
      { keys: ['/'], single: true, does: 'Search the list' },
      { keys: ['J'], single: true, does: 'Next row, the first one to begin with' },
      { keys: ['K'], single: true, does: 'Row before' },
      { keys: ['↓', '↑'], does: 'Move between rows, once in a row' },
      { keys: ['Enter'], does: 'Open the row' },
    ],
  },
  {
    name: 'On a live panel',
    lines: [
      { keys: ['0–9'], single: true, does: 'Choose the outcome of that number' },
      { keys: ['W'], single: true, does: 'Show it as a wall screen, and back' },
    ],
  },
];
