import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';
import { firstTexts } from '../firstTexts.ts';

const gray: MantineColorsTuple = [
  '#f8f9f9',
  '#f1f3f3',
  '#e6e9e9',
  '#d9dddd',
  '#c3c9c9',
  '#98a1a1',
  '#5c6565',
  '#475050',
  '#323939',
  '#1c2222',
];
/** Text first, page background last. */
const dark: MantineColorsTuple = [
  '#dbe0e0',
  '#b9c0c0',
  '#98a1a1',
  '#7f8989',
  '#3a4242',
  '#2a3131',
  '#1e2424',
  '#161b1b',
  '#101414',
  '#0a0d0d',
];
const accent: MantineColorsTuple = [
  '#e8f5f4',
  '#cde8e6',
  '#9fd3cf',
  '#6fbeb8',
  '#4aaaa3',
  '#2b938c',
  '#177670',
  '#0e6762',
  '#0b5a56',
  '#084744',
];
const red: MantineColorsTuple = [
  '#fdf1f0',
  '#fbdfdc',
  '#f7bdb7',
  '#f39b92',
  '#ea6f64',
  '#dd4a3e',
  '#c8342a',
  '#b3281e',
  '#a3221a',
  '#7f1a13',
];
const green: MantineColorsTuple = [
  '#ecf7f0',
  '#d3ecdc',
  '#a6d9b9',
  '#77c595',
  '#4db276',
  '#319b5e',
  '#22824b',
  '#1a6e3e',
  '#155c34',
  '#0f4527',
];
const yellow: MantineColorsTuple = [
  '#fdf6e7',
  '#f9e8c3',
  '#f3d38a',
  '#ecbc52',
  '#dea228',
  '#bf8714',
  '#9c6b0a',
  '#845806',
  '#724c05',
  '#543803',
];

/** Else the dialog's `header` would count as a second page banner. */
const HEAD_WITHOUT_ROLE = { header: { role: 'none' } };

export const theme = createTheme({
  colors: { gray, dark, accent, red, green, yellow },
  primaryColor: 'accent',
  primaryShade: { light: 8, dark: 6 },
  white: '#ffffff',
  black: '#1c2222',
  respectReducedMotion: true,
  cursorType: 'pointer',
  defaultRadius: 'sm',
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.25rem', xl: '2rem' },
  radius: { xs: '0.25rem', sm: '0.375rem', md: '0.5rem', lg: '0.75rem', xl: '1rem' },
  fontWeights: { regular: '400', medium: '500', bold: '700' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.125rem', lineHeight: '1.75rem' },
      h2: { fontSize: '1rem', lineHeight: '1.5rem' },
      h3: { fontSize: '0.875rem', lineHeight: '1.25rem' },
    },
  },
  components: {
    Alert: { defaultProps: { py: 'xs', px: 'sm' } },
    Button: { styles: { root: { fontWeight: 600 } } },
    Modal: {
      defaultProps: {
        centered: true,
        attributes: HEAD_WITHOUT_ROLE,
        styles: { title: { fontWeight: 600, lineHeight: 1.35 }, content: { border: '1px solid var(--dh-hairline)' } },
        closeButtonProps: { 'aria-label': firstTexts.close },
        transitionProps: { duration: 140, transition: 'fade' },
        overlayProps: { backgroundOpacity: 0.4 },
      },
    },
    Drawer: {
      defaultProps: {
        attributes: HEAD_WITHOUT_ROLE,
        styles: { title: { fontWeight: 600, lineHeight: 1.35 } },
        closeButtonProps: { 'aria-label': firstTexts.close },
        transitionProps: { duration: 160 },
        overlayProps: { backgroundOpacity: 0.4 },
      },
    },
    Popover: { defaultProps: { shadow: 'md', transitionProps: { duration: 120 } } },
    Notification: { defaultProps: { py: 4, mih: 44, closeButtonProps: { 'aria-label': firstTexts.close } } },
    Tooltip: {
      defaultProps: { transitionProps: { duration: 120 }, events: { hover: true, focus: true, touch: false } },
    },
    TextInput: { defaultProps: { autoComplete: 'off' } },
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': firstTexts.showPassword } } },
  },
});

