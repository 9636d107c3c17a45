import { Skeleton } from '@mantine/core';
import { Points } from './Points.tsx';
import classes from './Figures.module.css';

interface FiguresProps {
  /** Undefined shows a placeholder, null a dash. */
  figures: readonly { name: string; value: number | null | undefined }[];
}

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
