import { ROLES } from '@drawhouse/contract/core/primitives';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { makeWorld } from '../worlds/foreign-world.ts';
import type { World } from '../worlds/foreign-world.ts';
import { TestApp } from '../harness.ts';
import { moveTo, otherInstallation } from '../backups/move-tools.ts';
import { differencesOf, readAll, readingsOf } from './readings.ts';

const OF_HERE = /^(images|backup)/;
/** Changed by a move: superadmin, catalogue intervals, unsummed day, void draws, log. */
const MAY_DIFFER = new RegExp(
  `^(${[
    'admins/:id(/children)?|auth/(sessions|userauth/:id)|fetchUserById',
    'game|(game|percentage)/usergames/:id|time/timelist.*',
    'reports/liability.*',
    'app/state|live/(loadgame|tables)|result/lottojodicross',
    'logs.*',
  ].join('|')})$`,
);
const MOST_MS = 120_000;
let from: TestApp;
let to: TestApp;
let world: World;

beforeAll(async () => {
  vi.spyOn(console, 'log').mockReturnValue();
  [from, to] = [await TestApp.start(), await otherInstallation()];
  world = await makeWorld(from);
}, MOST_MS);
afterAll(() => Promise.all([from.close(), to.close()]));

it(
  'everyone in a moved network reads the same as before',
  async () => {
    const { own, names } = world;
    const roles = ROLES.slice(1);
    const readings = Object.fromEntries(
      roles.map((role) => [role, readingsOf(role, own, names[role]).filter(({ path }) => !OF_HERE.test(path))]),
    );
    await from.finishDraw();
    for (const role of roles) Object.assign(own[role], await from.signIn(own[role].username));
    const before = new Map<string, Awaited<ReturnType<typeof readAll>>>();
    for (const role of roles) before.set(role, await readAll(from, own[role], readings[role]!));
    await moveTo(to, from, own.admin);
    for (const role of roles) Object.assign(own[role], await to.signIn(own[role].username));
    const changed = new Set<string>();
    for (const role of roles) {
      const after = await readAll(to, own[role], readings[role]!);
      for (const { path } of differencesOf(readings[role]!, before.get(role)!, after)) changed.add(path);
    }
    expect([...changed].filter((path) => !MAY_DIFFER.test(path))).toEqual([]);
    await to.expectBooksToBalance();
  },
  MOST_MS,
);
