/** Where a form stands, and whose it is. */
export interface FormPlace {
  readonly userId: string;
  readonly path: string;
  /** The names of its fields: a page may have several forms. */
  readonly fields: readonly string[];
}

interface KeptForm {
  readonly place: FormPlace;
  readonly values: Readonly<Record<string, unknown>>;
}

const KEY = 'keptForms';

/** Keeps what was typed into a form until its account signs in again in this tab; never passwords, nor files. */
export function keepForm(storage: Storage, place: FormPlace, values: object): void {
  const typed = Object.entries(values).filter(([name, value]) => !/pass/i.test(name) && isPlain(value));
  const others = readForms(storage).filter((kept) => !isSame(kept.place, place));
  storage.setItem(KEY, JSON.stringify([...others, { place, values: Object.fromEntries(typed) }] satisfies KeptForm[]));
}

/** Gives back what was typed into the form of a place, once. Whatever another account has left is forgotten. */
export function takeForm(storage: Storage, place: FormPlace): KeptForm['values'] | null {
  const own = readForms(storage).filter((kept) => kept.place.userId === place.userId);
  const rest = own.filter((kept) => !isSame(kept.place, place));
  if (rest.length === 0) storage.removeItem(KEY);
  else storage.setItem(KEY, JSON.stringify(rest));
  return own.find((kept) => isSame(kept.place, place))?.values ?? null;
}

function readForms(storage: Storage): KeptForm[] {
  try {
    return JSON.parse(storage.getItem(KEY) ?? '[]') as KeptForm[];
  } catch {
    return [];
  }
}

function isSame(one: FormPlace, other: FormPlace): boolean {
  return (
    JSON.stringify([one.userId, one.path, one.fields]) === JSON.stringify([other.userId, other.path, other.fields])
  );
}

/** Texts, numbers, yes or no, and lists of them. */
function isPlain(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isPlain) : ['string', 'number', 'boolean'].includes(typeof value);
}
