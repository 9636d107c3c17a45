/** SQL for a list of numbers of kinds, in brackets: `kind in ${inKinds(TRANSFER_KINDS, 'stake', 'win')}`. */
export function inKinds<K extends string>(kinds: Readonly<Record<K, number>>, ...names: K[]): string {
  return `(${names.map((name) => kinds[name]).join(', ')})`;
}

/** SQL for what the kind in a column is called; for a number that means none, `kind` and the number. */
export function kindName(kinds: Readonly<Record<string, number>>, column: string): string {
  const names = Object.entries(kinds).map(([name, number]) => `when ${number} then '${name}'`);
  return `case ${column} ${names.join(' ')} else 'kind ' || ${column} end`;
}
