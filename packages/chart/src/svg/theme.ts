import { element } from './element.ts';

export type ChartTheme = 'color' | 'monochrome';

/**
 * Eight colours that people with each kind of colour blindness tell apart (Okabe and Ito, 2008, with the yellow made
 * darker for a white ground), black among them.
 */
const COLORS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#b8a800', '#000000'];
const DASHES = ['', '7 3', '2 3', '9 3 2 3', '12 4', '5 2 1 2 1 2', '1 4', '4 4'];
const MARKERS = ['circle', 'square', 'triangle', 'diamond', 'cross', 'plus', 'ring', 'bar'] as const;

export const INK = '#1a1a1a';
export const SOFT = '#555555';
export const GRID = '#dddddd';
export const GROUND = '#ffffff';

export interface Mark {
  /** Of bars: a colour or a pattern. */
  readonly fill: string;
  readonly stroke: string;
  /** Of lines; undefined where they are whole. */
  readonly dash: string | undefined;
  readonly marker: (typeof MARKERS)[number];
}

/** How the n-th series looks. In monochrome by pattern, dashes and marker, never by shade alone. */
export function markOf(theme: ChartTheme, series: number): Mark {
  const at = series % COLORS.length;
  const marker = MARKERS[at] ?? 'circle';
  if (theme === 'color') return { fill: COLORS[at] ?? INK, stroke: COLORS[at] ?? INK, dash: undefined, marker };
  return {
    fill: at === 0 ? '#444444' : `url(#askema-pattern-${at})`,
    stroke: INK,
    dash: DASHES[at] || undefined,
    marker,
  };
}

const TILES: readonly string[] = [
  '',
  'M0 8L8 0M-2 2L2 -2M6 10L10 6',
  'M4 4h0.01',
  'M0 4H8',
  'M0 0L8 8M-2 6L2 10M6 -2L10 2',
  'M4 0V8',
  'M0 4H8M4 0V8',
  '',
];

/** The patterns that so many series need. Their ids are the same in every picture, and so is what they show. */
export function patternDefs(theme: ChartTheme, series: number): string {
  if (theme === 'color' || series < 2) return '';
  const patterns = TILES.slice(0, series).flatMap((tile, at) => {
    if (at === 0) return [];
    const ground = element('rect', { width: 8, height: 8, fill: GROUND });
    const width = at === 2 ? 4 : 1.4;
    const drawn =
      tile === ''
        ? ''
        : element('path', {
            d: tile,
            stroke: INK,
            'stroke-width': width,
            'stroke-linecap': at === 2 ? 'round' : undefined,
            fill: 'none',
          });
    return [
      element('pattern', { id: `askema-pattern-${at}`, width: 8, height: 8, patternUnits: 'userSpaceOnUse' }, [
        ground,
        drawn,
      ]),
    ];
  });
  return element('defs', {}, patterns);
}

/** The outline of a marker around a point, as the data of a path. */
export function markerPath(marker: Mark['marker'], x: number, y: number, r: number): string {
  const n = (value: number): string => String(Math.round(value * 100) / 100);
  switch (marker) {
    case 'square':
      return `M${n(x - r)} ${n(y - r)}h${n(2 * r)}v${n(2 * r)}h${n(-2 * r)}z`;
    case 'triangle':
      return `M${n(x)} ${n(y - r)}L${n(x + r)} ${n(y + r)}H${n(x - r)}z`;
    case 'diamond':
      return `M${n(x)} ${n(y - r * 1.2)}L${n(x + r * 1.2)} ${n(y)}L${n(x)} ${n(y + r * 1.2)}L${n(x - r * 1.2)} ${n(y)}z`;
    case 'cross':
      return `M${n(x - r)} ${n(y - r)}L${n(x + r)} ${n(y + r)}M${n(x - r)} ${n(y + r)}L${n(x + r)} ${n(y - r)}`;
    case 'plus':
      return `M${n(x - r)} ${n(y)}H${n(x + r)}M${n(x)} ${n(y - r)}V${n(y + r)}`;
    case 'bar':
      return `M${n(x - r)} ${n(y)}H${n(x + r)}`;
    default:
      return `M${n(x - r)} ${n(y)}a${n(r)} ${n(r)} 0 1 0 ${n(2 * r)} 0a${n(r)} ${n(r)} 0 1 0 ${n(-2 * r)} 0z`;
  }
}
