import { isolated } from '../data/cell-label.ts';
import { type Attributes, element, textNode } from './element.ts';
import { fitText } from './text-width.ts';
import { INK } from './theme.ts';

interface TextOptions {
  readonly size?: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly fill?: string;
  readonly bold?: boolean;
  /** Degrees, around the point where it stands. */
  readonly turn?: number;
  /** The width that is there for it; what is cut is whole in its title. */
  readonly width?: number | undefined;
  /** What is written of it, where it was cut among others. */
  readonly shown?: string | undefined;
}

/** Draws from the side where reading begins: `x` is mirrored for scripts that run from right to left. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly direction: 'ltr' | 'rtl';
  x(x: number): number;
  rect(x: number, y: number, width: number, height: number, attributes: Attributes, title?: string): void;
  /** A line from point to point. */
  line(x1: number, y1: number, x2: number, y2: number, attributes: Attributes): void;
  path(data: string, attributes: Attributes, title?: string): void;
  text(x: number, y: number, text: string, options?: TextOptions): void;
  readonly parts: readonly string[];
}

/** Labels of all axes, and the least that is legible. */
export const LABEL_SIZE = 11;

export function createCanvas(width: number, height: number, direction: 'ltr' | 'rtl'): Canvas {
  const parts: string[] = [];
  const isMirrored = direction === 'rtl';
  const x = (at: number): number => (isMirrored ? width - at : at);
  // Written out, because not every viewer knows the attribute `direction`.
  const anchors = { start: isMirrored ? 'end' : undefined, middle: 'middle', end: isMirrored ? undefined : 'end' };
  const titled = (title: string | undefined): string =>
    title === undefined ? '' : element('title', {}, textNode(isolated(title, direction)));
  return {
    ...{ width, height, direction, parts, x },
    rect: (left, y, wide, high, attributes, title) => {
      const start = isMirrored ? x(left) - wide : left;
      parts.push(element('rect', { x: start, y, width: wide, height: high, ...attributes }, titled(title)));
    },
    line: (x1, y1, x2, y2, attributes) => {
      parts.push(element('line', { x1: x(x1), y1, x2: x(x2), y2, ...attributes }));
    },
    path: (data, attributes, title) => {
      parts.push(element('path', { d: data, ...attributes }, titled(title)));
    },
    text: (at, y, text, options = {}) => {
      const { size = LABEL_SIZE, anchor = 'start', fill = INK, bold = false, turn, width: room, shown } = options;
      const whole = isolated(text, direction);
      const cut = shown ?? (room === undefined ? text : fitText(text, size, room));
      const fitted = isolated(cut, direction);
      const attributes = {
        ...{ x: x(at), y, 'font-size': size, fill },
        'text-anchor': anchors[anchor],
        'font-weight': bold ? 'bold' : undefined,
        transform: turn === undefined ? undefined : `rotate(${isMirrored ? -turn : turn} ${x(at)} ${y})`,
      };
      parts.push(element('text', attributes, [fitted === whole ? '' : titled(text), textNode(fitted)]));
    },
  };
}

/** A part of the picture. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}
