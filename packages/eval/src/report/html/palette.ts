/** Colours of the page by what they are for; a test computes their contrasts. */
export interface Palette {
  readonly page: string;
  readonly surface: string;
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  /** Edges of what can be used, and axes: 3:1 and more. */
  readonly edge: string;
  readonly link: string;
  readonly right: string;
  readonly wrong: string;
  readonly declined: string;
  readonly failed: string;
  readonly goldFailed: string;
  /** The first run of two. */
  readonly first: string;
  /** The second run of two, and the only one. */
  readonly second: string;
}

export const LIGHT: Palette = {
  page: '#ffffff',
  surface: '#f5f7f9',
  text: '#1a1f26',
  muted: '#555e6a',
  line: '#d4dae1',
  edge: '#76808c',
  link: '#0b57b0',
  right: '#13713a',
  wrong: '#b3261e',
  declined: '#8a5a00',
  failed: '#7a3db8',
  goldFailed: '#555e6a',
  first: '#6b7682',
  second: '#0b6bcb',
};

export const DARK: Palette = {
  page: '#14181d',
  surface: '#1d2329',
  text: '#e8ecf0',
  muted: '#a8b2bd',
  line: '#38414b',
  edge: '#7d8894',
  link: '#7db7ff',
  right: '#5fd08b',
  wrong: '#ff8b80',
  declined: '#e5b45a',
  failed: '#c9a2f5',
  goldFailed: '#a8b2bd',
  first: '#9aa5b1',
  second: '#5ba8f7',
};

/** The colours as custom properties: `--text: #1a1f26;` and so on. */
export function propertiesOf(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(' ');
}
