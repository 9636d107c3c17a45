import { Skeleton } from '@mantine/core';
import { Points } from './Points.tsx';
import classes from './Figures.module.css';

interface FiguresProps {
  /** Each with its name; a bar in its shape stands where the value is not known yet, a dash where there is none. */
  figures: readonly { name: string; value: number | null | undefined }[];
}

/** The sums over a table, side by side; on a narrow screen beneath each other with their decimal points in one column. */
export function Figures({ figures }: FiguresProps) {
  return (
    <div className={classes.holder}>
      <dl className={classes.figures}>
        {figures.map(({ name, value }) => (
          <div key={name} className={classes.figure}>
            <dt>{name}</dt>
            <dd>
              {value === undefined ? (
                <Skeleton height={20} width={96} />
              ) : value === null ? (
                '–'
              ) : (
                <Points value={value} inline />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
