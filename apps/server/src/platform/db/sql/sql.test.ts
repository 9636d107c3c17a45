import { describe, expect, it } from 'vitest';
import { allOf, sql } from './sql.ts';

const textAndValues = ({ text, values }: ReturnType<typeof sql>) => [text, values];

describe('sql', () => {
  it('sends values separately, numbered in order', () =>
    expect(textAndValues(sql`select ${1}, ${"it's"}, ${[1, 2]} from t`)).toEqual([
      'select $1, $2, $3 from t',
      [1, "it's", [1, 2]],
    ]));

  it('embeds SQL with its values at start, middle and end', () => {
    const condition = sql`${sql`a = ${1}`} and ${sql`b = ${2} or c`} = ${3}`;
    expect(textAndValues(sql`${condition} limit ${4}${sql`;`}`)).toEqual([
      'a = $1 and b = $2 or c = $3 limit $4;',
      [1, 2, 3, 4],
    ]);
  });

  it('has equal text for other values, as prepared statements need', () => {
    const of = (id: number, name: string) => sql`select ${id} where name = ${name} and kind = ${sql.lit(7)}`;
    expect(of(1, 'a').text).toBe(of(1, '1').text);
  });

  it('joins SQL and values, and an empty list to nothing', () => {
    expect(textAndValues(sql`in (${sql.join([1, sql`now()`, 2])})`)).toEqual(['in ($1, now(), $2)', [1, 2]]);
    expect(textAndValues(sql.join([sql`a`, sql`b`], sql` or `))).toEqual(['a or b', []]);
    expect(textAndValues(sql.join([]))).toEqual(['', []]);
  });

  it('quotes column names', () => expect(sql.ref('t.odd"name').text).toBe('"t"."odd""name"'));

  it('joins conditions by and; no condition is true', () => {
    expect(textAndValues(allOf([sql`a = ${1}`, sql`b`]))).toEqual(['a = $1 and b', [1]]);
    expect(allOf([]).text).toBe('true');
  });
});
