import { Points } from '../../ui/mark/Points.tsx';
import { PathLink } from '../../ui/page/PathLink.tsx';
import type { Cells } from '../../ui/table/columns/listColumns.tsx';
import classes from './weeks.module.css';

export function figureLinks<Name extends string, Row extends Readonly<Record<Name, number>>>(
  names: readonly Name[],
  hrefOf: (row: Row) => string,
): Cells<Row> {
  return Object.fromEntries(
    names.map((name) => [
      name,
      (row: Row) => (
        <PathLink href={hrefOf(row)} className={classes.figure}>
          <Points value={row[name]} />
        </PathLink>
      ),
    ]),
  );
}
