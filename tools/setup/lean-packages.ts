import type { Plugin } from 'vite';

/** Drops WebTransport and binary packets, which `live-line.ts` does not use. */
export function textSocket(): Plugin {
  const parts: readonly (readonly [file: RegExp, code: string])[] = [
    [/engine\.io-client[\\/].+[\\/]webtransport\.js$/, 'export const WT = undefined;'],
    [/socket\.io-parser[\\/].+[\\/]is-binary\.js$/, 'export const isBinary = () => false, hasBinary = isBinary;'],
    [
      /socket\.io-parser[\\/].+[\\/]binary\.js$/,
      'const never = () => { throw new Error("bytes"); }; export { never as deconstructPacket, never as reconstructPacket };',
    ],
    [
      /engine\.io-parser[\\/].+[\\/]encodePacket\.browser\.js$/,
      `import { PACKET_TYPES } from './commons.js';
       export const encodePacket = ({ type, data }, _, done) => done(PACKET_TYPES[type] + (data || ''));
       export const encodePacketToBinary = undefined;`,
    ],
    [
      /engine\.io-parser[\\/].+[\\/]decodePacket\.browser\.js$/,
      `import { ERROR_PACKET, PACKET_TYPES_REVERSE } from './commons.js';
       export const decodePacket = (text) => {
         const type = PACKET_TYPES_REVERSE[text[0]];
         return type ? { type, ...(text.length > 1 && { data: text.slice(1) }) } : ERROR_PACKET;
       };`,
    ],
  ];
  return {
    name: 'text-socket',
    load: {
      filter: { id: /(?:engine\.io-client|(?:socket|engine)\.io-parser)[\\/]/ },
      handler: (id) => parts.find(([file]) => file.test(id))?.[1] ?? null,
    },
  };
}

/** Mantine bundles these with each component and no page uses them. To use one, remove it here. */
const UNUSED =
  /^(?:Menu\.(?:Search|Sub|Label|CheckboxItem|CheckboxGroup|RadioItem|RadioGroup|ContextMenu)|Tooltip\.(?:Floating|Group)|Popover\.ContextMenu|(?:Button|ActionIcon)\.(?:Group|GroupSection)) = \w+;$/gm;

export function leanMantine(): Plugin {
  return {
    name: 'lean-mantine',
    transform: {
      filter: { id: /@mantine[\\/]core[\\/]esm[\\/]components[\\/](\w+)[\\/]\1\.mjs$/ },
      handler: (code) => ({ code: code.replace(UNUSED, ''), map: null }),
    },
  };
}

/** Endless lists of TanStack Query, and fields of Mantine's forms that are lists or set from outside the form. */
export function leanForms(): Plugin {
  const parts: readonly (readonly [file: RegExp, code: string])[] = [
    [
      /query-core[\\/].+[\\/]infiniteQueryBehavior\.js$/,
      'export const infiniteQueryBehavior = undefined, hasNextPage = undefined, hasPreviousPage = undefined;',
    ],
    [/[\\/]use-form-list\.mjs$/, 'export const useFormList = () => ({});'],
    [
      /@mantine[\\/]form[\\/]esm[\\/]actions[\\/]actions\.mjs$/,
      'export const useFormActions = () => {}, createFormActions = undefined;',
    ],
  ];
  return {
    name: 'lean-forms',
    load: {
      filter: { id: /query-core|@mantine[\\/]form[\\/]/ },
      handler: (id) => parts.find(([file]) => file.test(id))?.[1] ?? null,
    },
  };
}

/** Functions of React DOM that run only with a feature that the pages do not use. */
const OF_UNUSED_REACT = {
  ViewTransition: [
    'startViewTransition',
    'commitEnterViewTransitions',
    'commitExitViewTransitions',
    'commitNestedViewTransitions',
    'restoreEnterOrExitViewTransitions',
    'restoreNestedViewTransitions',
    'measureNestedViewTransitions',
    'measureViewTransitionHostInstancesRecursive',
    'applyViewTransitionToHostInstances',
    'restoreViewTransitionOnHostInstances',
    'restoreViewTransitionName',
    'scheduleViewTransitionEvent',
    'createViewTransitionInstance',
  ],
  hydrateRoot: [
    'updateDehydratedSuspenseComponent',
    'canHydrateInstance',
    'canHydrateTextInstance',
    'canHydrateHydrationBoundary',
    'prepareToHydrateHostInstance',
  ],
  Activity: ['updateActivityComponent'],
  SuspenseList: ['updateSuspenseListComponent'],
  useActionState: ['mountActionState', 'updateActionState', 'rerenderActionState'],
} as const;
type Unused = keyof typeof OF_UNUSED_REACT;

export const UNUSED_REACT: readonly string[] = [...Object.keys(OF_UNUSED_REACT), 'Fragment ref'];

const UNUSED_METHODS = /^(?:exports\.hydrateRoot|FragmentInstance\.prototype\.\w+) = function [^]*?^};$/gm;

/** Keeps features in `used`. Fails if a new React lacks one. */
export function leanReact(used: readonly Unused[] = []): Plugin {
  const unused = (Object.keys(OF_UNUSED_REACT) as Unused[]).filter((feature) => !used.includes(feature));
  const emptied = (code: string, name: string): string => {
    const whole = new RegExp(String.raw`^function ${name}\([^]*?^}$`, 'm');
    if (!whole.test(code)) throw new Error(`React DOM has no function ${name}: see OF_UNUSED_REACT`);
    return code.replace(whole, `function ${name}() {}`);
  };
  return {
    name: 'lean-react',
    transform: {
      filter: { id: /react-dom[\\/]cjs[\\/]react-dom-client\.production\.js$/ },
      handler: (code) => ({
        code: unused
          .flatMap((feature) => OF_UNUSED_REACT[feature])
          .reduce(emptied, code.replaceAll(UNUSED_METHODS, '')),
        map: null,
      }),
    },
  };
}
