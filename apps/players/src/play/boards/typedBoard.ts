// One chunk: a board of typed numbers always loads both.
export { Keypad } from '../keypad/Keypad.tsx';
export { NumberBoard } from './NumberBoard.tsx';
