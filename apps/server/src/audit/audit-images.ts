import type { Queryable } from '../db/database.ts';
import { checkWith } from './audit-check.ts';
import type { Check } from './audit-check.ts';

/** Checks that each picture is the one of its name, which is the SHA-256 of its content, and that what names one has it. PostgreSQL reads them one by one. */
export async function auditImages(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'every picture is the one that its name is the hash of',
    'images',
    `named as (
       select logo as hash from games where logo is not null union select image from games where image is not null union select hash from game_images
     ), wrong as (
       select format('the picture %s was changed: its content is another', encode(hash, 'hex')) as problem from images where sha256(content) <> hash
       union all
       select format('the picture %s, which games show, is gone', encode(hash, 'hex')) from named where not exists (select from images i where i.hash = named.hash)
     )`,
  );
}
