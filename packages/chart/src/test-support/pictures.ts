import type { ChartSpec } from '../spec/chart-spec.ts';
import { type DrawSvgOptions, drawSvg } from '../svg/draw-svg.ts';
import type { resultOf } from './results.ts';
import { elementsOf, type XmlElement, xmlOf } from './xml.ts';

export const draw = (spec: ChartSpec, result: ReturnType<typeof resultOf>, options?: DrawSvgOptions): XmlElement =>
  xmlOf(drawSvg(spec, result, options));

export const textsOf = (svg: XmlElement): readonly string[] => elementsOf(svg, 'text').map(({ text }) => text);
export const titlesOf = (svg: XmlElement): readonly string[] => elementsOf(svg, 'title').map(({ text }) => text);

/** Bars have a title each; the ground has none. */
export const barsOf = (svg: XmlElement): readonly XmlElement[] =>
  elementsOf(svg, 'rect').filter(({ children }) => children.some(({ name }) => name === 'title'));
