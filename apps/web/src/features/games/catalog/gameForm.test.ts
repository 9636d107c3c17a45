import type { Game } from '@drawhouse/contract/games/games';
import { describe, expect, test } from 'vitest';
import {
  changesOfGame,
  emptyGameForm,
  formDataOfGame,
  formOfGame,
  gameErrors,
  typedRules,
  type GameForm,
} from './gameForm.ts';

const form = (more: Partial<GameForm> = {}): GameForm => ({
  ...emptyGameForm('anna'),
  gameName: 'Seven Up',
  description: 'Numbers',
  releaseDate: '2026-03-01',
  nodigit: '7',
  timeId: ['t1'],
  ...more,
});
const image = (url: string) => ({ url, file: new Blob([url]) });
const entriesOf = (data: FormData | null): string[] =>
  [...(data ?? [])].map(([name, value]) => `${name}=${typeof value === 'string' ? value : 'file'}`);

test("a new game starts with the specification's defaults", () => {
  expect(emptyGameForm('anna')).toMatchObject({ publisher: 'anna', status: 'active', label: 'no', unitPrice: '1' });
});

describe('errors', () => {
  test('use the words of each form', () => {
    const empty = { ...emptyGameForm(''), publisher: ' ' };
    expect(gameErrors('add', empty, '')).toEqual({
      gameName: 'Game name is required',
      nodigit: 'Number of digits is required',
      publisher: 'Publisher is required',
      releaseDate: 'Release date is required',
      description: 'Description is required',
      timeId: 'Time is required',
    });
    expect(gameErrors('edit', empty, '')).toEqual({
      gameName: 'Game Name is required',
      nodigit: 'Number of Digits is required',
      publisher: 'Publisher is required',
      releaseDate: 'Release Date is required',
      description: 'Description is required',
      timeId: 'Time is required',
    });
  });

  test.each([
    [{ nodigit: '0' }, { nodigit: 'Must be at least 1' }],
    [{ nodigit: '-3' }, { nodigit: 'Must be at least 1' }],
    [{ nodigit: '1001' }, { nodigit: 'Use at most 1000 digits' }],
    [{ family: 'roulette' as const, nodigit: '36' }, { nodigit: 'This family has 13 or 37 or 38 digits' }],
    [{ unitPrice: '0' }, { unitPrice: 'Enter a price from 0.01 to 100 points with at most 2 decimals' }],
    [{ unitPrice: '1.005' }, { unitPrice: 'Enter a price from 0.01 to 100 points with at most 2 decimals' }],
    [{ pays: { number: '0.5' } }, { 'pays.number': 'Enter a pay from 1 to 10000 with at most 2 decimals' }],
    [{ pays: { number: 'much' } }, { 'pays.number': 'Enter a pay from 1 to 10000 with at most 2 decimals' }],
    [
      { nodigit: '3', label: 'yes' as const, images: [null, image('b')] },
      { 'images.0': 'Choose an image', 'images.2': 'Choose an image' },
    ],
    [{ nodigit: '101', label: 'yes' as const }, { label: 'At most 100 digits can have images. This game has 101' }],
    [{}, {}],
  ])('%j', (more, expected) => expect(gameErrors('add', form(more), '')).toEqual(expected));
});

test('rules follow input: own pays above fair are marked', () => {
  expect(typedRules(form(), '')!.returns[0]).toMatchObject({ pay: 6, mark: null });
  expect(typedRules(form({ pays: { number: '7.5' } }), '')!.returns[0]).toMatchObject({ pay: 7.5, mark: 'above' });
  expect(typedRules(form({ pays: { number: '3' } }), '')!.returns[0]).toMatchObject({ pay: 3, mark: 'below' });
  expect(typedRules(form({ pays: { number: 'x' } }), '')).toBeNull();
  expect(typedRules(form({ nodigit: '' }), '')).toBeNull();
});

test("a new game uses the specification's names, with files by position", () => {
  const sent = entriesOf(
    formDataOfGame(form({ nodigit: '2', label: 'yes', images: [image('a'), image('b'), image('c')] })),
  );
  expect(sent).toEqual(expect.arrayContaining(['gameDescription=Numbers', 'gameStatus=active', 'timeId=t1', 'pays=']));
  expect(sent.slice(-2)).toEqual(['images.0=file', 'images.1=file']);
});

describe('an edit', () => {
  const game = {
    gameId: 'AbCdEfGh',
    gameName: 'Seven Up',
    family: 'numbers',
    nodigit: 7,
    logo: '/api/images/1',
    image: null,
    images: [],
    description: 'Numbers',
    publisher: 'anna',
    releaseDate: '2026-03-01',
    status: 'active',
    label: 'no',
    timeId: [{ _id: 't1', timecount: 60 }],
    unitPrice: 0.5,
    resultMode: 'open',
    manualClaims: 'no',
    pays: [{ head: 'number', label: 'Number', pay: 6.5, default: 6 }],
  } as unknown as Game;
  const before = formOfGame(game);
  const changes = (more: Partial<GameForm>) => entriesOf(changesOfGame(before, { ...before, ...more }, game.gameId));

  test('sends nothing unchanged', () => expect(changesOfGame(before, { ...before }, game.gameId)).toBeNull());
  test.each([
    [{ gameName: ' Other ' }, ['gameName=Other']],
    [{ unitPrice: '0.50' }, []],
    [{ manualClaims: 'yes' as const }, ['manualClaims=yes']],
    [{ pays: {} }, ['pays=']],
    [{ pays: { number: '6.25' } }, ['pays={"number":6.25}']],
    [{ timeId: ['t2', 't1'] }, ['timeId=t2', 'timeId=t1']],
    [{ logo: null }, ['logo=']],
    [{ logo: image('l') }, ['logo=file']],
  ])('sends differences: %j', (more, expected) => expect(changes(more)).toEqual(expected));

  test("sends one digit's image by position", () => {
    const pictured = formOfGame({ ...game, label: 'yes', nodigit: 2, images: ['/a', '/b'] });
    const after = { ...pictured, images: [pictured.images[0]!, image('new')] };
    expect(entriesOf(changesOfGame(pictured, after, game.gameId))).toEqual(['images.1=file']);
  });
});
