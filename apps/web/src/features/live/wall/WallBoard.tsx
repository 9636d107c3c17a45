import type { Panel } from '@drawhouse/contract/live/live';
import { selectionOf, type PanelLayout, type PanelSection } from '@drawhouse/rules/panel/layout';
import { memo, useSyncExternalStore, type CSSProperties } from 'react';
import { OutcomePicture, pictureFor } from '../../../ui/pictures/OutcomePicture.ts';
import { gridFormat } from '../liveFormat.ts';
import { consequence, resultOf, share } from '../panel/panelMath.ts';
import { Glow } from '../LiveMarks.tsx';
import { ColorSign } from '../grids/wheel/WheelCell.tsx';
import { wheelPlaces, type WheelPlace } from '../grids/wheel/wheelLayout.ts';
import { uprightColumns, wallCells, wallColumns, type WallCell } from './wallTables.ts';
import { wallTexts } from '../liveTexts.ts';
import classes from './WallBoard.module.css';

const upright = window.matchMedia('(max-aspect-ratio: 1/1)');
const isUpright = (): boolean => upright.matches;
function onTurn(onChange: () => void): () => void {
  upright.addEventListener('change', onChange);
  return () => upright.removeEventListener('change', onChange);
}
/** Longer amounts are abbreviated. */
const MOST = { tile: 9, table: 7 };
/** Sums never grow beyond this length's fit. */
const LEAST_LENGTH = 6;
/** In digits, with its space. */
const LENGTH_OF_KEEPS = 6;
const TOP_COLUMNS = 5;

