import type { Panel } from '@drawhouse/contract/live/live';
import { memo } from 'react';
import { formatPoints } from '../../../lib/format/format.ts';
import { Points } from '../../../ui/mark/Points.tsx';
import { liveTexts } from '../liveTexts.ts';
import classes from './PanelFigures.module.css';

export const DailyFigures = memo(function DailyFigures({ panel, narrow }: { panel: Panel; narrow: boolean }) {
  const figures = [
    { name: liveTexts.gameBalance, value: panel.percentageData[0]?.gameBalance ?? 0 },
    { name: liveTexts.collection, value: panel.collections.totalPlaypoints },
    { name: liveTexts.payment, value: panel.collections.totalWinpoints },
    { name: liveTexts.balance, value: panel.collections.balance },
  ];
  return (
    <section className={classes.daily} aria-labelledby="daily-figures">
      <h2 className={classes.heading} id="daily-figures">
        {liveTexts.dailyTitle}
      </h2>
      <table className={classes.table} aria-labelledby="daily-figures">
        {narrow ? (
          <tbody>
            {figures.map((figure) => (
              <tr key={figure.name}>
                <th scope="row">{figure.name}</th>
                <td>
                  <Points value={figure.value} />
                </td>
              </tr>
            ))}
          </tbody>
        ) : (
          <>
            <thead>
              <tr>
                {figures.map((figure) => (
                  <th key={figure.name} scope="col">
                    {figure.name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <tr>
                {figures.map((figure) => (
                  <td key={figure.name}>
                    <Points value={figure.value} />
                  </td>
                ))}
              </tr>
            </tbody>
          </>
        )}
      </table>
    </section>
  );
});

export function DrawCollection({ panel }: { panel: Panel }) {
  return (
    <section className={classes.collection} aria-label={liveTexts.drawCollection}>
      <h2 className={classes.heading}>{liveTexts.drawCollection}</h2>
      <span className={classes.collectionValue}>{formatPoints(panel.totalsumdata)}</span>
    </section>
  );
}
