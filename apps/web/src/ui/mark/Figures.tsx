import { Skeleton } from '@mantine/core';
import { Points } from './Points.tsx';
import classes from './Figures.module.css';

interface FiguresProps {
  /** Undefined: placeholder; null: dash. */
  figures: readonly { name: string; value: number | null | undefined }[];
  inline?: boolean;
}

export function Figures({ figures, inline = false }: FiguresProps) {
  const list = (
    <dl className={inline ? classes.inline : classes.figures}>
      {figures.map(({ name, value }) => (
        <div key={name} className={classes.figure}>
          <dt>{name}</dt>
          <dd>
            {value === undefined ? (
              <Skeleton height={inline ? 14 : 20} width={inline ? 80 : 96} />
            ) : value === null ? (
              '–'
            ) : (
              <Points value={value} inline />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
  return inline ? list : <div className={classes.holder}>{list}</div>;
}
