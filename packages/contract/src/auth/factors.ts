import * as z from 'zod/mini';
import { CORE_TEXTS } from '../core/field-texts.ts';
import { requiredName } from '../core/names.ts';
import { done, success, time } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { factorCode, login, passkeyAnswer, sealedText } from './auth.ts';
import { FACTOR_FIELD_TEXTS } from './auth-texts.ts';

/** `app`: an authenticator app. `codes`: unused recovery codes. */
export const FACTOR_KINDS = ['app', 'passkey', 'codes'] as const;
export type FactorKind = (typeof FACTOR_KINDS)[number];

export const RECOVERY_CODES = 10;

export const FACTORS_MAX = 10;

/** Options of the browser's WebAuthn calls, as JSON. */
const passkeyOptions = z.record(z.string(), z.unknown());

const offered = z.object({
  kinds: z.array(z.enum(FACTOR_KINDS)),
  /** Absent if the login has no passkey for this address. */
  passkey: z.optional(passkeyOptions),
});

const factor = z.object({
  number: z.number(),
  kind: z.enum(FACTOR_KINDS),
  name: z.string(),
  madeAt: time,
  lastUsedAt: z.nullable(time),
  codesLeft: z.optional(z.number()),
});
export type Factor = z.infer<typeof factor>;

const codes = z.array(z.string());

export const finishSignIn = route({
  method: 'POST',
  path: 'auth/factor',
  summary:
    'Finishes a sign-in that `auth/login` answered with SECOND_FACTOR: takes its `challenge`, valid for five minutes, ' +
    'and a code of an authenticator app, a recovery code, or what a passkey signed. Each works once.',
  access: 'public',
  sensitive: false,
  body: z.object({
    challenge: sealedText,
    code: z.optional(factorCode),
    passkey: z.optional(passkeyAnswer),
    /** If the network allows it, sign-ins of this browser need no factor for 30 days. */
    remember: z.optional(z.boolean({ error: CORE_TEXTS.trueOrFalse })),
  }),
  response: login.response,
  errors: [
    'NOT_ALLOWED',
    'WRONG_FACTOR',
    'CHALLENGE_ENDED',
    'ACCOUNT_INACTIVE',
    'EXCLUDED',
    'WRONG_CREDENTIALS',
    'OTHER_CELL',
  ],
});

export const signInFactors = route({
  method: 'POST',
  path: 'auth/factor/options',
  summary: 'The second factors that can finish a sign-in, with the options for its passkeys.',
  access: 'public',
  sensitive: false,
  body: z.object({ challenge: sealedText }),
  response: z.object({ ...success, ...offered.shape, mayRemember: z.boolean() }),
  errors: ['CHALLENGE_ENDED', 'OTHER_CELL'],
});

export const rememberedDevices = route({
  method: 'GET',
  path: 'auth/devices',
  summary: "Lists the caller's remembered devices.",
  access: 'session',
  permission: null,
  response: z.object({
    ...success,
    data: z.array(z.object({ _id: z.string(), userAgent: z.string(), until: time, current: z.boolean() })),
  }),
});

export const forgetDevice = route({
  method: 'DELETE',
  path: 'auth/devices/:deviceId',
  summary: 'Forgets a remembered device: its next sign-in asks for the factor again.',
  access: 'session',
  permission: null,
  sensitive: false,
  params: { deviceId: z.string().check(z.regex(/^[0-9a-f]{64}$/, { error: FACTOR_FIELD_TEXTS.wrongDevice })) },
  response: done,
  errors: ['NOT_FOUND'],
});

export const confirmFactors = route({
  method: 'POST',
  path: 'auth/confirm/options',
  summary: 'The second factors that `auth/confirm` takes, with the options for passkeys and their challenge.',
  access: 'session',
  permission: null,
  sensitive: false,
  response: z.object({ ...success, challenge: z.string(), ...offered.shape }),
});

export const beginPasskey = route({
  method: 'POST',
  path: 'auth/factors/passkey',
  summary: 'Begins to add a passkey: returns options for the browser. Needs a host name, not an IP address.',
  access: 'session',
  permission: null,
  sensitive: 'elevation',
  response: z.object({ ...success, setup: z.string(), options: passkeyOptions }),
  errors: ['RULE_REFUSED'],
});

export const addPasskey = route({
  method: 'POST',
  path: 'auth/factors/passkeys',
  summary: 'Adds the passkey of a setup. The first factor of a login also returns its recovery codes, once.',
  access: 'session',
  permission: null,
  sensitive: 'elevation',
  body: z.object({
    setup: sealedText,
    name: requiredName(FACTOR_FIELD_TEXTS.nameMissing, 60),
    passkey: passkeyAnswer,
  }),
  status: 201,
  response: z.object({ ...done.shape, codes: z.optional(codes) }),
  errors: ['WRONG_FACTOR', 'CHALLENGE_ENDED', 'LIMIT_REACHED', 'RULE_REFUSED'],
});

export const listFactors = route({
  method: 'GET',
  path: 'auth/factors',
  summary: "Lists the caller's second factors.",
  access: 'session',
  permission: null,
  response: z.object({ ...success, data: z.array(factor) }),
});

export const beginApp = route({
  method: 'POST',
  path: 'auth/factors/app',
  summary:
    'Begins to add an authenticator app: returns a secret, its `otpauth` address and a QR code of it. Nothing is stored ' +
    'until `auth/factors` confirms a code from the app.',
  access: 'session',
  permission: null,
  sensitive: 'elevation',
  response: z.object({
    ...success,
    /** Send it back with the first code. */
    setup: z.string(),
    secret: z.string(),
    uri: z.string(),
    /** SVG. */
    qr: z.string(),
  }),
});

export const addApp = route({
  method: 'POST',
  path: 'auth/factors',
  summary: 'Adds the authenticator app of a setup. The first factor of a login also returns its recovery codes, once.',
  access: 'session',
  permission: null,
  sensitive: 'elevation',
  body: z.object({
    setup: sealedText,
    name: requiredName(FACTOR_FIELD_TEXTS.nameMissing, 60),
    code: factorCode,
  }),
  status: 201,
  response: z.object({ ...done.shape, codes: z.optional(codes) }),
  errors: ['WRONG_FACTOR', 'CHALLENGE_ENDED', 'LIMIT_REACHED'],
});

export const removeFactor = route({
  method: 'DELETE',
  path: 'auth/factors/:number',
  summary: "Removes one of the caller's second factors. The recovery codes go with the last one.",
  access: 'session',
  permission: null,
  sensitive: 'elevation',
  params: { number: z.string().check(z.regex(/^[1-9]\d{0,3}$/, { error: FACTOR_FIELD_TEXTS.wrongNumber })) },
  response: done,
  errors: ['NOT_FOUND'],
});

export const renewCodes = route({
  method: 'POST',
  path: 'auth/factors/codes',
  summary: 'Replaces the recovery codes by new ones, which are shown once.',
  access: 'session',
  permission: null,
  sensitive: 'elevation',
  response: z.object({ ...done.shape, codes }),
  errors: ['NOT_FOUND'],
});
