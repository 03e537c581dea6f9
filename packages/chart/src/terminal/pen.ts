/** How marks look on a terminal. Colours are the sixteen that every terminal has, in its own shades. */
export interface Pen {
  readonly cut: string;
  readonly axis: string;
  readonly corner: string;
  readonly ground: string;
  /** Of bars, by series. */
  fill(series: number): string;
  /** What is left of a bar behind its whole columns, in eighths. */
  part(eighths: number): string;
  /** Of lines and dots, by series. */
  mark(series: number): string;
  /** Of gathered dots, by share of the fullest place. */
  density(share: number): string;
  paint(text: string, series: number): string;
}

const COLORS = [34, 33, 32, 35, 36, 31, 93, 37];
const FILLS = { unicode: '█▓▒░▚▞▤▥', ascii: '#=+:%o*x' };
const MARKS = { unicode: '●○▲△◆◇■□', ascii: '*o+x#@%&' };
const DENSITY = { unicode: '·∘○●', ascii: '.:oO' };
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

export function penOf(charset: 'unicode' | 'ascii', color: boolean): Pen {
  const isUnicode = charset === 'unicode';
  const at = (texts: string, index: number): string => texts[index % texts.length] ?? '*';
  return {
    cut: isUnicode ? '…' : '~',
    axis: isUnicode ? '│' : '|',
    corner: isUnicode ? '└' : '+',
    ground: isUnicode ? '─' : '-',
    fill: (series) => (color ? at(FILLS[charset], 0) : at(FILLS[charset], series)),
    part: (eighths) => (isUnicode ? (EIGHTHS[eighths] ?? '') : ''),
    mark: (series) => at(MARKS[charset], series),
    density: (share) => at(DENSITY[charset], Math.min(3, Math.floor(share * 4))),
    paint: (text, series) =>
      color && text !== '' ? `\u001b[${COLORS[series % COLORS.length]}m${text}\u001b[39m` : text,
  };
}
