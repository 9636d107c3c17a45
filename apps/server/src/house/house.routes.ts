import * as contract from '@drawhouse/contract/house/house';
import type { Actor } from '../accounts/authority.ts';
import { decodeImage } from '../games/catalogue/game-images.ts';
import { handle, handleFiles, type BoundRoute, type Call } from '../platform/http/handler.ts';
import type { Services } from '../platform/services.ts';
import { changeHouse, type HouseReader } from './house-settings.ts';

export function houseRoutes(services: Services, house: HouseReader): BoundRoute<Actor>[] {
  return [
    handle(contract.readHouse, async () => ({ data: await house.read() })),
    handleFiles(contract.changeHouse, decodeImage, ({ body, files }, call: Call<Actor>) =>
      changeHouse(services, call, { body, files }, house.forget),
    ),
  ];
}
