import { ROLES } from '@drawhouse/contract/core/primitives';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { makeWorld, type World } from '../worlds/foreign-world.ts';
import { TestApp } from '../harness.ts';
import { moveTo, otherInstallation } from '../backups/move-tools.ts';
import { differencesOf, readAll, readingsOf } from './readings.ts';

const OF_HERE = /^(images|backup)/;
/** Changed by a move: superadmin, catalogue intervals, unsummed day, void draws, other networks' winners, log. */
const MAY_DIFFER = new RegExp(
  `^(${[
    'admins/:id(/children)?|auth/(sessions|userauth/:id)|fetchUserById',
    'game|(game|percentage)/usergames/:id|time/timelist.*',
    'reports/liability.*',
    'app/(lobby|state)|live/(loadgame|tables)|result/lottojodicross|wall/:key',
    'welcome',
    'logs.*',
  ].join('|')})$`,
);
/** Between the admin and the superadmin. */
const ADMIN_MAY_DIFFER = 'weeks/days';
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
  'everyone in a moved network reads the same as in the original',
  async () => {
    const { own, names } = world;
    const roles = ROLES.slice(1);
    const readings = Object.fromEntries(
      roles.map((role) => [role, readingsOf(role, own, names[role]).filter(({ path }) => !OF_HERE.test(path))]),
    );
    await from.finishDraw();
    await moveTo(to, from, own.admin);
    // The move advances its target's clock, which many readings show.
    from.clock.set(to.clock.now());
    // A move ends sessions, which count toward time limits.
    for (const table of ['sessions', 'past_sessions']) await from.db.query(`delete from ${table}`);
    const there = { ...own };
    for (const role of roles) {
      Object.assign(own[role], await from.signIn(own[role].username));
      there[role] = await to.signIn(own[role].username);
    }
    const changed = new Map<string, string>();
    for (const role of roles) {
      const [before, after] = [
        await readAll(from, own[role], readings[role]!),
        await readAll(to, there[role], readings[role]!),
      ];
      for (const { path, change } of differencesOf(readings[role]!, before, after))
        if (!MAY_DIFFER.test(path) && !(role === 'admin' && path === ADMIN_MAY_DIFFER)) changed.set(path, change);
    }
    expect([...changed.values()]).toEqual([]);
    await to.expectBooksToBalance();
  },
  MOST_MS,
);
