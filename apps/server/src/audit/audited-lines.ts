/**
 * SQL for the lines of a ticket `t` as rows `l (key, qty)`, to stand alone in a lateral FROM: a quantity that is none, which only a change by hand can have made, is null.
 * `offset 0` keeps each from being read once for each use.
 */
export const READ_LINES = `(
  select key, case when translate(qty, '0123456789', '') = '' and length(qty) between 1 and 9 then qty::bigint end as qty
  from (select split_part(line, '*', 1) as key, split_part(line, '*', 2) as qty from string_to_table(t.lines, ' ') as line offset 0) as parts
  offset 0) as l`;
