import { ROLE_RIGHTS } from '@drawhouse/contract/core/permissions';
import { addLogin, changeLogin, type Login, type PlacesOfStaff } from '@drawhouse/contract/logins/logins';
import { schemaErrors } from '../../lib/form/schemaErrors.ts';
import { addressesIn, numberIn } from '../../ui/form/AddressesField.tsx';
import { loginTexts } from './loginTexts.ts';

export interface LoginForm {
  name: string;
  username: string;
  password: string;
  role: Exclude<Login['role'], 'owner'>;
  permissions: string[];
  games: string[];
  dailyLimit: string;
  addresses: string;
  from: string;
  to: string;
  active: boolean;
}

export function formOf(login: Login | null): LoginForm {
  return {
    name: login?.name ?? '',
    username: login?.username ?? '',
    password: '',
    role: login && login.role !== 'owner' ? login.role : 'cashier',
    permissions: [...(login?.permissions ?? [])],
    games: [...(login?.games ?? [])],
    dailyLimit: login?.dailyLimit?.toString() ?? '',
    addresses: login?.addresses.join('\n') ?? '',
    from: login?.hours?.from ?? '',
    to: login?.hours?.to ?? '',
    active: login?.active ?? true,
  };
}

function termsOf({ name, role, permissions, games, dailyLimit, addresses, from, to }: LoginForm) {
  const { always, optional } = ROLE_RIGHTS[role];
  const chosen = optional.filter((permission) => permissions.includes(permission));
  const has = new Set([...always, ...chosen]);
  return {
    name,
    role,
    permissions: chosen,
    games: has.has('panels') ? games : [],
    dailyLimit: has.has('credit') ? numberIn(dailyLimit) : null,
    ...placesOf({ addresses, from, to }),
  };
}

export type PlacesForm = Pick<LoginForm, 'addresses' | 'from' | 'to'>;

export function placesOf({ addresses, from, to }: PlacesForm) {
  return {
    addresses: addressesIn(addresses),
    hours: from === '' && to === '' ? null : { from, to },
  };
}

export function placesFormOf({ addresses, hours }: PlacesOfStaff): PlacesForm {
  return { addresses: addresses.join('\n'), from: hours?.from ?? '', to: hours?.to ?? '' };
}

/** Without a password, sets one that nobody knows: an invitation replaces it. */
export function addedOf(values: LoginForm) {
  return { ...termsOf(values), username: values.username, password: values.password || crypto.randomUUID() };
}

export function changedOf(values: LoginForm) {
  const { active, password } = values;
  return { ...termsOf(values), active, ...(password !== '' && { password }) };
}

const FIELDS: Readonly<Record<string, string>> = { 'hours.from': 'from', 'hours.to': 'to' };

export function loginErrors(isNew: boolean) {
  return (values: LoginForm): Record<string, string> => {
    const wrong = isNew
      ? schemaErrors(addLogin.body!, addedOf(values))
      : schemaErrors(changeLogin.body!, changedOf(values));
    return Object.fromEntries(
      Object.entries(wrong).map(([name, message]) => [
        FIELDS[name] ?? name.split('.')[0]!,
        name === 'dailyLimit' ? loginTexts.enterPoints : message,
      ]),
    );
  };
}
