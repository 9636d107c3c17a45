import * as z from 'zod/mini';
import { RESULT_MODES } from './game-pair.ts';
import { game, highestReturn } from './games.ts';
import { choiceFilter } from '../core/list-filters.ts';
import { list } from '../core/list.ts';
import { requiredName } from '../core/names.ts';
import { day, done, id, requiredText, success } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { CORE_TEXTS } from '../core/field-texts.ts';
import { GAME_FIELD_TEXTS } from './game-texts.ts';

/** Only active games have draws. */
export const GAME_STATUS = { active: 'Active', inactive: 'Inactive', 'coming-soon': 'Coming soon' } as const;
export type GameStatus = keyof typeof GAME_STATUS;

/** Images larger than `edge` pixels are scaled down. */
export const IMAGE_LIMITS = { bytes: 2 * 1024 * 1024, pixels: 4_000, edge: 512 } as const;
export const LABELLED_DIGITS_MAX = 100;

export const gameList = list({
  path: 'game',
  summary: "The catalogue for a superadmin; the network's games for everyone else.",
  access: 'session',
  permission: null,
  row: game,
  columns: [
    { name: 'gameId', kind: 'code', header: 'Game ID', width: 150, sort: true, export: { width: 20 } },
    {
      name: 'gameName',
      kind: 'text',
      header: 'Game Name',
      width: 170,
      sort: true,
      priority: true,
      export: { width: 30 },
    },
    {
      name: 'nodigit',
      kind: 'count',
      header: 'Digits',
      width: 90,
      sort: true,
      export: { header: 'No. of Digits', width: 14 },
    },
    {
      name: 'time',
      kind: 'text',
      header: 'Time',
      width: 90,
      sort: true,
      value: (row) => row.schedule ?? `${row.timeId.map(({ timecount }) => timecount).join(', ')} s`,
    },
    {
      name: 'return',
      kind: 'percent',
      header: 'Return',
      width: 110,
      value: highestReturn,
    },
    { name: 'status', kind: 'text', header: 'Status', width: 136, sort: true, priority: true, export: { width: 14 } },
    { name: 'publisher', kind: 'text', header: 'Publisher', width: 130, sort: true, export: { width: 20 } },
    { name: 'releaseDate', kind: 'day', header: 'Release Date', width: 120, sort: true, export: { width: 14 } },
  ],
  filters: [choiceFilter('status', 'Status', GAME_STATUS)],
  search: GAME_FIELD_TEXTS.search,
  order: 'gameName',
  file: { name: 'GamesList', sheet: 'Games' },
});

function numberIn<Schema extends z.ZodMiniType<number, number>>(number: Schema, error: string) {
  return z.pipe(
    z.union([z.number(), z.string()], { error }),
    z.pipe(
      z.transform((value: number | string) =>
        typeof value === 'number' || !/^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? value : Number(value),
      ) as unknown as z.ZodMiniTransform<number, number | string>,
      number,
    ),
  );
}

const digitsOf = (missing: string) =>
  numberIn(
    z
      .number({ error: missing })
      .check(z.gte(1, { error: GAME_FIELD_TEXTS.fewDigits }), z.multipleOf(1, { error: GAME_FIELD_TEXTS.wholeDigits })),
    missing,
  );
const unitPrice = z.optional(
  numberIn(z.number({ error: GAME_FIELD_TEXTS.wrongUnitPrice }), GAME_FIELD_TEXTS.wrongUnitPrice),
);
/** Per unit, as JSON. Null: the family's defaults. `rules` validates the values. */
const pays = z.optional(
  z.pipe(
    z.union([z.null(), z.string(), z.record(z.string(), z.number())], { error: GAME_FIELD_TEXTS.wrongPays }),
    z.pipe(
      z.transform((input: string | Record<string, number> | null) =>
        typeof input === 'string' ? parsed(input) : input,
      ),
      z.nullable(
        z.record(z.string(), z.number({ error: GAME_FIELD_TEXTS.wrongPays }), { error: GAME_FIELD_TEXTS.wrongPays }),
      ),
    ),
  ),
);

