import type { Panel } from '@drawhouse/contract/live/live';
import { liveFrequencies } from '@drawhouse/contract/live/live-results';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { layoutOf } from '@drawhouse/rules/panel/layout';
import { NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { memo, useState, type CSSProperties } from 'react';
import { call } from '../../../lib/server/api.ts';
import { OutcomePicture, pictureFor } from '../../../ui/pictures/OutcomePicture.ts';
import type { Depicted } from '@drawhouse/pictures/outcome-drawing';
import { gameOf, share } from '../panel/panelMath.ts';
import { liveTexts, resultTexts } from '../liveTexts.ts';
import { newestDraw } from './resultNews.ts';
import classes from './Frequencies.module.css';
import { richText } from '@drawhouse/session/rich-text';

const SHORT = 2;
const MOST_IN_ROW = 10;

type Group = RouteAnswer<typeof liveFrequencies>['groups'][number];
type Value = Group['values'][number];

/** Refetched with each result. */
export const Frequencies = memo(function Frequencies({ panel }: { panel: Panel }) {
  const { gameId, adminId } = panel;
  const [section, setSection] = useState<string | null>(null);
  const [pictures] = useState(() => picturesOf(panel));
  const { data } = useQuery({
    queryKey: ['live', 'frequencies', adminId, gameId, newestDraw(panel)],
    queryFn: ({ signal }) => call(liveFrequencies, { query: { gameId, adminId } }, { signal, background: true }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  if (!data || data.draws === 0) return null;
  const slots = new Set(data.groups.map((group) => group.section));
  const sections = layoutOf(gameOf(panel)).sections.filter(({ slot }) => slots.has(slot));
  const chosen = section ?? data.groups[0]?.section ?? '';
  return (
    <section className={classes.frequencies} aria-labelledby="how-often">
      <div className={classes.heading}>
        <h2 id="how-often">
          {richText(liveTexts.timesInDraws, {
            often: resultTexts.often,
            draws: data.draws === 1 ? liveTexts.lastDraw : liveTexts.lastDraws(data.draws),
          })}
        </h2>
        {sections.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label={resultTexts.which}
            data={sections.map(({ slot, title }) => ({ value: slot, label: title }))}
            value={chosen}
            onChange={(event) => setSection(event.currentTarget.value)}
          />
        )}
        <p className={classes.note}>{resultTexts.independent}</p>
      </div>
      <Groups groups={data.groups} section={chosen} draws={data.draws} pictures={pictures} />
    </section>
  );
});

function picturesOf(panel: Panel): ReadonlyMap<string, Depicted> {
  return new Map(
    panel.data.flatMap((row) => {
      const picture = pictureFor(panel, row);
      return picture ? [[row.drawno, picture] as const] : [];
    }),
  );
}

interface GroupsProps {
  groups: readonly Group[];
  section: string;
  draws: number;
  pictures: ReadonlyMap<string, Depicted>;
}

/** Panel frames do not change it. */
const Groups = memo(function Groups({ groups, section, draws, pictures }: GroupsProps) {
  return groups
    .filter((group) => group.section === section)
    .map((group) => (
      <div key={group.title} className={classes.group}>
        {group.title !== '' && <h3 className={classes.title}>{group.title}</h3>}
        <div className={classes.cells} style={{ '--row': rowOf(group.values.length) } as CSSProperties} aria-hidden>
          {group.values.map((value) => (
            <Cell
              key={value.value}
              value={value}
              most={Math.max(...group.values.map(({ count }) => count))}
              draws={draws}
              // Single digits have no picture.
              picture={pictures.size === group.values.length ? pictures.get(value.value) : undefined}
            />
          ))}
        </div>
        <FrequencyTable group={group} draws={draws} />
      </div>
    ));
});

function rowOf(count: number): number {
  return Math.ceil(count / Math.ceil(count / MOST_IN_ROW));
}

interface CellProps {
  value: Value;
  most: number;
  draws: number;
  picture: Depicted | undefined;
}

function Cell({ value: { value, label, count, since }, most, draws, picture }: CellProps) {
  return (
    <div className={classes.cell} data-none={count === 0 || undefined}>
      <span className={classes.of}>
        {picture && <OutcomePicture {...picture} size={20} />}
        <span className={classes.label}>{picture && label.length > SHORT ? value : label}</span>
        <strong className={classes.count}>{count}</strong>
      </span>
      <span className={classes.bar}>
        <span style={{ inlineSize: `${share(count, most) * 100}%` }} />
      </span>
      <span className={classes.since}>{sinceText(since, draws)}</span>
    </div>
  );
}

function sinceText(since: number | null, draws: number): string {
  if (since === null) return liveTexts.notIn(draws);
  if (since === 0) return 'last draw';
  return since === 1 ? '1 draw ago' : liveTexts.drawsAgo(since);
}

function FrequencyTable({ group, draws }: { group: Group; draws: number }) {
  return (
    <div className="unseen">
      <table>
        <caption>{group.title === '' ? resultTexts.often : `${resultTexts.often}: ${group.title}`}</caption>
        <thead>
          <tr>
            <th scope="col">{resultTexts.outcome}</th>
            <th scope="col">{resultTexts.came}</th>
            <th scope="col">{resultTexts.notFor}</th>
          </tr>
        </thead>
        <tbody>
          {group.values.map(({ value, label, count, since }) => (
            <tr key={value}>
              <th scope="row">{label === value ? value : `${value} ${label}`}</th>
              <td>{count}</td>
              <td>{since ?? liveTexts.orMore(draws)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
