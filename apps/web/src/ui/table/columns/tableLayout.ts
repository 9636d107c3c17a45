import type { DataColumn } from './dataColumn.ts';

/** Pixels. */
const LEAST_WIDTH = 120;

/** Minimum in pixels. */
function widthOf<Row>(column: DataColumn<Row>): number {
  return column.width ?? LEAST_WIDTH;
}

/**
 * If some do not fit, keeps `reserve` pixels for the sheet button. Priority columns always stay, as does the first
 * unless it has `yields`.
 */
export function fitColumns<Row>(
  columns: readonly DataColumn<Row>[],
  width: number,
  reserve: number,
): readonly DataColumn<Row>[] {
  let missing = columns.reduce((sum, column) => sum + widthOf(column), 0) - width;
  if (missing <= 0) return columns;
  missing += reserve;
  const leaving = columns
    .filter((column, index) => !column.priority && (index > 0 || (column.yields ?? 0) > 0))
    .toReversed()
    .toSorted((a, b) => (b.yields ?? 0) - (a.yields ?? 0));
  const hidden = new Set<string>();
  for (const column of leaving) {
    if (missing <= 0) break;
    hidden.add(column.id);
    missing -= widthOf(column);
  }
  return columns.filter((column) => !hidden.has(column.id));
}

export interface TableRoom {
  readonly width: number;
  readonly phone: boolean;
  /** Touch targets are as wide as a thumb. */
  readonly coarse: boolean;
}

export interface TableExtras {
  readonly selectable: boolean;
  readonly numbered: boolean;
  /** Per row; null without actions. */
  readonly icons: number | null;
  readonly details: boolean;
}

/** In pixels, or a percentage on a phone. */
interface PlacedColumn {
  readonly key: string;
  readonly width: number | string | undefined;
}

export interface TableLayout<Row> {
  readonly shown: readonly DataColumn<Row>[];
  /** Hidden columns whose values appear below this one's. */
  readonly below: (column: DataColumn<Row>) => readonly DataColumn<Row>[];
  readonly placed: readonly PlacedColumn[];
  readonly numbers: boolean;
  readonly actions: boolean;
  readonly opener: boolean;
  readonly minWidth: number;
}

const NUMBER_WIDTH = 60;
const CHECKBOX_WIDTH = 44;
/** Cell padding plus one slot per icon. */
const ACTIONS_WIDTH = { fine: { padding: 26, each: 30 }, coarse: { padding: 20, each: 44 } };
const LEAST_ACTIONS_WIDTH = 72;
const NUMBERED_FROM = 620;
const PHONE_AMOUNT_WIDTH = 124;
/** Bold 13 px head with its sort arrow. */
const HEAD_CHARACTER_WIDTH = 7.5;
const HEAD_PADDING = 44;
const OPENER_WIDTH = 44;

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
  const shown = phone ? phoneColumns(columns) : fitColumns(whole, width - fixedWidth - always, OPENER_WIDTH - always);
  const opener = details || (phone ? shown.length < columns.length || icons !== null : shown.length < whole.length);
  return {
    shown,
    below: ({ id }) => (phone ? [] : whole.filter((column) => column.under === id && !shown.includes(column))),
    placed: [
      ...leading,
      ...shown.map((column) => ({
        key: `column ${column.id}`,
        // The browser gives all free width to columns without one.
        width: phone ? phoneWidth(column, shown) : column.grows ? undefined : column.width,
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

export function wholeOf<Row>(columns: readonly DataColumn<Row>[]): readonly DataColumn<Row>[] {
  return columns.filter((column) => !column.phoneOnly);
}

function actionsWidth(icons: number, coarse: boolean): number {
  const { padding, each } = coarse ? ACTIONS_WIDTH.coarse : ACTIONS_WIDTH.fine;
  return Math.max(LEAST_ACTIONS_WIDTH, padding + each * icons);
}

/** Amounts and times get this width; names share the rest. */
function phoneWidth<Row>(column: DataColumn<Row>, shown: readonly DataColumn<Row>[]): number | string {
  if (column.align !== 'right') return `${100 / shown.filter(({ align }) => align !== 'right').length}%`;
  const head = column.header.length * HEAD_CHARACTER_WIDTH + HEAD_PADDING;
  return Math.min(column.width ?? PHONE_AMOUNT_WIDTH, Math.max(PHONE_AMOUNT_WIDTH, head));
}

function phoneColumns<Row>(columns: readonly DataColumn<Row>[]): readonly DataColumn<Row>[] {
  const visible = columns.filter((column) => column.priority || column.phoneOnly);
  return visible.length > 0 ? visible : columns.slice(0, 2);
}
