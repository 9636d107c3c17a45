import { expect, it } from 'vitest';
import { formOf, gamesAhead, NEW_SCHEDULE, previewOf, readSchedule, scheduleErrors } from './scheduleForm.ts';

const typed = { ...NEW_SCHEDULE, name: 'House', times: '21:00; 9.30 13:00,' };

it('reads typed clock times and days, however they are separated', () => {
  const form = {
    ...typed,
    daysOff: '2026-12-25 2027-01-01',
    opensAt: ' 8:00 ',
    closesBefore: '10',
    sources: '21:00 National\n9.30  City day\n',
  };
  const read = readSchedule(form);
  expect(read).toEqual({
    name: 'House',
    times: ['21:00', '09:30', '13:00'],
    weekdays: [0, 1, 2, 3, 4, 5, 6],
    daysOff: ['2026-12-25', '2027-01-01'],
    daysOn: [],
    opensAt: '08:00',
    closesBefore: 10,
    sources: { '21:00': 'National', '09:30': 'City day' },
    voidAfter: 24,
    games: [],
  });
  const { sources = {}, voidAfter = 0 } = read;
  expect(readSchedule(formOf({ ...read, sources, voidAfter, _id: '', games: [] }))).toEqual(read);
});

it('names wrong fields as the server does', () => {
  expect(scheduleErrors(typed)).toEqual({});
  const wrong = { ...typed, name: '', times: '25:00', daysOff: 'Monday', opensAt: 'noon', closesBefore: 'x' };
  expect(Object.keys(scheduleErrors(wrong))).toEqual(['name', 'times', 'daysOff', 'opensAt', 'closesBefore']);
  expect(scheduleErrors({ ...typed, times: ' ' })).toEqual({ times: 'Enter at least one clock time' });
  expect(scheduleErrors({ ...typed, sources: '14:00 National' })).toEqual({ sources: 'There is no draw at 14:00' });
  expect(Object.keys(scheduleErrors({ ...typed, sources: '13:00' }))).toEqual(['sources']);
});

it('previews the next twenty draws in the time zone of the house, and none of a schedule with errors', () => {
  const draws = previewOf(typed, 'Asia/Kolkata', new Date('2026-11-29T12:00:00Z'));
  expect(draws?.map(({ number }) => number).slice(0, 2)).toEqual([202611292100, 202611300930]);
  expect(draws).toHaveLength(20);
  expect(previewOf({ ...typed, times: '' }, 'UTC', new Date())).toBeNull();
  expect(previewOf({ ...typed, weekdays: [] }, 'UTC', new Date())).toEqual([]);
});

it('names the games whose sold draw would overlap, whatever other games sold', () => {
  const typedNow = { ...typed, times: '13:00 14:00 15:00' };
  const now = new Date('2026-11-29T12:00:00Z');
  const sold = { gameName: 'Fruit', opensAt: '2026-11-29T13:00:00Z', drawsAt: '2026-11-29T14:30:00Z' };
  const ahead = [sold, { ...sold, gameName: 'Cards' }].map((draw, nth) => ({ ...draw, gameId: String(nth) }));
  const draws = previewOf(typedNow, 'UTC', now)!.slice(0, 3);
  expect(draws.map((draw) => gamesAhead(draw, ahead, ['0']))).toEqual([[], ['Fruit'], []]);
});
