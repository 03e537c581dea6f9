export { type WriteSvgOptions, writeSvg } from './write-svg.ts';
