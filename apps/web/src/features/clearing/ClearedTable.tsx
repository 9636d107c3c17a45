import type { Cleared } from '@drawhouse/contract/clearing/clearing';
import { leftLines, freedSpaceText, rowsText, clearingTexts as texts } from './clearingTexts.ts';
import classes from './ClearHistory.module.css';
import { CLEARING_MODELS } from '@drawhouse/contract/clearing/clearing-texts';

interface ClearedTableProps {
  models: readonly Cleared[];
  of: string;
}

export function ClearedTable({ models, of }: ClearedTableProps) {
  const { heads } = texts;
  // A new database has no size estimates.
  const isSized = models.some(({ bytes }) => bytes > 0);
  return (
    <div className={classes.scroll}>
      <table className={classes.table} data-sized={isSized || undefined}>
        <thead>
          <tr>
            <th scope="col">{heads.model}</th>
            <th scope="col">{of}</th>
            {isSized && <th scope="col">{heads.bytes}</th>}
            <th scope="col">{heads.left}</th>
          </tr>
        </thead>
        <tbody>
          {models.map((cleared) => (
            <tr key={cleared.model} data-none={cleared.rows === 0 || undefined}>
              <th scope="row">{CLEARING_MODELS[cleared.model].title}</th>
              <td>{rowsText(cleared)}</td>
              {isSized && <td>{freedSpaceText(cleared.bytes)}</td>}
              <td className={classes.left}>
                {leftLines(cleared).map((line) => (
                  <div key={line}>
                    <span className={classes.leftHead}>{heads.left}: </span>
                    {line}
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
