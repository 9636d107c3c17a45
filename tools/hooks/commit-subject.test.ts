import { expect, it } from 'vitest';
import { faultOfSubject } from './commit-subject.mjs';

it.each([
  'tickets: refuse a bet after the draw has closed',
  'web/live: show the countdown',
  'web, players: share one client',
  'Revert "tickets: refuse a bet"',
])('accepts %s', (subject) => expect(faultOfSubject(subject)).toBeUndefined());

it.each([
  ['Refuse a bet', 'write "area: imperative summary"'],
  ['Tickets: refuse a bet', 'write "area: imperative summary"'],
  ['tickets:', 'write "area: imperative summary"'],
  [`tickets: ${'a'.repeat(64)}`, '73 characters; at most 72'],
])('refuses %s', (subject, fault) => expect(faultOfSubject(subject)).toBe(fault));
