import { expect } from 'vitest';
import type { TestApp } from '../harness.ts';

/** Stops a settlement between pieces; see {@link finishAfter}. */
export async function holdPieces(t: TestApp): Promise<void> {
  await t.db.query(
    `create table held_after (pieces integer not null);
     create function hold_piece() returns trigger language plpgsql security definer as $$
     begin
       if (select count(*) from settlement_pieces where draw_id = new.draw_id) >= (select pieces
         from held_after) then raise exception 'held'; end if;
       return new;
     end $$;
     create trigger hold before insert on settlement_pieces for each row execute function hold_piece()`,
  );
}

export async function finishAfter(t: TestApp, pieces: number): Promise<void> {
  await t.db.query('insert into held_after values ($1)', [pieces]);
  await expect(t.finishDraw()).rejects.toThrow('held');
}

export async function releasePieces(t: TestApp): Promise<void> {
  await t.db.query('delete from held_after');
}
