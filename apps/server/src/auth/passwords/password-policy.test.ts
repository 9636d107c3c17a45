import { expect, it } from 'vitest';
import { passwordProblem } from './password-policy.ts';

const COMMON = 'This is one of the most common passwords. Choose another';
const ALIKE = 'Use at least 3 different characters';
const GUESSED = 'This password is easy to guess. Use three unrelated words, or more characters';
const BESIDE = 'Use at least 8 characters besides the username';

it.each([
  ['', 'Password is required'],
  ['zq7.kbw', 'Use at least 8 characters'],
  ['zq7.kbwx', null],
  ['x'.repeat(201), 'Use at most 200 characters'],
  ['aaaaaaaa', ALIKE],
  ['aAaAaAaA', ALIKE],
  ['12121212', ALIKE],
  ['1111 1111 1111', ALIKE],
  ['password', COMMON],
  ['PassWord1', COMMON],
  ['ｐａｓｓｗｏｒｄ１', COMMON],
  ['dimazarya', COMMON],
  ['Summer2026', GUESSED],
  ['Drawhouse1', GUESSED],
  ['Kolkata1', GUESSED],
  ['kolkata2026!', GUESSED],
  ['Monsoon@2026', GUESSED],
  ['$ummer2026', GUESSED],
  ['2026Winter', GUESSED],
  ['Retailer123', GUESSED],
  ['Diwali2025', GUESSED],
  ['rajesh1987', GUESSED],
  ['abcd1234efgh', GUESSED],
  ['winter river piano', null],
  ['m7Kq-9wLz', null],
  ['password and more', null],
  ['kavya.rao', BESIDE],
  ['KAVYA.RAO', BESIDE],
  ['oar.ayvak', BESIDE],
  ['kavya.rao1', BESIDE],
  ['2026kavya.rao!', BESIDE],
  ['kavya.raokavya.rao', BESIDE],
  ['kavya.raooar.ayvak', BESIDE],
  ['kavya.rao likes tea', null],
  ['kavya of tunis', null],
])('judges new password %j: %s', (password, sentence) => {
  expect(passwordProblem(password, { username: 'Kavya.Rao' })).toBe(sentence);
});
