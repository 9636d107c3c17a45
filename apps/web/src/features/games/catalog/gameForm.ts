import type { Game } from '@drawhouse/contract/games/games';
import type { FamilyName } from '@drawhouse/rules/games/catalogue';
import { PAY_SCALE } from '@drawhouse/rules/games/game-rules';
import { parsePays, WRONG_PAY, WRONG_UNIT_PRICE } from '@drawhouse/rules/games/pays';
import { DIGITS_BY_FAMILY, rulesFor, type GameRules } from '@drawhouse/rules/games/rules';
import { LABELLED_DIGITS_MAX, type GameStatus } from '@drawhouse/contract/games/game-catalogue';
import type { ImageOfForm } from '../../../lib/form/readImage.ts';
import { parsePoints } from '../../../lib/format/format.ts';
import { gameTexts } from '../gameTexts.ts';

export interface GameForm {
  gameName: string;
  description: string;
  publisher: string;
  releaseDate: string;
  nodigit: string;
  status: GameStatus;
  label: Game['label'];
  timeId: string[];
  family: FamilyName;
  unitPrice: string;
  resultMode: Game['resultMode'];
  manualClaims: Game['manualClaims'];
  /** Keyed by bet kind. Empty: the family's default. */
  pays: Record<string, string>;
  logo: ImageOfForm | null;
  image: ImageOfForm | null;
  images: (ImageOfForm | null)[];
}

export type GameFormKind = 'add' | 'edit';

export function emptyGameForm(publisher: string): GameForm {
  return {
    gameName: '',
    description: '',
    publisher,
    releaseDate: '',
    nodigit: '',
    status: 'active',
    label: 'no',
    timeId: [],
    family: 'numbers',
    unitPrice: '1',
    resultMode: 'open',
    manualClaims: 'no',
    pays: {},
    logo: null,
    image: null,
    images: [],
  };
}

export function formOfGame(game: Game): GameForm {
  const imageOf = (url: string | null): ImageOfForm | null => (url === null ? null : { url });
  return {
    gameName: game.gameName,
    description: game.description,
    publisher: game.publisher,
    releaseDate: game.releaseDate,
    nodigit: String(game.nodigit),
    status: game.status as GameStatus,
    label: game.label,
    timeId: game.timeId.map(({ _id }) => _id),
    family: game.family as FamilyName,
    unitPrice: String(game.unitPrice),
    resultMode: game.resultMode,
    manualClaims: game.manualClaims,
    pays: Object.fromEntries(
      game.pays.filter((head) => head.pay !== head.default).map(({ head, pay }) => [head, String(pay)]),
    ),
    logo: imageOf(game.logo),
    image: imageOf(game.image),
    images: game.images.map(imageOf),
  };
}

export function digitsOf({ nodigit }: Pick<GameForm, 'nodigit'>): number | null {
  return /^\d{1,6}$/.test(nodigit.trim()) ? Number(nodigit) : null;
}

/** Uses default pays; null if no game is possible. */
export function usualRules(form: Pick<GameForm, 'family' | 'nodigit'>, gameId: string): GameRules | null {
  const digits = digitsOf(form);
  if (digits === null) return null;
  try {
    return rulesFor({ gameId, family: form.family, digits });
  } catch {
    return null;
  }
}

/** Defaults for empty fields. */
function paysOf({ heads }: GameRules, form: Pick<GameForm, 'pays'>): Record<string, number> {
  return Object.fromEntries(
    heads.map(({ name, payHundredths }) => {
      const typed = form.pays[name]?.trim() ?? '';
      return [name, typed === '' ? payHundredths / PAY_SCALE : (parsePoints(typed) ?? Number.NaN)];
    }),
  );
}

export function typedRules(form: GameForm, gameId: string): GameRules | null {
  const usual = usualRules(form, gameId);
  const parsed = usual && parsePays(usual, paysOf(usual, form));
  if (!parsed?.ok) return null;
  return rulesFor({ gameId, family: form.family, digits: digitsOf(form)!, pays: parsed.pays });
}

