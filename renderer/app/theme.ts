import { createTheme, type MantineColorsTuple, rem } from '@mantine/core';

/** A gloved finger's width: no target is smaller (48 CSS pixels). */
const TARGET = rem(48);

const harbour: MantineColorsTuple = [
  '#eaf4fb',
  '#d2e5f3',
  '#a3c9e6',
  '#71acd9',
  '#4893ce',
  '#2f84c7',
  '#1b6dae',
  '#0f5a94',
  '#0b4a7b',
  '#0b3d66',
];

/** Large targets, strong contrast, no motion that does not say anything. Text and lines read in bad light. */
export const theme = createTheme({
  primaryColor: 'harbour',
  primaryShade: { light: 8, dark: 4 },
  colors: { harbour },
  autoContrast: true,
  luminanceThreshold: 0.3,
  respectReducedMotion: true,
  cursorType: 'pointer',
  defaultRadius: 'sm',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace',
  fontSizes: { xs: rem(14), sm: rem(15), md: rem(16), lg: rem(18), xl: rem(22) },
  components: {
    Button: { defaultProps: { size: 'md' }, styles: { root: { minHeight: TARGET } } },
    ActionIcon: { defaultProps: { size: TARGET, variant: 'subtle' } },
    Input: { defaultProps: { size: 'md' }, styles: { input: { minHeight: TARGET } } },
    InputWrapper: { defaultProps: { size: 'md' } },
    Checkbox: {
      defaultProps: { size: 'md' },
      styles: { root: { minHeight: TARGET, alignContent: 'center' } },
    },
    Switch: { defaultProps: { size: 'md' }, styles: { root: { minHeight: TARGET, alignContent: 'center' } } },
    Radio: { defaultProps: { size: 'md' }, styles: { root: { minHeight: TARGET, alignContent: 'center' } } },
    NavLink: { styles: { root: { minHeight: TARGET } } },
    MenuItem: { styles: { item: { minHeight: TARGET } } },
    TabsTab: { styles: { tab: { minHeight: TARGET } } },
    PaginationControl: { styles: { control: { minHeight: TARGET, minWidth: TARGET } } },
    Modal: { defaultProps: { closeButtonProps: { size: TARGET } } },
  },
});
