import type { DataColumn } from './dataColumn.ts';
import { fitColumns, widthOf } from './fitColumns.ts';

/** What there is room for. */
export interface TableRoom {
  /** In px. */
  readonly width: number;
  /** A phone has room for the columns that matter. */
  readonly phone: boolean;
  /** What is pressed there is as wide as a thumb. */
  readonly coarse: boolean;
}

/** What a table has beside the columns of its rows. */
export interface TableExtras {
  readonly selectable: boolean;
  /** A leading column of numbers, where there is room for it. */
  readonly numbered: boolean;
  /** How many icons the actions of a row take; null without actions. */
  readonly icons: number | null;
  /** A row opens more than its columns. */
  readonly details: boolean;
}

/** A column of the page, by its width in px or, on a phone, as a share. */
interface PlacedColumn {
  readonly key: string;
  readonly width: number | string | undefined;
}

/** Which columns of a table are shown, and how wide they are. */
export interface TableLayout<Row> {
  /** Those of the rows. */
  readonly shown: readonly DataColumn<Row>[];
  /** All that are shown. */
  readonly placed: readonly PlacedColumn[];
  readonly numbers: boolean;
  readonly actions: boolean;
  /** A last column for the button that opens what has no room. */
  readonly opener: boolean;
  /** In px. */
  readonly minWidth: number;
}

const NUMBER_WIDTH = 60;
const CHECKBOX_WIDTH = 44;
/** The cell's padding, and each action that stands out or the menu of the others; as wide as a thumb where thumbs point. */
const ACTIONS_WIDTH = { fine: { padding: 26, each: 30 }, coarse: { padding: 20, each: 44 } };
/** The head of their column, in a wide font. */
const LEAST_ACTIONS_WIDTH = 72;
/** A narrower table does without the column `No`. */
const NUMBERED_FROM = 620;
const PHONE_AMOUNT_WIDTH = 124;
/** Of a head with its arrow: 13 px, bold. */
const HEAD_CHARACTER_WIDTH = 7.5;
const HEAD_PADDING = 44;
const OPENER_WIDTH = 44;

/** Chooses what a table shows of its columns in the room that it has; what it leaves out opens from the row. */
export function layOutTable<Row>(
  columns: readonly DataColumn<Row>[],
  { selectable, numbered, icons, details }: TableExtras,
  { width, phone, coarse }: TableRoom,
): TableLayout<Row> {
  const whole = wholeOf(columns);
  const numbers = numbered && !phone && width >= NUMBERED_FROM;
  const actions = icons !== null && !phone;
  const leading = [
    ...(selectable ? [{ key: 'select', width: CHECKBOX_WIDTH }] : []),
    ...(numbers ? [{ key: 'number', width: NUMBER_WIDTH }] : []),
  ];
  const trailing = actions ? [{ key: 'actions', width: actionsWidth(icons, coarse) }] : [];
  const fixedWidth = [...leading, ...trailing].reduce((sum, column) => sum + column.width, 0);
  const always = details ? OPENER_WIDTH : 0;
  const shown = phone ? keptOnPhone(columns) : fitColumns(whole, width - fixedWidth - always, OPENER_WIDTH - always);
  const opener = details || (phone ? shown.length < columns.length || icons !== null : shown.length < whole.length);
  return {
    shown,
    placed: [
      ...leading,
      ...shown.map((column) => ({
        key: `column ${column.id}`,
        width: phone ? phoneWidth(column, shown) : column.width,
      })),
      ...trailing,
      ...(opener ? [{ key: 'more', width: OPENER_WIDTH }] : []),
    ],
    numbers,
    actions,
    opener,
    minWidth: shown.reduce((sum, column) => sum + widthOf(column), fixedWidth + (opener ? OPENER_WIDTH : 0)),
  };
}

/** The columns of a row where there is room for all of them. */
export function wholeOf<Row>(columns: readonly DataColumn<Row>[]): readonly DataColumn<Row>[] {
  return columns.filter((column) => !column.phoneOnly);
}

function actionsWidth(icons: number, coarse: boolean): number {
  const { padding, each } = coarse ? ACTIONS_WIDTH.coarse : ACTIONS_WIDTH.fine;
  return Math.max(LEAST_ACTIONS_WIDTH, padding + each * icons);
}

/** On a phone amounts and times take what they need, which is so much at least, and names share the rest. */
function phoneWidth<Row>(column: DataColumn<Row>, shown: readonly DataColumn<Row>[]): number | string {
  if (column.align !== 'right') return `${100 / shown.filter(({ align }) => align !== 'right').length}%`;
  const head = column.header.length * HEAD_CHARACTER_WIDTH + HEAD_PADDING;
  return Math.min(column.width ?? PHONE_AMOUNT_WIDTH, Math.max(PHONE_AMOUNT_WIDTH, head));
}

function keptOnPhone<Row>(columns: readonly DataColumn<Row>[]): readonly DataColumn<Row>[] {
  const kept = columns.filter((column) => column.priority || column.phoneOnly);
  return kept.length > 0 ? kept : columns.slice(0, 2);
}