export function gameErrors(kind: GameFormKind, form: GameForm, gameId: string): Record<string, string> {
  const required = gameTexts.required[kind];
  const errors: Record<string, string> = {};
  for (const name of ['gameName', 'description', 'publisher', 'releaseDate', 'nodigit'] as const)
    if (form[name].trim() === '') errors[name] = required[name];
  if (form.timeId.length === 0) errors['timeId'] = required.timeId;
  const price = parsePoints(form.unitPrice);
  if (price === null || price <= 0 || price > 100) errors['unitPrice'] = WRONG_UNIT_PRICE;
  errors['nodigit'] ??= wrongDigits(form, gameId) ?? '';
  if (errors['nodigit'] === '') delete errors['nodigit'];
  const usual = usualRules(form, gameId);
  const parsed = usual && parsePays(usual, paysOf(usual, form));
  if (parsed && !parsed.ok) for (const field of Object.keys(parsed.fields)) errors[field] = WRONG_PAY;
  if (form.label === 'yes') Object.assign(errors, wrongImages(form));
  return errors;
}

function wrongDigits(form: GameForm, gameId: string): string | null {
  const digits = digitsOf(form);
  if (digits === null || digits < 1) return gameTexts.atLeastOne;
  if (usualRules(form, gameId)) return null;
  const allowed = DIGITS_BY_FAMILY[form.family];
  return allowed ? gameTexts.familyHas(allowed) : gameTexts.atMost1000Digits;
}

function wrongImages(form: GameForm): Record<string, string> {
  const digits = digitsOf(form) ?? 0;
  if (digits > LABELLED_DIGITS_MAX) return { label: gameTexts.atMostDigitsCan(LABELLED_DIGITS_MAX, digits) };
  const missing = Array.from({ length: digits }, (_, index) => index).filter((index) => !form.images[index]);
  return Object.fromEntries(missing.map((index) => [`images.${index}`, gameTexts.chooseImage]));
}

function bodyOfGame(form: GameForm, gameId: string): Record<string, string | string[]> {
  const usual = usualRules(form, gameId);
  const isOwn = Object.values(form.pays).some((pay) => pay.trim() !== '');
  return {
    gameName: form.gameName.trim(),
    description: form.description.trim(),
    publisher: form.publisher.trim(),
    releaseDate: form.releaseDate,
    nodigit: form.nodigit.trim(),
    status: form.status,
    label: form.label,
    timeId: form.timeId,
    family: form.family,
    unitPrice: String(parsePoints(form.unitPrice)),
    resultMode: form.resultMode,
    manualClaims: form.manualClaims,
    pays: usual && isOwn ? JSON.stringify(paysOf(usual, form)) : '',
  };
}

function filesOf(form: GameForm): [name: string, file: Blob][] {
  const images = form.label === 'yes' ? form.images.slice(0, digitsOf(form) ?? 0) : [];
  const chosen: [string, ImageOfForm | null | undefined][] = [
    ['logo', form.logo],
    ['image', form.image],
    ...images.map((image, index): [string, ImageOfForm | null | undefined] => [`images.${index}`, image]),
  ];
  return chosen.flatMap(([name, image]): [string, Blob][] => (image?.file ? [[name, image.file]] : []));
}

export function formDataOfGame(form: GameForm): FormData {
  const { description, status, ...body } = bodyOfGame(form, '');
  return formData({ ...body, gameDescription: description!, gameStatus: status! }, filesOf(form));
}

export function changesOfGame(before: GameForm, after: GameForm, gameId: string): FormData | null {
  const [from, to] = [bodyOfGame(before, gameId), bodyOfGame(after, gameId)];
  const changes = Object.fromEntries(
    Object.entries(to).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(from[name])),
  );
  for (const name of ['logo', 'image'] as const) if (before[name] && !after[name]) changes[name] = '';
  const files = filesOf(after);
  return Object.keys(changes).length + files.length === 0 ? null : formData(changes, files);
}

function formData(fields: Record<string, string | string[]>, files: readonly (readonly [string, Blob])[]): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) data.append(name, each);
  for (const [name, file] of files) data.append(name, file, name);
  return data;
}
