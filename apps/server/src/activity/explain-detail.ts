import type { Change } from '@drawhouse/contract/activity/activity';
import { changeOf, percentWords, pointsWords } from './append-activity.ts';

/** Stored JSON can hold anything after manual changes. */
type Detail = Readonly<Record<string, unknown>>;
type Words = (value: unknown) => string | null;

const text: Words = (value) => (typeof value === 'string' || typeof value === 'number' ? String(value) || null : null);
const points: Words = (value) => (typeof value === 'number' ? pointsWords(value) : null);
const percent: Words = (value) => (typeof value === 'number' ? percentWords(value) : null);
const seconds: Words = (value) => (typeof value === 'number' ? `${value} s` : null);
const status: Words = (value) => (typeof value === 'boolean' ? (value ? 'Active' : 'Deactive') : null);
const oneImage: Words = (value) => (typeof value === 'string' ? 'An image' : null);
const manyImages: Words = (value) =>
  Array.isArray(value) && value.length > 0 ? `${value.length} ${value.length === 1 ? 'image' : 'images'}` : null;

type Fields = Readonly<Record<string, readonly [what: string, words: Words]>>;

const FIELDS: Fields = {
  gameName: ['Name', text],
  family: ['Family', text],
  nodigit: ['Digits', text],
  status: ['Status', text],
  unitPrice: ['Unit price', points],
  resultMode: ['Results', text],
  manualClaims: ['Claimed by the player', text],
  times: ['Times', (value) => (Array.isArray(value) ? value.map(seconds).join(', ') : null)],
  schedule: ['Schedule', text],
  seconds: ['Length', seconds],
  description: ['Description', text],
  publisher: ['Publisher', text],
  releaseDate: ['Release date', text],
  label: ['An image for each outcome', text],
  logo: ['Logo', oneImage],
  image: ['Image', oneImage],
  images: ['Outcome images', manyImages],
};

const LIMITS: Fields = {
  perNumber: ['Limit per number', points],
  perTicket: ['Limit per ticket', points],
  perPlayer: ['Limit per player', points],
};

const SET: Fields = {
  commission: ['Commission', percent],
  commissionCeiling: ['Commission ceiling', percent],
  dailyLimit: ['Daily limit', points],
  tableLine: ['Table line', points],
  tokenSessions: ['Calls by token alone', (value) => (value === true ? 'Allowed' : 'Refused')],
  factorRoles: ['Roles with a second factor', (value) => (Array.isArray(value) ? value.join(', ') : null)],
  rememberDevices: ['Remembered devices', (value) => (value === true ? 'Allowed' : 'Refused')],
  passwordFirst: ['Require a new password first', (value) => (value === true ? 'yes' : 'no')],
  testNetwork: ['Test network', (value) => (value === true ? 'yes' : 'no')],
  note: ['Note', text],
  userStatus: ['Status', status],
  points: ['Points', points],
};

/** Shows only listed fields, so never passwords, hashes or tokens. */
export function explainDetail(detail: Detail | null): Change[] {
  if (detail === null) return [];
  const changes = listOf(detail['changes']).flatMap(readChange);
  return [
    ...changes,
    ...(changes.length > 0 ? [] : compare(SET, {}, detail)),
    ...compare(FIELDS, recordOf(detail['before']), recordOf(detail['after'])),
    ...comparePays(recordOf(detail['before'])['pays'], recordOf(detail['after'])['pays']),
    ...listOf(detail['limits']).flatMap((each) =>
      compare(LIMITS, recordOf(each['before']), recordOf(each['after']), gameOf(each, detail)),
    ),
    ...listOf(detail['percentages']).flatMap((each) =>
      changeOf('Win percentage', percent(each['before']), percent(each['after']), gameOf(each, each)),
    ),
  ];
}

function compare(fields: Fields, before: Detail, after: Detail, of?: string): Change[] {
  return Object.entries(fields).flatMap(([name, [what, words]]) => {
    const [from, to] = [words(before[name]), words(after[name])];
    // Distinct images have equal words.
    const isOther = from !== null && from === to && JSON.stringify(before[name]) !== JSON.stringify(after[name]);
    return changeOf(what, from, isOther ? `Other: ${to.toLowerCase()}` : to, of);
  });
}

function comparePays(before: unknown, after: unknown): Change[] {
  const [from, to] = [recordOf(before), recordOf(after)];
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((head) =>
    changeOf(`Pays on ${head}`, text(from[head]), text(to[head])),
  );
}

function gameOf(each: Detail, about: Detail): string | undefined {
  const [game, admin] = [text(each['gameName']), text(about['adminName'])];
  return game === null || admin === null ? undefined : `${game} of ${admin}`;
}

function readChange({ what, of, before, after }: Detail): Change[] {
  return typeof what === 'string' ? changeOf(what, text(before), text(after), text(of) ?? undefined) : [];
}

function recordOf(value: unknown): Detail {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Detail) : {};
}

function listOf(value: unknown): Detail[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
}