/**
 * App tokens, and Mantine's where its contrast is below 4.5:1. All colors except the pictures' are here. Dark values
 * are chosen by hand.
 */
const LIGHT = {
  '--mantine-color-error': red[7],
  '--mantine-color-dimmed': gray[6],
  '--mantine-color-placeholder': gray[6],
  '--mantine-color-disabled-color': gray[6],
  '--mantine-color-default-border': gray[4],
  '--mantine-color-anchor': accent[8],
  '--mantine-color-red-light': red[0],
  '--mantine-color-yellow-light': yellow[0],
  '--mantine-color-green-light': green[0],
  '--dh-page': '#f7f8f8',
  '--dh-surface': '#ffffff',
  '--dh-surface-sunken': '#f4f6f6',
  '--dh-hover': '#f3f6f6',
  '--dh-hairline': '#dfe3e3',
  '--dh-hairline-soft': '#eceeee',
  '--dh-control-edge': '#858f8f',
  '--dh-text': '#1c2222',
  '--dh-text-muted': '#5c6565',
  '--dh-accent': accent[8],
  '--dh-accent-tint': accent[0],
  '--dh-focus': accent[7],
  '--dh-veil': 'rgb(255 255 255 / 60%)',
  '--dh-good': green[8],
  '--dh-good-tint': green[0],
  '--dh-loss': red[7],
  '--dh-loss-tint': red[0],
  '--dh-warn': yellow[8],
  '--dh-warn-tint': yellow[0],
  '--dh-glow': '#bfe3e0',
  '--dh-wheel-red': '#b8281f',
  '--dh-wheel-black': '#1c2222',
  '--dh-wheel-green': '#1a6e3e',
  '--dh-wheel-text': '#ffffff',
  '--dh-wheel-edge': 'transparent',
};
const DARK = {
  '--mantine-color-body': dark[7],
  '--mantine-color-error': red[3],
  '--mantine-color-dimmed': dark[2],
  '--mantine-color-placeholder': dark[3],
  '--mantine-color-disabled-color': dark[3],
  '--mantine-color-anchor': accent[3],
  '--mantine-color-red-light': '#331a17',
  '--mantine-color-yellow-light': '#2e2410',
  '--mantine-color-green-light': '#14291c',
  '--mantine-color-red-light-color': red[3],
  '--mantine-color-red-outline': red[3],
  '--dh-page': dark[8],
  '--dh-surface': dark[7],
  '--dh-surface-sunken': '#1a2020',
  '--dh-hover': '#1d2323',
  '--dh-hairline': '#2b3232',
  '--dh-hairline-soft': '#222828',
  '--dh-control-edge': '#6b7575',
  '--dh-text': dark[0],
  '--dh-text-muted': dark[2],
  '--dh-accent': accent[3],
  '--dh-accent-tint': '#10302e',
  '--dh-focus': accent[4],
  '--dh-veil': 'rgb(16 20 20 / 60%)',
  '--dh-good': green[3],
  '--dh-good-tint': '#14291c',
  '--dh-loss': red[3],
  '--dh-loss-tint': '#331a17',
  '--dh-warn': yellow[3],
  '--dh-warn-tint': '#2e2410',
  '--dh-glow': '#1f5451',
  '--dh-wheel-red': '#b8352c',
  '--dh-wheel-black': '#050707',
  '--dh-wheel-green': '#1f7a46',
  '--dh-wheel-text': '#ffffff',
  '--dh-wheel-edge': '#3a4242',
};
const SIZES = {
  '--dh-sidebar-width': '248px',
  '--dh-topbar-height': '52px',
  '--dh-control-height': '32px',
};

export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: SIZES, light: LIGHT, dark: DARK });
