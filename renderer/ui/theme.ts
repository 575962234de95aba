import {
  type CSSVariablesResolver,
  createTheme,
  DEFAULT_THEME,
  type MantineColorsTuple,
  rem,
} from '@mantine/core';

/** A gloved finger's width: no target is smaller (48 CSS pixels). */
const TARGET = rem(48);

const harbour: MantineColorsTuple = [
  '#eaf4fb',
  '#d2e5f3',
  '#a3c9e6',
  '#71acd9',
  '#4893ce',
  '#2f84c7',
  '#1f73b5',
  '#0f5a94',
  '#0b4a7b',
  '#0b3d66',
];

/** Mantine's, with the two darkest shades dark enough for white text (WCAG 2.2, 1.4.3). */
function darker(name: 'red' | 'green', eighth: string, ninth: string): MantineColorsTuple {
  const [a, b, c, d, e, f, g, h] = DEFAULT_THEME.colors[name];
  return [a, b, c, d, e, f, g, h, eighth, ninth];
}

/** What a key opens is there for the next key. */
const AT_ONCE = { transitionProps: { duration: 0 } };

/** Its words are as much of a target as its box. */
const ticked = {
  body: { alignItems: 'center' },
  label: { display: 'flex', alignItems: 'center', minHeight: TARGET },
} as const;

/** Large targets, strong contrast, no motion that does not say anything. Text and lines read in bad light. */
export const theme = createTheme({
  primaryColor: 'harbour',
  primaryShade: { light: 8, dark: 6 },
  colors: {
    harbour,
    red: darker('red', '#c22525', '#a61e1e'),
    green: darker('green', '#237a39', '#1c652e'),
  },
  autoContrast: true,
  // Above it black reads better on a colour than white does, by WCAG's formula.
  luminanceThreshold: 0.18,
  respectReducedMotion: true,
  cursorType: 'pointer',
  defaultRadius: 'sm',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace',
  fontSizes: { xs: rem(14), sm: rem(15), md: rem(16), lg: rem(18), xl: rem(22) },
  components: {
    // The title in the alert's own colour is too faint on its ground (WCAG 2.2, 1.4.3); icon and ground have the colour.
    Alert: { styles: { title: { color: 'var(--mantine-color-text)' } } },
    // Words are written as everywhere else.
    Badge: { styles: { root: { textTransform: 'none' } } },
    Button: { defaultProps: { size: 'md' }, styles: { root: { minHeight: TARGET } } },
    ActionIcon: { defaultProps: { size: TARGET, variant: 'subtle' } },
    Input: { defaultProps: { size: 'md' }, styles: { input: { minHeight: TARGET } } },
    InputWrapper: { defaultProps: { size: 'md' } },
    Checkbox: { defaultProps: { size: 'md' }, styles: ticked },
    Switch: { defaultProps: { size: 'md' }, styles: ticked },
    Radio: { defaultProps: { size: 'md' }, styles: ticked },
    // Where one is shows by more than a ground, which is faint in the dark.
    NavLink: {
      styles: { root: { minHeight: TARGET } },
      classNames: { root: 'nav-link' },
    },
    // Enter chooses what was typed.
    Select: { defaultProps: { selectFirstOptionOnChange: true } },
    Menu: { defaultProps: AT_ONCE, styles: { item: { minHeight: TARGET } } },
    Tabs: { styles: { tab: { minHeight: TARGET } } },
    Pagination: { styles: { control: { minHeight: TARGET, minWidth: TARGET } } },
    Modal: { defaultProps: { ...AT_ONCE, closeButtonProps: { size: TARGET } } },
  },
});

/** Mantine chooses black or white text by the light scheme's shade (8), so filled colours have it in the dark too. */
const filledAsInLight = Object.fromEntries(
  ['red', 'green', 'blue', 'orange', 'yellow', 'teal', 'gray'].map(color => [
    `--mantine-color-${color}-filled`,
    `var(--mantine-color-${color}-8)`,
  ]),
);

/** Mantine's own greys are too faint for small text and for the lines around what one can use (WCAG 2.2, 1.4.3 and 1.4.11). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-default-border': '#787f87',
    '--mantine-color-disabled-color': 'var(--mantine-color-gray-7)',
  },
  dark: {
    ...filledAsInLight,
    '--mantine-color-anchor': 'var(--mantine-color-harbour-3)',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-0)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-default-border': 'var(--mantine-color-dark-2)',
    '--mantine-color-disabled-color': 'var(--mantine-color-dark-1)',
  },
});