export function WallBoard({ panel, layout }: { panel: Panel; layout: PanelLayout }) {
  const isTurned = useSyncExternalStore(onTurn, isUpright);
  const { cells, all, isTop } = wallCells(panel, layout);
  // One size for all sums.
  const most = layout.grid === 'wheel' ? MOST.table : MOST.tile;
  const leaves = cells.map((each) => leavesOf(panel, each));
  const format = gridFormat([...cells.map(({ row }) => row.sum), ...leaves], (text) => text.length <= most);
  const longest = (sums: readonly number[]) => Math.max(LEAST_LENGTH, ...sums.map((sum) => format(sum).length));
  const board = {
    '--length': longest(cells.map(({ row }) => row.sum)),
    '--length-of-leaves': longest(leaves) + LENGTH_OF_KEEPS,
  } as CSSProperties;
  // Shares among a thousand outcomes are invisible, so bars compare with the largest.
  const whole = isTop ? Math.max(...cells.map(({ row }) => row.sum)) : panel.totalsumdata;
  const cell = (each: WallCell, place?: WheelPlace) => (
    <Cell
      key={`${each.section.key} ${each.row.drawno}`}
      panel={panel}
      place={place}
      isTop={isTop}
      whole={whole}
      format={format}
      {...each}
    />
  );
  if (isTop) {
    return (
      <section className={classes.board} style={board}>
        <h2 className={classes.title}>{cells.length === 0 ? wallTexts.noBets : wallTexts.most(cells.length, all)}</h2>
        <div className={classes.cells} style={{ '--columns': TOP_COLUMNS } as CSSProperties}>
          {cells.map((each) => cell(each))}
        </div>
      </section>
    );
  }
  const [first, ...others] = layout.sections as [PanelSection, ...PanelSection[]];
  const places = layout.grid === 'wheel' ? wheelPlaces(first.rows, isTurned) : null;
  const ofSection = (section: PanelSection) => cells.filter((each) => each.section === section);
  const shares = first.rows[0]!.length;
  const table = { '--shares': shares, '--length-of-table': (first.rows[1]?.length ?? 0) + 1 } as CSSProperties;
  return (
    <div className={classes.board} style={board}>
      {places ? (
        <div className={classes.table} data-upright={isTurned || undefined} style={table}>
          {ofSection(first).map((each) => cell(each, places.get(panel.data.indexOf(each.row))))}
        </div>
      ) : (
        <div className={classes.cells} {...columnsOf(first)}>
          {ofSection(first).map((each) => cell(each))}
        </div>
      )}
      {others.length > 0 && (
        <div className={classes.others}>
          {others.map((section) => (
            <div
              key={section.key}
              className={classes.cells}
              {...columnsOf(section, { flexGrow: wallColumns(section) })}
            >
              {ofSection(section).map((each) => cell(each))}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

/** Upright, a wall uses the rows' columns if they fit, else as many as do. */
function columnsOf(section: PanelSection, style: CSSProperties = {}) {
  const turned = uprightColumns(section);
  const columns = { '--columns': wallColumns(section), '--upright': turned } as CSSProperties;
  const count = section.rows.flat().length;
  return {
    style: { ...style, ...columns },
    'data-upright': turned !== undefined || undefined,
    // Three columns would leave one alone.
    'data-pairs': (turned === undefined && count % 3 === 1 && count % 2 === 0) || undefined,
  };
}

interface CellProps extends WallCell {
  panel: Panel;
  place?: WheelPlace | undefined;
  isTop: boolean;
  whole: number;
  format: (points: number) => string;
}

function isDrawn({ result }: NonNullable<ReturnType<typeof resultOf>>, { row, section }: WallCell): boolean {
  return selectionOf(result)[section.slot] === row.drawno;
}

function leavesOf(panel: Panel, cell: WallCell): number {
  const result = resultOf(panel);
  return consequence(cell.row, result && isDrawn(result, cell) ? result.booster : 1, panel.totalsumdata).leaves;
}

function Cell({ panel, row, section, place, isTop, whole, format }: CellProps) {
  const result = resultOf(panel);
  const isResult = result !== null && isDrawn(result, { row, section });
  const leaves = leavesOf(panel, { row, section });
  return (
    <WallTile
      gameId={panel.gameId}
      family={panel.family}
      drawno={row.drawno}
      label={row.label}
      color={row.color}
      image={row.image}
      group={isTop ? (section.short ?? '') : ''}
      sum={row.sum}
      leaves={leaves}
      part={share(row.sum, whole)}
      scope={panel.draw?._id ?? ''}
      isResult={isResult}
      place={place}
      format={format}
    />
  );
}

interface WallTileProps {
  gameId: string;
  family: string;
  drawno: string;
  label: string;
  color: string | null;
  image: string | null;
  /** Distinguishes equal numbers of different groups. */
  group: string;
  sum: number;
  leaves: number;
  part: number;
  scope: string;
  isResult: boolean;
  place: WheelPlace | undefined;
  format: (points: number) => string;
}

const WallTile = memo(function WallTile(props: WallTileProps) {
  const { drawno, label, color, place, leaves, format } = props;
  const picture = place ? null : pictureFor(props, props);
  // A card or name identifies itself; otherwise the number does.
  const name = [props.group, /^\d/.test(drawno) && label.length > 1 ? drawno : label].join(' ').trim();
  return (
    <div
      className={classes.cell}
      style={place}
      data-drawno={drawno}
      data-wheel={(place && color) || undefined}
      data-result={props.isResult || undefined}
    >
      <Glow sum={props.sum} scope={props.scope} />
      <div className={classes.name} style={{ '--name': name.length } as CSSProperties}>
        {picture && <OutcomePicture {...picture} size={48} className={classes.picture} name={label} />}
        <span>{name}</span>
        {place && <ColorSign color={color} />}
      </div>
      <div className={classes.sums}>
        <span className={classes.sum} data-zero={props.sum === 0 || undefined}>
          {format(props.sum)}
        </span>
        <span className={classes.bar} aria-hidden>
          <span style={{ inlineSize: `${props.part * 100}%` }} />
        </span>
        <span className={classes.leaves}>
          {wallTexts.leaves} <span data-sign={leaves < 0 ? 'loss' : undefined}>{format(leaves)}</span>
        </span>
      </div>
    </div>
  );
});