function parsed(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
const dayOf = (missing: string) => z.pipe(requiredText(missing, 30), day);
const statusOf = (missing: string) => z.optional(z.enum(['active', 'inactive', 'coming-soon'], { error: missing }));
const label = z.optional(z.enum(['yes', 'no'], { error: GAME_FIELD_TEXTS.wrongLabel }));
const timesOf = (missing: string) =>
  z.union(
    [
      z.pipe(requiredText(missing, 36), id),
      z.array(id).check(z.minLength(1, { error: missing }), z.maxLength(20, { error: CORE_TEXTS.tooMany(20) })),
    ],
    { error: ({ input }) => (input === undefined || input === '' ? missing : GAME_FIELD_TEXTS.wrongTimes) },
  );
const family = z.optional(requiredText(GAME_FIELD_TEXTS.familyMissing, 32));
const resultMode = z.optional(z.enum(RESULT_MODES, { error: CORE_TEXTS.oneOf('The result mode', RESULT_MODES) }));

const manualClaims = z.optional(z.enum(['yes', 'no'], { error: GAME_FIELD_TEXTS.wrongClaims }));

const NAME_MAX = 100;
const TEXT_MAX = 2_000;

/** Accepts field names of the specification and of the answer. */
export const newGame = z
  .object({
    gameName: requiredName(GAME_FIELD_TEXTS.nameMissing, NAME_MAX),
    gameDescription: z.optional(requiredText(GAME_FIELD_TEXTS.descriptionMissing, TEXT_MAX)),
    description: z.optional(requiredText(GAME_FIELD_TEXTS.descriptionMissing, TEXT_MAX)),
    releaseDate: dayOf(GAME_FIELD_TEXTS.releaseMissing),
    publisher: requiredName(GAME_FIELD_TEXTS.publisherMissing, NAME_MAX),
    nodigit: digitsOf(GAME_FIELD_TEXTS.digitsMissing),
    gameStatus: statusOf(GAME_FIELD_TEXTS.wrongStatus),
    status: statusOf(GAME_FIELD_TEXTS.wrongStatus),
    label,
    timeId: timesOf(GAME_FIELD_TEXTS.timeMissing),
    family,
    unitPrice,
    pays,
    resultMode,
    manualClaims,
  })
  .check(
    z.refine((body) => body.gameDescription !== undefined || body.description !== undefined, {
      error: GAME_FIELD_TEXTS.descriptionMissing,
      path: ['gameDescription'],
      // Runs even if other fields are missing.
      when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
    }),
  );
export type GameToAdd = z.output<typeof newGame>;

const noFile = z.optional(z.union([z.null(), z.literal('')], { error: CORE_TEXTS.noFile }));

export const gameChange = z.object({
  gameName: z.optional(requiredName(GAME_FIELD_TEXTS.changedNameMissing, NAME_MAX)),
  gameDescription: z.optional(requiredText(GAME_FIELD_TEXTS.descriptionMissing, TEXT_MAX)),
  description: z.optional(requiredText(GAME_FIELD_TEXTS.descriptionMissing, TEXT_MAX)),
  releaseDate: z.optional(dayOf(GAME_FIELD_TEXTS.changedReleaseMissing)),
  publisher: z.optional(requiredName(GAME_FIELD_TEXTS.publisherMissing, NAME_MAX)),
  nodigit: z.optional(digitsOf(GAME_FIELD_TEXTS.changedDigitsMissing)),
  gameStatus: statusOf(GAME_FIELD_TEXTS.changedStatusMissing),
  status: statusOf(GAME_FIELD_TEXTS.changedStatusMissing),
  label,
  timeId: z.optional(timesOf(GAME_FIELD_TEXTS.timeMissing)),
  family,
  unitPrice,
  pays,
  resultMode,
  manualClaims,
  logo: noFile,
  image: noFile,
});
export type GameChange = z.output<typeof gameChange>;

/** Digit images only if `label` is yes. */
const files = { names: { images: LABELLED_DIGITS_MAX, logo: 1, image: 1 }, maxBytes: IMAGE_LIMITS.bytes } as const;

const changed = z.object({ ...done.shape, data: game });

export const addGame = route({
  method: 'POST',
  path: 'game',
  inFirstCell: true,
  summary: 'Adds a game, with one image per digit if its label is yes (JPEG, PNG or WebP, at most 2 MB each).',
  access: ['superadmin'],
  permission: 'settings',
  sensitive: { level: 'spec', fields: { unitPrice: 'elevation', pays: 'elevation' } },
  body: newGame,
  files,
  status: 201,
  response: changed,
});

export const oneGame = route({
  method: 'GET',
  path: 'game/:id',
  summary: 'One game of the catalogue, and whether it has draws, which fix its family and its digits.',
  access: ['superadmin'],
  permission: 'settings',
  params: { id },
  response: z.object({
    ...success,
    data: game,
    hasDraws: z.boolean(),
    /** Another cell that does not answer, so it may have draws. Null if the directory of all cells does not answer. */
    silentCell: z.optional(z.nullable(z.string())),
  }),
  errors: ['NOT_FOUND'],
});

export const changeGame = route({
  method: 'PUT',
  path: 'game/:id',
  inFirstCell: true,
  summary:
    'Changes the given fields of a game; an image by its place (`images.3`). Family and digits are fixed once a draw exists.',
  access: ['superadmin'],
  permission: 'settings',
  approval: ['pays', 'guards'],
  sensitive: { level: 'spec', fields: { resultMode: 'elevation', unitPrice: 'elevation', pays: 'elevation' } },
  params: { id },
  body: gameChange,
  files,
  response: changed,
  errors: ['NOT_FOUND', 'GAME_IN_USE'],
});

export const toggleGame = route({
  method: 'PUT',
  path: 'game/:id/:action',
  inFirstCell: true,
  summary: 'Activates or deactivates a game. A running draw still finishes.',
  access: ['superadmin'],
  permission: 'settings',
  sensitive: 'spec',
  params: { id, action: z.enum(['activate', 'deactivate'], { error: CORE_TEXTS.wrongAction }) },
  response: changed,
  errors: ['NOT_FOUND'],
});

export const deleteGame = route({
  method: 'DELETE',
  path: 'game/:id',
  inFirstCell: true,
  summary: 'Deletes a game that never had a draw, and removes it from its admins.',
  access: ['superadmin'],
  permission: 'settings',
  sensitive: 'spec',
  params: { id },
  response: done,
  errors: ['NOT_FOUND', 'GAME_IN_USE'],
});

/** Content-addressed, so immutable. */
export const storedImage = route({
  method: 'GET',
  path: 'images/:hash',
  summary: 'An image of a game, by the SHA-256 of its content.',
  access: 'public',
  params: { hash: z.string().check(z.regex(/^[0-9a-f]{64}$/, { error: GAME_FIELD_TEXTS.wrongHash })) },
  asset: 'image/webp',
  response: z.unknown(),
  errors: ['NOT_FOUND'],
});

export function imageAddress(hash: string): string {
  return `/api/images/${hash}`;
}
